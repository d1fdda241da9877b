import Testing

@testable import SkerryCore

@Suite struct PacketLoggerTests {
    /// From an iPhone: a command, then an extended report; what follows was never sent, but fits the table.
    private static let report =
        "3e2b0d01132600721e5ff570400100ff7fcd0000000000000000001102011a020a0c0aff4c0010050318a47f41"

    @Test func recordsAreRead() throws {
        let contents = try Contents(
            hex: "0000000e 5edfaba3 000088b8 00 1cfd025100" + "00000036 5edfaba4 000ba478 01" + Self.report)
        #expect(contents.kind == "packetlogger")
        #expect(
            contents.records == [
                .init(time: "2020-06-09T15:32:51.035000Z", link: .hci(.command), payload: "1cfd025100"),
                .init(time: "2020-06-09T15:32:52.763000Z", link: .hci(.event), payload: Self.report),
            ])
        #expect(contents.end == nil)
    }

    @Test func bothByteOrdersAreRead() throws {
        let contents = try Contents(hex: "0e000000 a3abdf5e b8880000 00 1cfd025100")
        #expect(
            contents.records == [
                .init(time: "2020-06-09T15:32:51.035000Z", link: .hci(.command), payload: "1cfd025100")
            ])
    }

    @Test(
        arguments: [
            (0x00, .command), (0x01, .event), (0x02, .data), (0x03, .data), (0x08, .data), (0x09, .data),
            (0x0A, .other),
            (0xFB, .other), (0xFC, .other), (0xFF, .other),
        ] as [(UInt8, HCIPacket.Kind)])
    func theKindOfEachRecordIsTold(byte: UInt8, kind: HCIPacket.Kind) throws {
        let contents = try Contents([UInt8](hex: "0000000b 5edfaba3 00000000") + [byte] + [UInt8](hex: "3e00"))
        #expect(contents.records.map(\.link) == [.hci(kind)])
        #expect(contents.records.map(\.payload) == ["3e00"])
    }

    @Test func aRecordWithoutPayloadIsARecord() throws {
        let contents = try Contents(hex: "00000009 5edfaba3 00000000 01 00000009 5edfaba4 00000000 01")
        #expect(contents.records.map(\.payload) == ["", ""])
    }

    @Test(arguments: 1..<18)
    func aFileThatEndsWithinARecordKeepsTheRecordsBefore(missing: Int) throws {
        let bytes = [UInt8](hex: "0000000e5edfaba3000088b8001cfd0251000000000e5edfaba4000088b8001cfd025100")
        let contents = try Contents(Array(bytes.dropLast(missing)))
        #expect(contents.records.count == 1)
        #expect(contents.end?.contains("of at least") == true)
    }

    @Test func aLengthThatCannotBeIsNotFollowed() throws {
        let record = "00000009 5edfaba3 00000000 01"
        let contents = try Contents(hex: String(repeating: record, count: 8) + "00000008 5edfaba3 00000000 01")
        #expect(contents.records.count == 8)
        #expect(contents.end?.contains("a record of 8 bytes") == true)
    }
}
