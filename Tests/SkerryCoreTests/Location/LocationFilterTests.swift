import Testing

@testable import SkerryCore

@Suite("Filters of fixes")
struct LocationFilterTests {
    private static let begin = Timestamp(iso8601: "2024-06-01T12:00:00Z")!

    /// Which of some fixes pass: metres to the north of a place, seconds after its time.
    private func passed(_ filter: LocationFilter, _ fixes: [(metres: Double, at: Int64)]) -> [Int] {
        var filter = filter
        let place = Coordinate(latitude: 47, longitude: 8)!
        return fixes.indices.filter { index in
            let coordinate = place.destination(bearing: 0, distance: fixes[index].metres)!
            let fix = Fix(
                coordinate: coordinate, horizontalAccuracy: 5, accuracySource: .eph, isThreeDimensional: false,
                isSimulated: false)
            return filter.passes(fix, at: Self.begin + fixes[index].at * .second)
        }
    }

    @Test("distance from the last fix that passed")
    func distance() {
        let walk = [(0.0, Int64(0)), (5, 1), (9.9, 2), (10.001, 3), (19, 4), (5, 5), (0, 6), (0, 7)]
        #expect(passed(LocationFilter(distance: 10), walk) == [0, 3, 6])
        #expect(passed(LocationFilter(), walk) == Array(walk.indices))
        #expect(passed(LocationFilter(distance: -1), walk) == Array(walk.indices))
    }

    @Test("significant changes: 500 m, every five minutes, the first at once")
    func significant() {
        let drive = [
            (0.0, Int64(0)), (600, 10), (700, 299), (700, 300), (1150, 700), (1250, 701), (9000, 1000), (9000, 1001),
        ]
        #expect(passed(.significant, drive) == [0, 3, 5, 7])
    }

    @Test(
        "the age of a first fix",
        arguments: [(-15, true), (-16, false), (15, true), (16, false), (nil, true)] as [(Int64?, Bool)])
    func age(seconds: Int64?, isPassed: Bool) {
        var filter = LocationFilter(oldest: 15 * .second)
        // From the first fix that passes on, age does not count.
        let passed = [seconds, 0, -3600].map { age in
            filter.passes(
                Fix(
                    coordinate: Coordinate(latitude: 47, longitude: 8)!, time: age.map { Self.begin + $0 * .second },
                    horizontalAccuracy: 5, accuracySource: .eph, isThreeDimensional: false, isSimulated: false),
                at: Self.begin)
        }
        #expect(passed == [isPassed, true, true])
    }
}
