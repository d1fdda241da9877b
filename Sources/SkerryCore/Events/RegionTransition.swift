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
        /// Nothing was heard for the exit time, or no fix came for the time after which a place counts no more.
        case silence
        /// Too many beacons were known at once, and this one's exit would have come first.
        case capacity
        /// A fix came.
        case location
        /// An earlier run knew it.
        case restored

        /// The name in events.
        var name: StaticString {
            switch self {
            case .advertisement: "advertisement"
            case .silence: "silence"
            case .capacity: "capacity"
            case .location: "location"
            case .restored: "restored"
            }
        }
    }

    /// What a region is made of.
    public enum Kind: Sendable {
        /// Beacons.
        case beacon
        /// A circle on the ground.
        case circular

        /// The name in events.
        var name: StaticString {
            switch self {
            case .beacon: "beacon"
            case .circular: "circular"
            }
        }
    }

    /// What the decision rests on, and with it the kind of the region.
    public enum Evidence: Equatable, Sendable {
        /// Of a beacon region.
        case beacon(BeaconEvidence)
        /// Of a circular region.
        case circle(CircleEvidence)
        /// Of either: until when an earlier run knew it.
        case saved(Kind, until: Timestamp)
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

    /// What the region is made of.
    public var kind: Kind {
        switch evidence {
        case .beacon: .beacon
        case .circle: .circular
        case .saved(let kind, _): kind
        }
    }
}
