import Testing

@testable import SkerryCore

/// Straight through a circle between two fixes, which both lie outside.
@Suite("Passages between fixes") struct CirclePassageTests {
    private static func trace(
        _ fixes: [Fix], radius: Double = 100, settings change: (inout CircleSettings) -> Void = { _ in }
    ) -> [String] {
        var settings = CircleSettings()
        change(&settings)
        var monitor = CircleMonitor([FixTrack.circle(radius: radius)], settings: settings)
        return Array(monitor.trace(fixes).dropFirst())
    }

    private static let passed = ["10.0 enter home", "10.0 exit home"]

    @Test func enteredAndLeft() throws {
        var monitor = CircleMonitor([FixTrack.circle()])
        _ = monitor.trace([FixTrack.fix(0, -200)])
        let changes = monitor.observe(FixTrack.fix(10, 200, accuracy: 5), at: FixTrack.begin)
        #expect(changes.map(\.transition) == [.enter, .exit] && changes.map(\.from) == [.outside, .inside])
        #expect(changes.map(\.state) == [.inside, .outside] && monitor.state(of: 0) == .outside)
        let evidence = changes.compactMap(\.circleEvidence)
        // 400 m in 10 s: 100 m after the beginning and before the end.
        #expect(abs(evidence[0].crossedAt! - FixTrack.begin - 2_500_000) <= 2)
        #expect(abs(evidence[1].crossedAt! - FixTrack.begin - 7_500_000) <= 2)
        #expect(evidence[0].distance! < 0.001 && abs(evidence[1].distance! - 200) < 1e-6)
        #expect(evidence.map(\.horizontalAccuracy) == [10, 5] && evidence.map(\.confirmations) == [2, 2])
    }

    @Test(
        arguments: [
            // Seconds, accuracy, told speed at both ends, whether 400 m through a circle of 100 m are believed.
            (10.0, 10.0, nil, true), (4, 10, nil, true), (3.99, 10, nil, false),
            // 10 m and t²/8 must not make more than 100 m: 26.8 s.
            (26.8, 10, nil, true), (26.9, 10, nil, false), (61, 1, nil, false),
            (10, 87.4, nil, true), (10, 87.6, nil, false),
            // 400 m are 1.5 times what was told, and 20 m.
            (10, 10, 40, true), (10, 10, 25.4, true), (10, 10, 25.3, false), (10, 10, 0, false), (10, 10, 1000, true),
        ] as [(Double, Double, Double?, Bool)])
    func believed(seconds: Double, accuracy: Double, speed: Double?, isPassage: Bool) {
        let fixes = [(0.0, -200.0), (seconds, 200)].map { FixTrack.fix($0, $1, accuracy: accuracy, speed: speed) }
        #expect(Self.trace(fixes).count == (isPassage ? 2 : 0))
    }

    /// Braking: the mean of both speeds counts. If only one is told, that one.
    @Test(
        arguments: [(80.0, 0.0, true), (0, 80, true), (30, 0, false), (nil, 40, true), (nil, 10, false)]
            as [(Double?, Double?, Bool)])
    func speeds(first: Double?, second: Double?, isPassage: Bool) {
        let fixes = [FixTrack.fix(0, -200, speed: first), FixTrack.fix(10, 200, speed: second)]
        #expect(Self.trace(fixes) == (isPassage ? Self.passed : []))
    }

    /// The line must lead through the circle by more than it is uncertain: 10 m, and 12.5 m for ten seconds.
    @Test(arguments: [(0.0, true), (-77, true), (77, true), (78, false), (-78, false), (100, false), (1000, false)])
    func aside(metres: Double, isPassage: Bool) throws {
        let beside = try #require(FixTrack.place.destination(bearing: 90, distance: metres))
        let fixes = [(0.0, -200.0), (10, 200)].map { FixTrack.fix($0, $1, from: beside) }
        #expect(Self.trace(fixes) == (isPassage ? Self.passed : []))
    }

    /// Towards the circle and along it is not through it.
    @Test(arguments: [[-800.0, -400, -111], [111, 400, 800], [-300, -150, -300], [400, 120, 500]])
    func onOneSide(_ metres: [Double]) {
        #expect(Self.trace(metres.enumerated().map { FixTrack.fix(Double($0) * 10, $1) }).isEmpty)
    }

