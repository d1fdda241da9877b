import Testing

@testable import skerry

@Suite struct HexDigitsTests {
    @Test(
        arguments: [
            ("", []), ("0201", [2, 1]), ("02 01\t06\r", [2, 1, 6]), ("0 2", [2]), ("02:01:0A", [2, 1, 10]),
            ("02-01-fF", [2, 1, 255]), ("0x0201", [2, 1]), ("0X02 0x01", [2, 1]), ("0x02:0x01", [2, 1]), ("00", [0]),
        ] as [(String, [UInt8])])
    func bytes(text: String, expected: [UInt8]) throws {
        #expect(try HexDigits.bytes(text) == expected)
    }

    @Test(
        arguments: [
            ("021", "an odd number of hexadecimal digits"), ("0x2", "an odd number of hexadecimal digits"),
            ("02:1:06", "half a byte before ':' at column 5"), ("0g", "'g' at column 2 is not a hexadecimal digit"),
            ("020x01", "'x' at column 4 is not a hexadecimal digit"),
            ("0 x01", "'x' at column 3 is not a hexadecimal digit"),
            ("1x01", "'x' at column 2 is not a hexadecimal digit"),
        ])
    func refusals(text: String, reason: String) {
        #expect(throws: UsageError(reason)) { try HexDigits.bytes(text) }
    }
}
