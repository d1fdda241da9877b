import Testing

@testable import SkerryCore

/// Packets of the monitor channel of Linux 6.1, as a scripted controller made them.
struct MonitorPacketTests {
    @Test(
        arguments: [
            (
                "00 00 00 00 10 00 00 00 01 02 53 00 5E 00 68 63 69 30 00 00 00 00",
                MonitorPacket.Content.added(name: "hci0", address: DeviceAddress(bits: 0x005E_0053_0201))
            ),
            ("01 00 02 00 00 00", .removed), ("08 00 00 00 00 00", .opened), ("09 00 00 00 00 00", .closed),
            ("02 00 00 00 09 00 42 20 06 01 00 00 00 00 00", .packet),
            ("03 00 00 00 06 00 0E 04 01 42 20 00", .packet),
            ("0A 00 00 00 08 00 01 02 53 00 5E 00 F1 05", .other),
            ("0C 00 FF FF 04 00 4C 69 6E 75", .other),
            // A name that is missing.
            ("00 00 00 00 04 00 00 00 01 02", .other),
        ])
    func contentIsTold(bytes: String, content: MonitorPacket.Content) throws {
        let bytes = Self.bytes(bytes)
        let isSo = MonitorPacket(bytes.rawSpan)?.content == content
        #expect(isSo)
    }

    @Test func packetsAreThoseOfAnAdapter() throws {
        let command = Self.bytes("02 00 03 00 09 00 42 20 06 01 00 00 00 00 00 FF")
        guard let packet = MonitorPacket(command.rawSpan) else {
            Issue.record("no packet")
            return
        }
        #expect(packet.adapter == 3)
        let (kind, body) = (packet.packet.kind, [UInt8](packet.packet.bytes))
        #expect(kind == .command)
        #expect(body == Array(command[6..<15]))
        let (setsScan, reportsAdvertising) = (packet.packet.setsScan, packet.packet.reportsAdvertising)
        #expect(setsScan && !reportsAdvertising)
    }

    @Test func whatIsShorterThanItsHeaderIsNone() {
        let bytes = Self.bytes("03 00 00 00 06")
        let isNone = if MonitorPacket(bytes.rawSpan) == nil { true } else { false }
        #expect(isNone)
    }

    private static func bytes(_ text: String) -> [UInt8] {
        text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
}
