/// A group of iBeacons that is monitored and ranged: all of them, those of a UUID, of a UUID and major, or a single one.
public struct BeaconRegion: Equatable, Sendable {
    /// The name of the region that stands for every iBeacon where none was configured.
    public static let everything = "*"

    /// What events call it.
    public let name: String
    /// `nil`: any.
    public let uuid: ProximityUUID?
    /// `nil`: any. Only with a UUID.
    public let major: UInt16?
    /// `nil`: any. Only with a major.
    public let minor: UInt16?
    /// Whether entering and leaving are events; the region of everything is only ranged.
    public let isMonitored: Bool

    /// A region. A minor without a major, or a major without a UUID, is no region.
    public init?(
        name: String, uuid: ProximityUUID? = nil, major: UInt16? = nil, minor: UInt16? = nil, isMonitored: Bool = true
    ) {
        guard minor == nil || major != nil, major == nil || uuid != nil else { return nil }
        self.name = name
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.isMonitored = isMonitored
    }
}

/// Whether a beacon of a region is near.
public enum RegionState: Sendable {
    /// Not determined yet.
    case unknown
    /// In it.
    case inside
    /// Not in it.
    case outside

    /// The name in events.
    public var name: StaticString {
        switch self {
        case .unknown: "unknown"
        case .inside: "inside"
        case .outside: "outside"
        }
    }
}
