/// A fix as a point of the way that is travelled.
struct TrackPoint {
    /// Metres a second, squared: what passengers feel as a bend. A vehicle that keeps its speed, whatever that is, and
    /// is pushed sideways so much is, between two fixes t seconds apart, aside of the line by up to t²/8 times it.
    private static let sidewaysAcceleration = 1.0
    /// Seconds. Over more, nothing is known of the way between.
    static let longestGap = 60.0
    /// Metres a second. What seems to be faster is an error of a fix. A fast train has 90.
    private static let highestSpeed = 100.0

    let coordinate: Coordinate
    let geocentric: GeocentricPoint
    let time: Timestamp
    /// Metres.
    let horizontalAccuracy: Double
    /// Metres a second.
    let speed: Double?

    init(_ fix: Fix, at time: Timestamp) {
        coordinate = fix.coordinate
        geocentric = GeocentricPoint(fix.coordinate)
        self.time = time
        horizontalAccuracy = fix.horizontalAccuracy
        speed = fix.speed
    }

    /// How far aside the straight line from an earlier point may lie from the way that was travelled, in metres;
    /// `nil` where no line between them can be believed.
    ///
    /// None can after a minute, at more than 100 m/s, past a fix on the way that is farther off than its accuracy, and
    /// where the receiver told speeds that make less than two thirds of the way, errors of the places left aside: that
    /// is how the outlier of a receiver that stands still looks.
    ///
    /// - Parameter between: The fixes on the way, by rising time.
    func uncertainty(ofLineFrom earlier: TrackPoint, by between: [TrackPoint] = []) -> Double? {
        let time = seconds(since: earlier)
        guard time > 0, time <= Self.longestGap else { return nil }
        let length = geocentric.distance(to: earlier.geocentric)
        guard length <= Self.highestSpeed * time else { return nil }
        let speeds = [earlier.speed, speed].compactMap(\.self)
        if !speeds.isEmpty {
            let travelled = speeds.reduce(0, +) / Double(speeds.count) * time
            guard length <= 1.5 * travelled + earlier.horizontalAccuracy + horizontalAccuracy else { return nil }
        }
        var (last, gap) = (earlier, 0.0)
        for point in between {
            let aside = point.geocentric.distance(toLineFrom: earlier.geocentric, to: geocentric)
            guard aside <= point.horizontalAccuracy else { return nil }
            gap = max(gap, point.seconds(since: last))
            last = point
        }
        gap = max(gap, seconds(since: last))
        return max(earlier.horizontalAccuracy, horizontalAccuracy) + Self.sidewaysAcceleration * gap * gap / 8
    }

    private func seconds(since earlier: TrackPoint) -> Double { Double(time - earlier.time) / 1e6 }
}
