import Testing

@testable import SkerryCore

/// The index changes nothing but the cost.
@Suite("Index of circles") struct CircleIndexTests {
    /// Looks at every circle for every fix.
    private struct EveryCircle {
        let circles: [CircularRegion]
        let settings: CircleSettings
        private var watches: [CircleWatch?]
        private var rising = RisingTime()

        init(_ circles: [CircularRegion], _ settings: CircleSettings) {
            self.circles = circles
            self.settings = settings
            watches = circles.map { _ in nil }
        }

        mutating func observe(_ fix: Fix) -> [RegionTransition] {
            let time = fix.time!
            let verdict = rising.observe(time)
            guard verdict != .overtaken else { return [] }
            let point = TrackPoint(fix, at: time)
            var changes: [RegionTransition] = []
            for (number, region) in circles.enumerated()
            where region.accepts(horizontalAccuracy: fix.horizontalAccuracy) {
                if verdict == .corrected { watches[number]?.forgetFixes() }
                if watches[number] != nil {
                    watches[number]!.observe(point, region, settings, changes: &changes)
                    continue
                }
                let distance = fix.coordinate.distance(to: region.centre)
                let said = region.state(distance: distance, horizontalAccuracy: fix.horizontalAccuracy)
                guard said != .unknown else { continue }
                changes.append(
                    RegionTransition(
                        region: number, transition: .determined, state: said, from: .unknown, reason: .location,
                        evidence: .circle(
                            .init(distance: distance, horizontalAccuracy: fix.horizontalAccuracy, confirmations: 1))))
                watches[number] = CircleWatch(number, said, agreed: nil)
                watches[number]!.observe(point, region, settings, changes: &changes)
            }
            return changes
        }
    }

    /// Where wrong thoughts about the globe show.
    private static let places = [(47.0, 8.0), (0, 180), (-17, -179.99), (90, 0), (-89.99, 33), (0, 0)].map {
        Coordinate(latitude: $0.0, longitude: $0.1)!
    }

    private static func circles(_ count: Int, _ random: inout SeededGenerator) -> [CircularRegion] {
        (0..<count).map { number in
            // From 10 m to 10,000 km, most of them small.
            let size = Double.random(in: 0...1, using: &random)
            let radius = number % 50 == 0 ? 1e7 * size + 1 : 10 + 2000 * size * size * size
            let centre = places[number % places.count].destination(
                bearing: .random(in: 0..<360, using: &random), distance: .random(in: 0...4000, using: &random))!
            return CircularRegion(name: "\(number)", centre: centre, radius: radius)!
        }
    }

    /// A way with bends and jumps, poor fixes, outliers, late ones and clocks that are set.
    private static func track(_ count: Int, _ random: inout SeededGenerator) -> [Fix] {
        var (coordinate, seconds, bearing) = (places[0], 0.0, 0.0)
        return (0..<count).map { number in
            let interval = [0.2, 1, 1, 5, 30].randomElement(using: &random)!
            let speed = [0, 1.4, 14, 30, 90].randomElement(using: &random)!
            seconds += interval
            switch Int.random(in: 0..<100, using: &random) {
            case 0: coordinate = places.randomElement(using: &random)!
            case 1: seconds += [-200_000, -30, 90, 100_000].randomElement(using: &random)!
            case 2...10: bearing = .random(in: 0..<360, using: &random)
            default: break
            }
            // Kept near the circles.
            let home = places.min { $0.distance(to: coordinate) < $1.distance(to: coordinate) }!
            if coordinate.distance(to: home) > 5000 { bearing = coordinate.initialBearing(to: home)! }
            coordinate = coordinate.destination(bearing: bearing, distance: speed * interval)!
            var fix = FixTrack.fix(
                seconds, 0, accuracy: [1, 5, 10, 40, 300, 700, 3000].randomElement(using: &random)!,
                speed: number % 3 == 0 ? speed : nil)
            fix.coordinate = coordinate
            if Int.random(in: 0..<50, using: &random) == 0 {
                fix.coordinate = coordinate.destination(bearing: bearing + 100, distance: 300)!
            }
            return fix
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>) func sameChangesAsWithoutIt(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let circles = Self.circles([1, 7, 64, 65, 200, 300][Int(seed)], &random)
        var settings = CircleSettings()
        settings.confirmations = [2, 1, 2, 3, 2, 2][Int(seed)]
        settings.dwell = seed == 5 ? 3 : 0
        var (monitor, reference) = (CircleMonitor(circles, settings: settings), EveryCircle(circles, settings))
        var (entries, passages) = (0, 0)
        for (number, fix) in Self.track(1500, &random).enumerated() {
            let (found, expected) = (monitor.observe(fix, at: FixTrack.begin), reference.observe(fix))
            entries += found.count { $0.transition == .enter }
            passages += zip(found, found.dropFirst()).count { $0.region == $1.region }
            #expect(found.map(Self.text) == expected.map(Self.text), "fix \(number)")
        }
        // Enough happened to see a difference.
        #expect(entries > circles.count / 10)
        if settings.trustsLines, circles.count >= 64 { #expect(passages > 0) }
    }

    private static func text(_ change: RegionTransition) -> String {
        "\(change.region) \(change.transition) \(change.from) \(change.state) \(change.circleEvidence!)"
    }

    /// Whatever lies within reach is found, wherever one looked before.
    @Test(arguments: 0..<4 as Range<UInt64>) func everyCircleWithinReach(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let circles = Self.circles(500, &random)
        var index = CircleIndex(
            circles.enumerated().map {
                CircleIndex.Entry(circle: Int32($0), centre: GeocentricPoint($1.centre), reach: $1.radius)
            })
        for fix in Self.track(300, &random) {
            var found: Set<Int> = []
            let place = GeocentricPoint(fix.coordinate)
            index.forEach(nearLineFrom: place, to: place, margin: 1) { circle, _ in
                #expect(found.insert(circle).inserted)
            }
            for (number, circle) in circles.enumerated()
            where fix.coordinate.distance(to: circle.centre) <= circle.radius {
                #expect(found.contains(number))
            }
        }
    }
}

@Suite("Places through the earth") struct GeocentricPointTests {
    /// Half the axes of the WGS 84 ellipsoid.
    @Test(arguments: [
        (0.0, 0.0, [6_378_137.0, 0, 0]), (0, 90, [0, 6_378_137, 0]), (0, -180, [-6_378_137, 0, 0]),
        (90, 55, [0, 0, 6_356_752.314_2]), (-90, 0, [0, 0, -6_356_752.314_2]),
    ])
    func axes(latitude: Double, longitude: Double, expected: [Double]) throws {
        let point = GeocentricPoint(try #require(Coordinate(latitude: latitude, longitude: longitude)))
        for (number, wanted) in zip([point.x, point.y, point.z], expected) { #expect(abs(number - wanted) < 1e-3) }
    }

    /// The straight way is never longer than that on the ground, and at 6 km shorter by a quarter of a millimetre.
    @Test func straightWays() throws {
        var random = SeededGenerator(seed: 3)
        for number in 0..<2000 {
            let start = try #require(
                Coordinate(
                    latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
            )
            let length = Double.random(in: 0...(number % 2 == 0 ? 6000 : 2e7), using: &random)
            let end = try #require(start.destination(bearing: .random(in: 0..<360, using: &random), distance: length))
            let straight = GeocentricPoint(start).distance(to: GeocentricPoint(end))
            #expect(straight <= start.distance(to: end) + 1e-6)
            if length <= 6000 { #expect(length - straight < 2.5e-4) }
        }
    }
}
