/// What the decision about a beacon region rests on. Times in microseconds.
public struct BeaconEvidence: Equatable, Sendable {
    /// When the beacon was last heard; `nil` where none was.
    public var lastSeen: Timestamp?
    /// Listened time without it.
    public var silence: Int64
    /// The silence that means an exit.
    public var timeout: Int64
    /// What that follows from.
    public var basis: ExitBasis
    /// Sightings since the beacon became known.
    public var samples: UInt32
    /// The share of the time since `lastSeen` in which the scanner could hear, 0…1.
    public var listening: Double
}
