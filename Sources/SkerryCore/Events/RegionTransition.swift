/// A region's change of state.
public struct RegionTransition: Sendable {
    /// What changed.
    public enum Transition: Sendable {
        /// Now inside.
        case enter
        /// No longer inside.
        case exit
        /// The state became known without a change.
        case determined

        /// The name in events.
        var name: StaticString {
            switch self {
            case .enter: "enter"
            case .exit: "exit"
            case .determined: "determined"
            }
        }
    }

    /// What decided.
    public enum Reason: Sendable {
        /// An advertisement was heard.
        case advertisement
        /// Nothing was heard for the exit time.
        case silence
        /// Too many beacons were known at once, and this one was silent for longest.
        case capacity

        /// The name in events.
        var name: StaticString {
            switch self {
            case .advertisement: "advertisement"
            case .silence: "silence"
            case .capacity: "capacity"
            }
        }
    }

    /// What the decision rests on. Times in microseconds.
    public struct Evidence: Sendable {
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
        /// The share of the time since then in which the scanner could hear, 0…1.
        public var listening: Double
    }

    /// The region's number.
    public var region: Int
    /// What changed.
    public var transition: Transition
    /// Now.
    public var state: RegionState
    /// Before.
    public var from: RegionState
    /// The beacon that decided; `nil` where none was heard.
    public var by: BeaconIdentity?
    /// What decided.
    public var reason: Reason
    /// What the decision rests on.
    public var evidence: Evidence
    /// Where the device was; `nil` where nothing is known.
    public var geotag: Geotag?
}
