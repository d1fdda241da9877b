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
    /// Only advertisements, which are many, lie in the event itself, and hold no reference; the others would make it
    /// ten times as long.
    public enum Content: Sendable {
        /// The first event of a run.
        indirect case start(Start)
        /// A beacon frame was heard.
        case advertisement(Advertisement)
        /// A beacon frame was heard of which more is to be told: the bytes behind an iBeacon's in its AD structure,
        /// or the place.
        indirect case annotatedAdvertisement(Advertisement, extra: [UInt8]?, geotag: Geotag?)
        /// How near the beacons of a region are.
        indirect case ranging(Ranging)
        /// A region changed its state, or it was determined.
        indirect case region(RegionTransition)
        /// A receiver knows where it is.
        indirect case location(Fix)
        /// A compass knows where it points.
        indirect case heading(Heading)
        /// The way to the destination.
        indirect case guidance(Guidance.Step)
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

    /// The beacon frame that was heard; `nil` of other kinds.
    public var advertisement: Advertisement? {
        switch content {
        case .advertisement(let advertisement), .annotatedAdvertisement(let advertisement, _, _): advertisement
        default: nil
        }
    }

    /// The kind, for `--events`.
    public var kind: EventKind {
        switch content {
        case .start: .start
        case .advertisement, .annotatedAdvertisement: .advertisement
        case .ranging: .ranging
        case .region: .region
        case .location: .location
        case .heading: .heading
        case .guidance: .guidance
        case .scanner: .scanner
        case .error: .error
        case .statistics: .statistics
        }
    }
}
