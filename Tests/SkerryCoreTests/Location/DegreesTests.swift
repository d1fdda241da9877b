import Testing

@testable import SkerryCore

@Suite("Directions") struct DegreesTests {
    @Test(arguments: [
        (0.0, 0.0), (-0.0, 0), (360, 0), (-360, 0), (720, 0), (359.9, 359.9), (-1, 359), (361, 1), (-1e-300, 0),
        (3_600_000_090, 90),
    ])
    func direction(_ degrees: Double, _ expected: Double) {
        #expect(degrees.direction == expected)
        #expect(degrees.direction.sign == .plus)
        #expect(0..<360 ~= degrees.direction)
    }

    @Test(arguments: [
        (359.0, 1.0, 2.0), (1, 359, -2), (0, 180, 180), (180, 0, 180), (10, 10, 0), (90, 0, -90), (0, 360, 0),
        (350, 170, 180), (0, 180.5, -179.5),
    ])
    func turn(from: Double, to: Double, expected: Double) { #expect(from.turn(to: to) == expected) }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func noDirection(_ number: Double) {
        #expect(number.direction.isNaN)
        #expect(number.turn(to: 1).isNaN)
    }
}