    /// A fix on the way that says nothing, or inside only once, does not hide the passage; one that lies aside does: then
    /// it was another way, or an outlier.
    @Test(
        arguments: [
            ([(5.0, 0.0, 0.0)], true), ([(5, 100, 0)], true), ([(3, -100, 0), (6, 100, 0)], true), ([(5, 0, 9)], true),
            ([(5, 0, 11)], false), ([(3, -100, 5), (6, 50, -12)], false),
        ] as [([(Double, Double, Double)], Bool)])
    func fixesOnTheWay(between: [(seconds: Double, metres: Double, aside: Double)], isPassage: Bool) throws {
        let way = try between.map { point in
            FixTrack.fix(
                point.seconds, point.metres,
                from: try #require(FixTrack.place.destination(bearing: 90, distance: point.aside)))
        }
        let fixes = [FixTrack.fix(0, -200)] + way + [FixTrack.fix(10, 200)]
        #expect(Self.trace(fixes) == (isPassage ? Self.passed : []))
    }

    /// A receiver that stands still, and once a fix in the circle or behind it.
    @Test(arguments: [0.0, 200, 400])
    func outliers(metres: Double) {
        let standing = (0..<10).map { FixTrack.fix(Double($0) * 10, $0 == 5 ? metres : -200, speed: 0.1) }
        #expect(Self.trace(standing).isEmpty)
        // Once a second without a speed: nothing moves at 200 m/s.
        let fast = (0..<10).map { FixTrack.fix(Double($0), $0 == 5 ? metres : -200) }
        #expect(Self.trace(fast).isEmpty)
    }

    /// Who wants more confirmations, or that they last, does not want two fixes that take no time.
    @Test func linesConfirmNoMoreThanTwice() {
        let fixes = [FixTrack.fix(0, -200), FixTrack.fix(10, 200)]
        #expect(Self.trace(fixes) { $0.confirmations = 1 } == Self.passed)
        #expect(Self.trace(fixes) { $0.confirmations = 3 }.isEmpty)
        #expect(Self.trace(fixes) { $0.dwell = 1 }.isEmpty)
    }

    /// A fix too poor for the small circle does not hide the passage, but lengthens it.
    @Test func poorFixesBetween() {
        let fixes = [FixTrack.fix(0, -200), FixTrack.fix(5, 1000, accuracy: 600), FixTrack.fix(10, 200)]
        #expect(Self.trace(fixes) == Self.passed)
    }
}

@Suite("Lines through circles") struct LineCrossingTests {
    @Test(arguments: [
        // Radius, both ends' distances, length; nearest, entry, exit.
        (100.0, 200.0, 200.0, 400.0, 0.0, 0.25, 0.75), (100, 150, 250, 400, 0, 0.125, 0.625),
        (5, 13, 13, 24, 5, 0.5, 0.5), (5, 13, 13, 25.9, 1.139, 0.312, 0.688),
    ])
    func crossing(
        radius: Double, start: Double, end: Double, length: Double, nearest: Double, entry: Double, exit: Double
    ) throws {
        let crossing = try #require(LineCrossing(radius: radius, start: start, end: end, length: length))
        #expect(abs(crossing.nearest - nearest) < 1e-3)
        #expect(abs(crossing.entry - entry) < 1e-3 && abs(crossing.exit - exit) < 1e-3)
    }

    @Test(arguments: [
        (100.0, 200.0, 500.0, 300.0), (100, 500, 200, 300), (100, 200, 200, 10), (100, 99, 200, 299),
        (100, 200, 99, 299),
        (5, 13, 13, 23), (100, 200, 200, 0), (100, 200, 200, .nan), (100, .infinity, 200, 300),
    ])
    func none(radius: Double, start: Double, end: Double, length: Double) {
        #expect(LineCrossing(radius: radius, start: start, end: end, length: length) == nil)
    }

    /// Against places on the geodesic itself.
    @Test(arguments: 0..<20 as Range<UInt64>) func geodesics(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let start = try #require(
            Coordinate(
                latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random)))
        let bearing = Double.random(in: 0..<360, using: &random)
        let length = Double.random(in: 1000...6000, using: &random)
        let end = try #require(start.destination(bearing: bearing, distance: length))
        let middle = try #require(start.destination(bearing: bearing, distance: length / 2))
        let centre = try #require(
            middle.destination(bearing: bearing + 90, distance: .random(in: -90...90, using: &random)))
        let crossing = try #require(
            LineCrossing(
                radius: 100, start: centre.distance(to: start), end: centre.distance(to: end), length: length))
        for share in [crossing.entry, crossing.exit] {
            let border = try #require(start.destination(bearing: bearing, distance: share * length))
            #expect(abs(centre.distance(to: border) - 100) < 0.01)
        }
        let nearest = try #require(
            start.destination(bearing: bearing, distance: (crossing.entry + crossing.exit) / 2 * length))
        #expect(abs(centre.distance(to: nearest) - crossing.nearest) < 0.01)
    }
}
