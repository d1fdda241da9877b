import Testing

@testable import SkerryCore
@testable import skerry

@Suite struct QuantityTests {
    @Test func numbers() {
        let metres = [0, 0.04, 0.05, 0.48, 0.5, 0.96, 2.34, 9.94, 9.96, 12.4, 999.4, 999.6, 18_910, 999_499, 2e11]
        #expect(
            metres.map(Quantity.distance) == [
                "<0.1 m", "<0.1 m", "0.1 m", "0.5 m", "0.5 m", "1.0 m", "2.3 m", "9.9 m", "10 m", "12 m", "999 m",
                "1.0 km", "19 km", "999 km", ">999 km",
            ])
        let seconds: [Int64] = [-5, 0, 59, 60, 3599, 3600, 172_799, 172_800]
        #expect(
            seconds.map { Quantity.duration($0 * 1_000_000 + 999_999) } == [
                "0 s", "0 s", "59 s", "1 min", "59 min", "1 h", "47 h", "2 d",
            ])
        #expect([0.1, 0.25, 1, 4, 32, 1e9].map { BeaconBlock.bar($0, of: 7) } == [7, 7, 5, 3, 0, 0])
    }
}
