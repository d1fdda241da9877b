/// What a fix costs among circles: a drive at 14 m/s with a bend every minute, a fix a second, through circles of 100 m
/// that lie equally dense whatever their number.
///
/// - Parameter circles: How many.
/// - Returns: Processor seconds for the first fix, which determines every circle, and for each further one.
func runCircles(_ circles: Int) -> (first: Double, further: Double) {
    var state: UInt64 = 1
    func random() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / 9_007_199_254_740_992
    }
    // 3.4 circles a square kilometre, a ninth of the ground; near the equator, where a degree has 111 km both ways.
    let side = (Double(circles) / 3.4).squareRoot() / 111
    var monitor = CircleMonitor(
        (0..<circles).map {
            CircularRegion(
                name: "\($0)", centre: Coordinate(latitude: random() * side, longitude: random() * side)!, radius: 100)!
        })
    let fixes = 20_000
    var (latitude, longitude, north, east) = (side / 2, side / 2, 0.0, 0.0)
    let track = (0..<fixes).map { second in
        if second % 60 == 0 {
            north = random() - 0.5
            east = random() - 0.5
            let length = (north * north + east * east).squareRoot()
            (north, east) = (north / length * 14 / 111_000, east / length * 14 / 111_000)
        }
        // Thrown back at the edge.
        if !(0...side ~= latitude + north) { north = -north }
        if !(0...side ~= longitude + east) { east = -east }
        latitude += north
        longitude += east
        return Fix(
            coordinate: Coordinate(latitude: latitude, longitude: longitude)!,
            time: Timestamp(seconds: 1_700_000_000 + Int64(second), microseconds: 0), horizontalAccuracy: 5,
            accuracySource: .eph, speed: 14, isThreeDimensional: true, isSimulated: false)
    }
    let begin = reference_cpu_time()
    var changes = monitor.observe(track[0], at: track[0].time!).count
    let first = reference_cpu_time() - begin
    for fix in track.dropFirst() { changes += monitor.observe(fix, at: fix.time!).count }
    let further = (reference_cpu_time() - begin - first) / Double(fixes - 1)
    guard changes > circles else { fatalError("nothing was entered") }
    return (first, further)
}
