/// A source of advertisements, by number in order of appearance.
public struct SourceID: Hashable, BitwiseCopyable, Sendable {
    /// The number.
    public let rawValue: UInt16

    @inline(__always)
    init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// One thing that happened, on the one ordered bus that all outputs read.
public struct Event: Sendable {
    /// When it was measured or decided, on the clock of the input; `nil` where an input without records gives no time.
    public let time: Timestamp?
    /// Where it comes from; `nil` for derived events.
    public let source: SourceID?
    /// What it is.
    public let content: Content

    /// The kinds of events with what each says.
    ///
    /// Only advertisements, which are many, lie in the event itself; the others would make it ten times as long.
    public enum Content: Sendable {
        /// The first event of a run.
        indirect case start(Start)
        /// A beacon frame was heard.
        case advertisement(Advertisement)
        /// How near the beacons of a region are.
        indirect case ranging(Ranging)
        /// A region changed its state, or it was determined.
        indirect case region(RegionTransition)
        /// A source of advertisements changed its state.
        indirect case scanner(ScannerState, detail: String?)
        /// Something of the outside world went wrong.
        indirect case error(Fault)
        /// The last event of a run.
        indirect case statistics(Statistics)
    }

    @inline(__always)
    init(time: Timestamp?, source: SourceID? = nil, _ content: Content) {
        self.time = time
        self.source = source
        self.content = content
    }

    /// The kind, for `--events`.
    public var kind: EventKind {
        switch content {
        case .start: .start
        case .advertisement: .advertisement
        case .ranging: .ranging
        case .region: .region
        case .scanner: .scanner
        case .error: .error
        case .statistics: .statistics
        }
    }
}

/// The kinds of events, in the order of the documentation.
public enum EventKind: String, CaseIterable, Sendable {
    /// The first event of a run.
    case start
    /// A beacon frame was heard.
    case advertisement
    /// How near the beacons of a region are.
    case ranging
    /// A region changed its state.
    case region
    /// A source changed its state.
    case scanner
    /// Something went wrong.
    case error
    /// The last event of a run.
    case statistics
}

/// A set of kinds of events.
public struct EventKinds: OptionSet, Sendable {
    /// A bit for each kind.
    public let rawValue: UInt16

    /// A set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The set of one kind.
    @inline(__always)
    public init(_ kind: EventKind) { rawValue = 1 << UInt16(kind.number) }

    /// All kinds but advertisements, which are many.
    public static let standard = EventKinds(EventKind.allCases.filter { $0 != .advertisement }.map(EventKinds.init))
}

/// What a run begins with.
public struct Start: Sendable {
    /// The program's version.
    public var version: String
    /// The subcommand.
    public var command: String
    /// The estimator and exit rules.
    public var profile: Profile
    /// Name and kind of each input.
    public var sources: [(name: String, kind: String)]
    /// What is monitored.
    public var regions: [BeaconRegion]
}

/// A beacon frame as one source heard it.
public struct Advertisement: Sendable {
    /// Who sent it.
    public var address: DeviceAddress
    /// The kind of the address.
    public var addressType: AddressType
    /// dBm, -127…+20; `nil` where unavailable.
    public var rssi: Int8?
    /// What was on the air.
    public var pdu: AdvertisingPDU
    /// `nil` where unknown.
    public var phy: PHY?
    /// The frame.
    public var beacon: Beacon
    /// Bytes that follow an iBeacon's frame in its AD structure; `nil` where there are none.
    public var extra: [UInt8]?
}

/// A report on the beacons of a region.
public struct Ranging: Sendable {
    /// At most this many beacons are listed; the nearest are.
    public static let limit = 4096

    /// The region's number.
    public var region: Int
    /// Nearest first.
    public var beacons: [RangedBeacon]
    /// Beacons known but not listed.
    public var omitted: Int
}

/// A beacon in a ranging report.
public struct RangedBeacon: Sendable {
    /// Which.
    public var identity: BeaconIdentity
    /// The zone.
    public var proximity: Proximity
    /// Estimated distance in metres; `nil` where unknown.
    public var accuracy: Double?
    /// One standard deviation of the distance, as a factor to both sides; `nil` where unknown.
    public var spread: Double?
    /// Mean since the last report, dBm; `nil` where not heard.
    public var rssi: Double?
    /// Sightings since the last report.
    public var samples: UInt32
    /// When last heard.
    public var lastSeen: Timestamp
    /// Whether the measured power can't be an RSSI at 1 m and the default was used.
    public var hasImplausibleMeasuredPower: Bool
}

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
}

/// The state of a source of advertisements.
public enum ScannerState: String, Sendable {
    /// It hears what is on the air.
    case listening
    /// Its scan is off.
    case paused
    /// It has nothing more to say.
    case ended
}

/// Something of the outside world that went wrong.
public struct Fault: Sendable {
    /// What it concerns.
    public enum Domain: String, Sendable {
        /// Reading a capture.
        case capture
    }

    /// What it concerns.
    public var domain: Domain
    /// A word for programs.
    public enum Name: String, Sendable {
        /// A part of it was passed over.
        case damaged
        /// It ends in the middle of a record.
        case cut
        /// It can't be read any further.
        case unreadable
    }

    /// What happened.
    public var name: Name
    /// A sentence for people.
    public var message: String
    /// Whether the stream goes on.
    public var isRecoverable: Bool
}

extension RangedBeacon {
    /// The order of a report: known accuracy ascending, then RSSI descending, then unknown; ties by identity.
    public func isNearer(than other: RangedBeacon) -> Bool {
        switch (accuracy, other.accuracy) {
        case (let mine?, let its?) where mine != its: return mine < its
        case (_?, nil): return true
        case (nil, _?): return false
        default: break
        }
        switch (rssi, other.rssi) {
        case (let mine?, let its?) where mine != its: return mine > its
        case (_?, nil): return true
        case (nil, _?): return false
        default: return identity < other.identity
        }
    }

    /// One of each identity: the nearest decides, and the latest sighting of any source is the last.
    static func nearestOfEach(_ all: [RangedBeacon]) -> [RangedBeacon] {
        var merged: [RangedBeacon] = []
        for beacon in all.sorted(by: { $0.identity != $1.identity ? $0.identity < $1.identity : $0.isNearer(than: $1) })
        {
            if let last = merged.indices.last, merged[last].identity == beacon.identity {
                merged[last].lastSeen = max(merged[last].lastSeen, beacon.lastSeen)
            } else {
                merged.append(beacon)
            }
        }
        return merged
    }
}
