import Testing

@testable import SkerryCore

@Suite("Circular regions") struct CircularRegionTests {
    private static let centre = Coordinate(latitude: 47, longitude: 8)!

    @Test(arguments: [
        (100.0, true), (0.001, true), (.leastNonzeroMagnitude, true), (20_003_931.4586, true), (20_003_932, false),
        (0, false), (-0.0, false), (-1, false), (.nan, false), (.infinity, false), (-.infinity, false),
    ])
    func radius(_ metres: Double, isRegion: Bool) {
        let region = CircularRegion(name: "home", centre: Self.centre, radius: metres)
        #expect((region != nil) == isRegion)
        #expect(region.map { $0.radius == metres } ?? true)
    }

    @Test func defaults() throws {
        let region = try #require(CircularRegion(name: "home", centre: Self.centre, radius: 100))
        #expect(region.name == "home" && region.centre == Self.centre)
        #expect(region.notifyOnEntry && region.notifyOnExit)
        #expect(CircularRegion(name: "", centre: Self.centre, radius: 100) == nil)
    }

    /// From pole to pole, and no place is farther away.
    @Test func theGreatestRadiusHoldsEveryPlace() throws {
        let poles = [90.0, -90].map { Coordinate(latitude: $0, longitude: 0)! }
        #expect(abs(poles[0].distance(to: poles[1]) - CircularRegion.greatestRadius) < 1e-3)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1000 {
            let places = (0..<2).map { _ in
                Coordinate(
                    latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))!
            }
            #expect(places[0].distance(to: places[1]) <= CircularRegion.greatestRadius)
        }
    }
}
