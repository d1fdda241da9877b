@testable import SkerryCore

/// A packet and when it was recorded, in seconds.
typealias Timed = (seconds: Double, packet: [UInt8])

/// A btsnoop file, made record by record.
struct BTSnoopFile {
    private(set) var bytes: [UInt8]
    /// 2023-11-14T22:13:20Z
    static let begin = Timestamp(seconds: 1_700_000_000, microseconds: 0)

    init(datalink: UInt32 = 1002) {
        bytes = Array("btsnoop\0".utf8) + .be(UInt32(1)) + .be(datalink)
    }

    /// A file of H4 packets with times in seconds from `begin`.
    init(_ packets: [Timed]) {
        self.init()
        for (seconds, packet) in packets { add(packet, at: seconds) }
    }

    mutating func add(_ packet: [UInt8], at seconds: Double, flags: UInt32 = 0, original: Int? = nil) {
        let micros = Self.begin.microseconds + Int64((seconds * 1e6).rounded())
        bytes += .be(UInt32(original ?? packet.count)) + .be(UInt32(packet.count)) + .be(flags) + .be(UInt32(0))
        bytes += .be(UInt64(bitPattern: micros) &+ 0x00DC_DDB3_0F2F_8000) + packet
    }

    func stream(name: String = "capture") -> CaptureStream { CaptureStream(name: name, bytes: bytes) }
}

/// Packets of H4 as a host and its controller exchange them.
enum Packet {
    static let office = ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")!

    /// A legacy report with an iBeacon.
    static func iBeacon(
        _ uuid: ProximityUUID = office, major: UInt16 = 1, minor: UInt16 = 1, power: Int8 = -59, rssi: Int8 = -59,
        address: UInt64 = 0xC0_00_00_00_00_01
    ) -> [UInt8] {
        let frame: [UInt8] = [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + .be(uuid.high) + .be(uuid.low) + .be(major)
        return report(
            [0x02, 0x01, 0x06] + frame + .be(minor) + [UInt8(bitPattern: power)], rssi: rssi, address: address)
    }

    /// A legacy report with any data.
    static func report(_ data: [UInt8], rssi: Int8 = -59, address: UInt64 = 0xC0_00_00_00_00_01) -> [UInt8] {
        let head: [UInt8] = [0x02, 0x01, 0x03, 0x01] + little(address) + [UInt8(data.count)]
        return event(head + data + [UInt8(bitPattern: rssi)])
    }

    /// An extended report; event type bits 5 and 6 tell whether more data follows.
    static func extended(
        _ data: [UInt8], eventType: UInt16 = 0, set: UInt8 = 1, rssi: Int8 = -59, address: UInt64 = 0xC0_00_00_00_00_01,
        addressType: UInt8 = 1
    ) -> [UInt8] {
        let head: [UInt8] = [0x0D, 0x01] + .le(eventType) + [addressType] + little(address) + [0x01, 0x02, set, 0x7F]
        return event(head + [UInt8(bitPattern: rssi)] + [UInt8](repeating: 0, count: 9) + [UInt8(data.count)] + data)
    }

    /// An LE meta event with its length.
    static func event(_ parameters: [UInt8]) -> [UInt8] { [0x04, 0x3E, UInt8(parameters.count)] + parameters }

    /// Something heard that is no beacon: it only moves the clock.
    static let other = report([0x02, 0x01, 0x06], address: 0xC0_00_00_00_00_FF)

    /// LE Set Scan Enable.
    static func scan(_ isOn: Bool, filter: Bool = false) -> [UInt8] {
        [0x01, 0x0C, 0x20, 0x02, isOn ? 1 : 0, filter ? 1 : 0]
    }

    /// LE Set Extended Scan Enable.
    static func extendedScan(_ isOn: Bool, filter: Bool = false) -> [UInt8] {
        [0x01, 0x42, 0x20, 0x06, isOn ? 1 : 0, filter ? 1 : 0, 0, 0, 0, 0]
    }

    /// LE Set Scan Parameters, passive.
    static func scanParameters(policy: UInt8) -> [UInt8] {
        [0x01, 0x0B, 0x20, 0x07, 0x00, 0x60, 0x00, 0x60, 0x00, 0x00, policy]
    }

    /// LE Set Extended Scan Parameters, passive on LE 1M.
    static func extendedScanParameters(policy: UInt8) -> [UInt8] {
        [0x01, 0x41, 0x20, 0x08, 0x00, policy, 0x01, 0x00, 0x60, 0x00, 0x60, 0x00]
    }

    static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]

    /// Command Complete.
    static func complete(_ opcode: UInt16, status: UInt8) -> [UInt8] {
        [0x04, 0x0E, 0x04, 0x01] + .le(opcode) + [status]
    }

    private static func little(_ address: UInt64) -> [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: address >> (8 * $0)) }
    }
}
