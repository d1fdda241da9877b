import SkerryCore
import Testing

@Suite("Coordinates")
struct CoordinateTests {
    @Test(
        "what is a place",
        arguments: [
            (0.0, 0.0, true), (90, 180, true), (-90, -180, true), (90.000_000_1, 0, false), (0, -180.1, false),
            (.nan, 0, false), (0, .nan, false), (.infinity, 0, false), (0, -.infinity, false),
        ])
    func bounds(latitude: Double, longitude: Double, isPlace: Bool) {
        #expect((Coordinate(latitude: latitude, longitude: longitude) != nil) == isPlace)
    }
}
