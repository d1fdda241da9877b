/// What identifies an iBeacon: the three numbers that regions are made of.
public struct BeaconIdentity: Hashable, BitwiseCopyable, Sendable {
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

    /// All three numbers are the same.
    @inline(__always)
    public static func == (a: BeaconIdentity, b: BeaconIdentity) -> Bool {
        a.uuid.high == b.uuid.high && a.uuid.low == b.uuid.low && a.major == b.major && a.minor == b.minor
    }
}

extension BeaconIdentity: Comparable {
    /// By UUID, major, minor.
    public static func < (a: BeaconIdentity, b: BeaconIdentity) -> Bool {
        (a.uuid.high, a.uuid.low, a.major, a.minor) < (b.uuid.high, b.uuid.low, b.major, b.minor)
    }
}

/// Apple's proximity beacon: company 0x004C, type 02, length 15 hexadecimal, then UUID, major, minor and measured power
/// (Apple, Proximity Beacon Specification, release R1).
public struct IBeacon: BeaconFormat {
    static let formatName: StaticString = "ibeacon"
    /// From the company on.
    static let length = 25

    /// UUID, major and minor.
    public let identity: BeaconIdentity
    /// RSSI at 1 m as the beacon claims it, dBm.
    public let measuredPower: Int8

    /// The frame in manufacturer data that begins with the company. More bytes may follow it: some makers put a battery
    /// level there.
    @inline(__always)
    init?(manufacturerData data: RawSpan) {
        guard data.byteCount >= Self.length, data.be32(0) == 0x4C00_0215 else { return nil }
        identity = BeaconIdentity(uuid: data.uuid(4), major: data.be16(20), minor: data.be16(22))
        measuredPower = data.signed(24)
    }

    func writeMembers(to line: inout JSONLine) { line.write(atMost: 128) { writeMembers(to: &$0) } }

    @inline(__always)
    func writeMembers(to cursor: inout LineCursor) {
        cursor.literal(",\"uuid\":\"")
        cursor.uuid(identity.uuid)
        cursor.literal("\",\"major\":")
        cursor.unsigned(UInt64(identity.major))
        cursor.literal(",\"minor\":")
        cursor.unsigned(UInt64(identity.minor))
        cursor.literal(",\"measuredPower\":")
        cursor.level(measuredPower)
    }
}
