/// A group of iBeacons that is monitored and ranged: all of them, those of a UUID, of a UUID and major, or a single one.
public struct BeaconRegion: Equatable, Sendable {
    /// The name of the region that stands for every iBeacon where none was configured.
    public static let everything = "*"
    /// So many different exit times the regions of an engine can have.
    public static let exitTimeLimit = ExitRules.limit

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
    /// Seconds of silence after which a beacon has left it, 1 to 86,400; `nil`: as the profile has it.
    public let exitTime: Double?

    /// A region. A minor without a major, or a major without a UUID, is no region.
    public init?(
        name: String, uuid: ProximityUUID? = nil, major: UInt16? = nil, minor: UInt16? = nil, isMonitored: Bool = true,
        exitTime: Double? = nil
    ) {
        guard minor == nil || major != nil, major == nil || uuid != nil else { return nil }
        if let exitTime { guard 1...86_400 ~= exitTime else { return nil } }
        self.name = name
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.isMonitored = isMonitored
        self.exitTime = exitTime
    }

    /// Whether a beacon belongs to it.
    public func contains(_ identity: BeaconIdentity) -> Bool {
        (uuid ?? identity.uuid) == identity.uuid && (major ?? identity.major) == identity.major
            && (minor ?? identity.minor) == identity.minor
    }
}
