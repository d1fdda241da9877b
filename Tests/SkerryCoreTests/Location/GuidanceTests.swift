import Testing

@testable import SkerryCore

@Suite("Guidance") struct GuidanceTests {
    static let target = Coordinate(latitude: 22.23, longitude: 113.12)!

    @Test func farAway() throws {
        var guidance = Guidance(to: Self.target)
        let beijing = try #require(Coordinate(latitude: 39.9042, longitude: 116.4074))
        let step = guidance.observe(position: beijing, trueHeading: 189.9919)
        #expect(abs(step.distance - 1_984_164.9) < 0.1)
        #expect(abs(try #require(step.bearing) - 189.991_9) < 1e-4)
        #expect(abs(try #require(step.relativeAngle)) < 1e-4)
        #expect(step.arrow == .ahead && !step.isArrival)
        let unknown = guidance.observe(position: beijing, trueHeading: nil)
        #expect(unknown.bearing == step.bearing && unknown.relativeAngle == nil && unknown.arrow == nil)
    }

    /// To the north, along a meridian: the bearing is 0.
    @Test(arguments: [
        (0.0, 0.0, Guidance.Arrow.ahead), (359, 1, .ahead), (1, -1, .ahead), (10, -10, .ahead), (350, 10, .ahead),
        (10.5, -10.5, .left), (349.5, 10.5, .right), (90, -90, .left), (270, 90, .right), (179.5, -179.5, .left),
        (180, 180, .left), (180.5, 179.5, .right),
    ])
    func arrows(heading: Double, angle: Double, arrow: Guidance.Arrow) throws {
        var guidance = Guidance(to: try #require(Coordinate(latitude: 60, longitude: 10)))
        let start = try #require(Coordinate(latitude: 50, longitude: 10))
        let step = guidance.observe(position: start, trueHeading: heading)
        #expect(step.bearing == 0 && step.relativeAngle == angle && step.arrow == arrow)
    }

    @Test func arrivalIsToldOnceUntilLeft() throws {
        var guidance = Guidance(to: Self.target)
        let rows: [(Double, Bool)] = [
            (1_000, false), (500.1, false), (499.9, true), (499, false), (510, false), (499, false), (549, false),
            (499, false), (551, false), (499, true), (10, false), (0, false),
        ]
        for (metres, isArrival) in rows {
            let place = try #require(Self.target.destination(bearing: 123, distance: metres))
            #expect(guidance.observe(position: place, trueHeading: nil).isArrival == isArrival, "\(metres)")
        }
        var small = Guidance(to: Self.target, arrivalRadius: 10)
        for (metres, isArrival) in [(9.0, true), (29, false), (9, false), (31, false), (9, true)] {
            let place = try #require(Self.target.destination(bearing: 300, distance: metres))
            #expect(small.observe(position: place, trueHeading: nil).isArrival == isArrival, "\(metres)")
        }
    }

    @Test(arguments: [
        (0.0, nil, false), (0.9, nil, false), (1.1, nil, true), (24, 100.0, false), (26, 100, true), (2, -1, true),
        (2, .nan, true), (2, .infinity, false),
    ])
    func aBearingNeedsADistance(metres: Double, accuracy: Double?, isKnown: Bool) throws {
        var guidance = Guidance(to: Self.target)
        let place = try #require(Self.target.destination(bearing: 45, distance: metres))
        let step = guidance.observe(position: place, horizontalAccuracy: accuracy, trueHeading: 0)
        #expect((step.bearing != nil) == isKnown && (step.arrow != nil) == isKnown)
        #expect(abs(step.distance - metres) < 1e-6)
    }

    @Test func polesAndAntimeridian() throws {
        let places = [
            (90.0, 0.0), (90, 180), (-90, 0), (-90, -180), (0, 180), (0, -180), (0, 0), (89.999_999, 12),
            (-0.000_001, -179.999_999), (47, 8),
        ].map { Coordinate(latitude: $0.0, longitude: $0.1)! }
        for from in places {
            for to in places {
                var guidance = Guidance(to: to, arrivalRadius: 5)
                for heading in [0, 359.999, 180, .nan, .infinity, 1e300] {
                    let step = guidance.observe(position: from, trueHeading: heading)
                    #expect(0...20_003_932 ~= step.distance)
                    #expect(step.bearing.map { 0..<360 ~= $0 } ?? (step.distance < 1))
                    #expect(step.relativeAngle.map { -180...180 ~= $0 } ?? (step.distance < 1 || !heading.isFinite))
                }
            }
        }
        // Eastwards over the antimeridian.
        var guidance = Guidance(to: try #require(Coordinate(latitude: 0, longitude: -179.9)), arrivalRadius: 5)
        let start = try #require(Coordinate(latitude: 0, longitude: 179.9))
        #expect(guidance.observe(position: start, trueHeading: 0).arrow == .right)
        #expect(guidance.observe(position: start, trueHeading: 0).bearing == 90)
    }
}
