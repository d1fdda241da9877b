/// What can be wrong with the bytes of an event, a report or a link-layer PDU. Each is counted, none is fatal.
public enum Malformation: Int, CaseIterable, Sendable {
    /// An AD structure runs past the data.
    case adLengthOverrun
    /// Data goes on after a zero-length AD structure, which ends it.
    case adNonzeroAfterZeroLength
    /// A legacy or directed report does not fit its event.
    case legacyReportTruncated
    /// An extended report does not fit its event.
    case extendedReportTruncated
    /// An advertising event without its count of reports.
    case noNumReports
    /// The packet ends before the event's parameter length does.
    case eventShorterThanItsLength
    /// Parameters go on after the last report.
    case bytesAfterReports
    /// The packet goes on after the event's parameter length.
    case bytesAfterEvent
    /// A link-layer PDU ends before its length does.
    case linkLayerPduTruncated
    /// A link-layer PDU too short for the fields of its type.
    case linkLayerPduShort
    /// A link-layer PDU whose CRC is wrong or missing.
    case badCrc

    /// The name in `statistics`.
    public var name: StaticString {
        switch self {
        case .adLengthOverrun: "adLengthOverrun"
        case .adNonzeroAfterZeroLength: "adNonzeroAfterZeroLength"
        case .legacyReportTruncated: "legacyReportTruncated"
        case .extendedReportTruncated: "extendedReportTruncated"
        case .noNumReports: "noNumReports"
        case .eventShorterThanItsLength: "eventShorterThanItsLength"
        case .bytesAfterReports: "bytesAfterReports"
        case .bytesAfterEvent: "bytesAfterEvent"
        case .linkLayerPduTruncated: "linkLayerPduTruncated"
        case .linkLayerPduShort: "linkLayerPduShort"
        case .badCrc: "badCrc"
        }
    }
}

/// How often each malformation was met.
public struct MalformationCounts: Equatable, Sendable {
    private var counts = InlineArray<11, UInt64>(repeating: 0)

    /// Nothing met yet.
    public init() {}

    /// How often one was met.
    public subscript(reason: Malformation) -> UInt64 {
        get { counts[reason.rawValue] }
        set { counts[reason.rawValue] = newValue }
    }

    /// What was wrong with an event was met.
    mutating func count(_ faults: EventFaults) {
        if let fault = faults.length { self[fault] += 1 }
        if let fault = faults.reports { self[fault] += 1 }
    }

    /// Each was met as often.
    public static func == (a: MalformationCounts, b: MalformationCounts) -> Bool {
        Malformation.allCases.allSatisfy { a[$0] == b[$0] }
    }
}
