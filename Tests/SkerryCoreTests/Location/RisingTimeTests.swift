import Testing

@testable import SkerryCore

@Suite("Times that rise") struct RisingTimeTests {
    private static let day = 86_400.0

    @Test(
        arguments: [
            ([0, 1, 1, 0.5, 2], "nnoon"), ([0, day, 0, 2 * day], "nnon"), ([0, day + 1, 0], "ncc"),
            // Nine late ones that rise are late; the tenth tells of a clock that was set.
            ([100, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "nooooooooocn"),
            ([100, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11], "noooooooooooo"),
            ([100, 1, 2, 3, 4, 5, 101, 6, 7, 8, 9, 10], "nooooonooooo"),
        ] as [([Double], String)])
    func verdicts(seconds: [Double], expected: String) {
        var rising = RisingTime()
        let verdicts = seconds.map { rising.observe(FixTrack.begin + Int64($0 * 1e6)) }
        #expect(verdicts.map { $0 == .newer ? "n" : $0 == .overtaken ? "o" : "c" }.joined() == expected)
    }
}
