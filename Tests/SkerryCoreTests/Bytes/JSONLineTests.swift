import Testing

@testable import SkerryCore

@Suite struct JSONLineTests {
    private func written(_ write: (inout JSONLine) -> Void) -> String {
        var line = JSONLine(capacity: 1)
        write(&line)
        return line.takeString()
    }

    @Test(
        arguments: [
            ("", "\"\""), ("hci0", "\"hci0\""), ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#), ("a/b", "\"a/b\""),
            ("\u{01}", #""\u0001""#), ("\u{1F}", #""\u001f""#), ("\u{7F}", #""\u007f""#), ("\n\r\t", #""\n\r\t""#),
            ("\0", #""\u0000""#), ("Bäckerei 🥐", "\"Bäckerei 🥐\""), ("\u{2028}", "\"\u{2028}\""),
        ] as [(String, String)])
    func stringsAreEscaped(text: String, expected: String) {
        #expect(written { $0.string(text) } == expected)
        #expect(JSONText(expected) == .string(text))
    }

    @Test func anyStringIsReadBackAsItWas() {
        var generator = SeededGenerator(seed: 23)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                UInt8.random(in: 0...(Bool.random(using: &generator) ? 0x2F : 0xFF), using: &generator)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(JSONText(written { $0.string(text) }) == .string(text))
        }
    }

    @Test(
        arguments: [
            (0, "0"), (9, "9"), (10, "10"), (-1, "-1"), (65_535, "65535"), (-128, "-128"),
            (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
        ] as [(Int64, String)])
    func wholeNumbersAreWrittenInFull(value: Int64, expected: String) {
        #expect(written { $0.integer(value) } == expected)
        #expect(written { $0.unsigned(value.magnitude) } == expected.drop { $0 == "-" })
    }

    @Test(
        arguments: [
            (0, 2, "0"), (-0.0, 2, "0"), (1, 2, "1"), (1.5, 2, "1.5"), (1.25, 1, "1.3"), (-1.25, 1, "-1.3"),
            (0.005, 2, "0.01"),
            (0.125, 2, "0.13"), (-0.125, 2, "-0.13"), (0.004, 2, "0"), (-0.004, 2, "0"), (100, 0, "100"), (0.5, 0, "1"),
            (-0.5, 0, "-1"), (1e-9, 9, "0.000000001"), (122_070.2, 1, "122070.2"), (0.1 + 0.2, 6, "0.3"),
            (1.005, 6, "1.005"),
            (10.01, 2, "10.01"), (8_999_999_999, 0, "8999999999"), (0.99999, 3, "1"), (-59.96, 1, "-60"),
        ] as [(Double, Int, String)])
    func decimalsAreRoundedAwayFromZeroWithoutTrailingZeros(value: Double, decimals: Int, expected: String) {
        #expect(written { $0.decimal(value, decimals: decimals) } == expected)
    }

    @Test func anyDecimalIsANumberOfJSONNearTheValue() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let decimals = Int.random(in: 0...9, using: &generator)
            let value =
                Double.random(in: -9e9...9e9, using: &generator) / [1, 1e3, 1e9, 1e15].randomElement(using: &generator)!
            let text = written { $0.decimal(value, decimals: decimals) }
            guard case .number(text) = JSONText(text) else {
                Issue.record("\(value) as \(text)")
                continue
            }
            var step = 1.0
            for _ in 0..<decimals { step /= 10 }
            #expect(abs(Double(text)! - value) <= step * 0.500_001 + abs(value) * 1e-15, "\(value) as \(text)")
        }
    }

    @Test(
        arguments: [
            (0x0102_0304_0506, "01:02:03:04:05:06"), (0xC055_4433_2210, "C0:55:44:33:22:10"),
            (0xFFFF_FFFF_FFFF, "FF:FF:FF:FF:FF:FF"), (0, "00:00:00:00:00:00"),
        ] as [(UInt64, String)])
    func addressesAreWrittenMostSignificantByteFirst(bits: UInt64, expected: String) {
        #expect(written { $0.address(DeviceAddress(bits: bits)) } == expected)
    }

    @Test func membersFollowAComma() {
        #expect(
            written { line in
                line.member("whole", 7 as Int64)
                line.member("part", 7.5, decimals: 1)
                line.member("text", "a\"" as String)
                line.member("word", "far" as StaticString)
                line.member("bytes", hex: [0xAB, 0x01] as [UInt8])
            } == #","whole":7,"part":7.5,"text":"a\"","word":"far","bytes":"ab01""#)
    }

    @Test func theBufferGrowsAndForgets() {
        var line = JSONLine(capacity: 1)
        for _ in 0..<1000 { line.literal("0123456789") }
        #expect(line.count == 10_000)
        line.removeAll(from: 4)
        line.literal("x")
        #expect(line.takeString() == "0123x")
        #expect(line.count == 0)
    }

    /// A local name as devices send it: control characters, a quote, a backslash.
    @Test(arguments: ["01", "22", "5c", "1f", "7f", "00", "ff", "0a", "225c01"])
    func aDevicesNameLeavesTheLineOfItsBeaconValid(name: String) throws {
        let bytes = [UInt8](hex: name)
        let frame = Array(Packet.iBeacon().dropFirst(17).dropLast())
        let data = [UInt8(bytes.count + 1), 0x09] + bytes + frame
        let playback = try Playback([(0, Packet.extended(data, eventType: 0x13)), (1, Packet.other)])
        #expect(playback.advertisements.count == 1)
        for line in playback.lines() + [explain(data, .ad)] { #expect(JSONText(line) != nil, "\(line)") }
    }

    /// Names that end up in events: of a region, and of a source.
    @Test func anyNamesGiveValidLines() throws {
        var generator = SeededGenerator(seed: 230)
        for _ in 0..<50 {
            let names = (0..<2).map { _ in String(decoding: generator.bytes(9), as: UTF8.self) }
            let region = BeaconRegion(name: names[0], uuid: Packet.office)!
            let playback = try Playback(
                [BTSnoopFile([(0, Packet.iBeacon()), (2, Packet.other)]).stream(name: names[1])], regions: [region])
            for text in playback.lines() {
                let line = try #require(JSONText(text), "\(text)")
                if let name = line["region"] { #expect(name == .string(names[0])) }
                if let source = line["source"] { #expect(source == .string(names[1])) }
            }
        }
    }
}
