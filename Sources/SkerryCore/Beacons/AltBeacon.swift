/// The open AltBeacon frame: any company, code BE AC, 20 bytes of identifier, power, one byte of the maker's own
/// (AltBeacon Protocol Specification 1.0).
public struct AltBeacon: BeaconFormat {
    static let formatName: StaticString = "altbeacon"

    /// Company identifier (Assigned Numbers, 7).
    public let manufacturer: UInt16
    /// The first identifier, by custom a UUID.
    public let id1: ProximityUUID
    /// The second identifier.
    public let id2: UInt16
    /// The third identifier.
    public let id3: UInt16
    /// RSSI at 1 m as the beacon claims it, dBm.
    public let measuredPower: Int8
    /// The maker's own byte.
    public let data: UInt8

    /// The frame in manufacturer data that begins with the company; at least 26 bytes.
    init?(manufacturerData bytes: RawSpan) {
        guard bytes.byteCount >= 26, bytes.be16(2) == 0xBEAC else { return nil }
        manufacturer = bytes.le16(0)
        id1 = bytes.uuid(4)
        id2 = bytes.be16(20)
        id3 = bytes.be16(22)
        measuredPower = bytes.signed(24)
        data = bytes.byte(25)
    }

    func writeMembers(to line: inout JSONLine) {
        line.literal(",\"id1\":\"")
        line.uuid(id1)
        line.literal("\"")
        line.member("id2", Int64(id2))
        line.member("id3", Int64(id3))
        line.member("manufacturer", Int64(manufacturer))
        line.member("measuredPower", Int64(measuredPower))
        line.member("data", Int64(data))
    }
}
