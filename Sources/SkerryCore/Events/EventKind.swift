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
    /// Where the device is.
    case location
    /// Where it points.
    case heading
    /// The way to the destination.
    case guidance
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

extension EventKind {
    /// Its place among all.
    @inline(__always)
    var number: Int {
        switch self {
        case .start: 0
        case .advertisement: 1
        case .ranging: 2
        case .region: 3
        case .location: 4
        case .heading: 5
        case .guidance: 6
        case .scanner: 7
        case .error: 8
        case .statistics: 9
        }
    }
}

extension EventKinds {
    /// On the path of every report.
    static let advertisement = EventKinds(.advertisement)
    /// What depends on the beacons that are known: deafness of a scanner does, and so do the evicted that are counted.
    static let ofKnownBeacons: EventKinds = [.init(.ranging), .init(.region), .init(.scanner), .init(.statistics)]
}
