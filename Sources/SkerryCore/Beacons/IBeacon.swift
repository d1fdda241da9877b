/// What identifies an iBeacon: the three numbers that regions are made of.
public struct BeaconIdentity: Hashable, Sendable {
    /// The identifier that an organisation's beacons share.
    public let uuid: ProximityUUID
    /// The group, 0…65535; 0 is a value like any other.
    public let major: UInt16
    /// The beacon in the group, 0…65535.
    public let minor: UInt16

    /// An identity from its three numbers.
    @inline(__always)
    public init(uuid: ProximityUUID, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }
}

/// Apple's proximity beacon: company 0x004C, type 02, length 15 hexadecimal, then UUID, major, minor and measured power
/// (Apple, Proximity Beacon Specification, release R1).
public struct IBeacon: BeaconFormat {
    public static let formatName: StaticString = "ibeacon"

    /// UUID, major and minor.
    public let identity: BeaconIdentity
    /// RSSI at 1 m as the beacon claims it, dBm.
    public let measuredPower: Int8
    /// Bytes that follow the frame in its AD structure; some makers put a battery level there.
    public let extra: [UInt8]?

    /// The frame in manufacturer data that begins with the company; at least 25 bytes.
    @inline(__always)
    init?(manufacturerData data: RawSpan) {
        guard data.byteCount >= 25, data.be32(0) == 0x4C00_0215 else { return nil }
        identity = BeaconIdentity(uuid: data.uuid(4), major: data.be16(20), minor: data.be16(22))
        measuredPower = data.signed(24)
        extra = data.byteCount == 25 ? nil : Array(data.extracting(droppingFirst: 25))
    }

    @inline(__always)
    public func writeMembers(to line: inout JSONLine) {
        line.literal(",\"uuid\":\"")
        line.uuid(identity.uuid)
        line.literal("\",\"major\":")
        line.integer(Int64(identity.major))
        line.literal(",\"minor\":")
        line.integer(Int64(identity.minor))
        line.literal(",\"measuredPower\":")
        line.integer(Int64(measuredPower))
        if let extra { line.member("extra", hex: extra) }
    }
}
