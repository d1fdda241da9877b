/// One advertising report: who sent what, and how strong it came in.
///
/// It lends its bytes and reads most fields only when they are asked for; of nearly all reports, few are.
struct AdvertisingReport: ~Escapable, BitwiseCopyable {
    /// Whether more data of the same advertisement follows (Core specification, volume 4, part E, 7.7.65.13).
    enum DataStatus {
        case complete
        case moreToCome
        case truncated
        case reserved
    }

    /// Who wrote the head.
    private enum Head: BitwiseCopyable {
        case report
        case extendedReport
        /// Nothing but the address; what else the sniffer says.
        case sniffer(transmitter: AddressType, phy: PHY?)
    }

    // Seven fields, words and bytes: with one more, the compiler keeps reports in memory.

    /// Head and data; at least `dataOffset` bytes.
    private let bytes: RawSpan
    private let dataOffset: UInt8
    private let head: Head
    /// What was on the air.
    let pdu: AdvertisingPDU
    /// The RSSI byte as signed; 127 where the source has none.
    let receivedRSSI: Int8

    /// A report of a controller: from its event type to the end of its data.
    @_lifetime(copy bytes)
    @inline(__always)
    private init(_ head: Head, _ bytes: RawSpan, dataOffset: UInt8, receivedRSSI: Int8) {
        var isExtended = false
        if case .extendedReport = head { isExtended = bytes.byte(0) & 0x10 == 0 }
        self.bytes = bytes
        self.dataOffset = dataOffset
        self.head = head
        pdu = isExtended ? .extended : .legacy
        self.receivedRSSI = receivedRSSI
    }

    /// A PDU that a sniffer recorded: from its transmitter's address, unless it is anonymous, to the end of its data.
    @_lifetime(copy bytes)
    init(
        sniffed pdu: AdvertisingPDU, transmitter: AddressType, _ bytes: RawSpan, dataOffset: UInt8,
        receivedRSSI: Int8?, phy: PHY?
    ) {
        self.bytes = bytes
        self.dataOffset = dataOffset
        head = .sniffer(transmitter: transmitter, phy: phy)
        self.pdu = pdu
        self.receivedRSSI = receivedRSSI ?? 127
    }

    /// The AD structures.
    var data: RawSpan {
        @_lifetime(copy self)
        @inline(__always)
        get { unsafe bytes.part(uncheckedFrom: Int(dataOffset), to: bytes.byteCount) }
    }

    /// The kind of the address.
    @inline(__always)
    var addressType: AddressType {
        switch head {
        case .report: AddressType(rawValue: bytes.byte(1))
        case .extendedReport: AddressType(rawValue: bytes.byte(2))
        case .sniffer(let transmitter, _): transmitter
        }
    }

    /// Zero for an anonymous PDU.
    @inline(__always)
    var address: DeviceAddress {
        switch head {
        case .report: bytes.address(2)
        case .extendedReport: bytes.address(3)
        case .sniffer(let transmitter, _): transmitter == .anonymous ? DeviceAddress(bits: 0) : bytes.address(0)
        }
    }

    /// dBm; `nil` where the controller says unavailable (127) or the value is outside -127…+20 (Core specification,
    /// volume 4, part E, 7.7.65.2).
    @inline(__always)
    var rssi: Int8? { Self.usable(receivedRSSI) }

    @inline(__always)
    static func usable(_ rssi: Int8) -> Int8? { rssi >= -127 && rssi <= 20 ? rssi : nil }

    /// The secondary PHY, the primary where there is none; `nil` where unknown.
    @inline(__always)
    var phy: PHY? {
        switch head {
        case .report: nil
        case .extendedReport: PHY(rawValue: bytes.byte(10)) ?? PHY(rawValue: bytes.byte(9))
        case .sniffer(_, let phy): phy
        }
    }

    /// The number of the advertising set; 0xFF where there is none.
    var setIdentifier: UInt8 {
        if case .extendedReport = head { bytes.byte(11) } else { 0xFF }
    }

    /// A legacy PDU is never fragmented; vendors set bits of their own there.
    @inline(__always)
    var dataStatus: DataStatus {
        guard pdu == .extended else { return .complete }
        return switch bytes.byte(0) >> 5 & 3 {
        case 0: .complete
        case 1: .moreToCome
        case 2: .truncated
        default: .reserved
        }
    }
}

extension AdvertisingReport {
    private typealias Subevent = HCIEvent.Subevent

    /// Whether an event holds advertising reports.
    ///
    /// - Parameter event: From the event code.
    @inline(__always)
    static func isReported(in event: RawSpan) -> Bool {
        guard event.byteCount >= 3, event.byte(0) == HCIEvent.leMeta, event.byte(1) >= 1 else { return false }
        return switch event.byte(2) {
        case Subevent.advertisingReport, Subevent.directedAdvertisingReport, Subevent.extendedAdvertisingReport: true
        default: false
        }
    }

    /// Calls `body` with each report of an LE Advertising Report event, legacy, directed or extended (Core
    /// specification, volume 4, part E, 7.7.65.2, 7.7.65.11, 7.7.65.13).
    ///
    /// - Parameter event: From the event code; one that `isReported` accepts.
    @inline(__always)
    static func forEach(in event: RawSpan, _ body: (AdvertisingReport) -> Void) -> EventFaults? {
        let end = min(2 &+ Int(event.byte(1)), event.byteCount)
        guard end > 3 else { return EventFaults(of: event, reportsEnd: nil) }
        // A loop for each layout: the lengths are constants then.
        let stopped =
            switch event.byte(2) {
            case Subevent.advertisingReport: forEach(.report, in: event, end, headLength: 9, trailerLength: 1, body)
            case Subevent.extendedAdvertisingReport:
                forEach(.extendedReport, in: event, end, headLength: 24, trailerLength: 0, body)
            default: forEach(.report, in: event, end, headLength: 16, trailerLength: 0, body)
            }
        if stopped == event.byteCount, stopped == 2 &+ Int(event.byte(1)) { return nil }
        return EventFaults(of: event, reportsEnd: stopped)
    }

    /// Calls `body` with each report of one layout.
    ///
    /// - Returns: Where the reports end; -1 where one is cut.
    @inline(__always)
    private static func forEach(
        _ head: Head, in event: RawSpan, _ end: Int, headLength: Int, trailerLength: Int,
        _ body: (AdvertisingReport) -> Void
    ) -> Int {
        var start = 4
        var left = event.byte(3)
        while left > 0 {
            guard let report = AdvertisingReport(head, in: event, &start, end, headLength, trailerLength) else {
                return -1
            }
            body(report)
            left &-= 1
        }
        return start
    }

    /// The report at `start`, which moves behind it; `nil` where it is cut.
    @_lifetime(copy event)
    @inline(__always)
    private init?(
        _ head: Head, in event: RawSpan, _ start: inout Int, _ end: Int, _ headLength: Int, _ trailerLength: Int
    ) {
        let data = start &+ headLength
        guard data <= end else { return nil }
        // The last byte of a head is the length of the data; a directed report has none, and its RSSI there.
        let last = unsafe event.byte(unchecked: data &- 1)
        let dataEnd = headLength == 16 ? data : data &+ Int(last)
        let next = dataEnd &+ trailerLength
        guard next <= end else { return nil }
        let rssi = unsafe event.byte(unchecked: headLength == 24 ? start &+ 13 : next &- 1)
        unsafe self.init(
            head, event.part(uncheckedFrom: start, to: dataEnd), dataOffset: UInt8(truncatingIfNeeded: headLength),
            receivedRSSI: Int8(bitPattern: rssi))
        start = next
    }

    /// The report of an event that holds just one and nothing else, as nearly all do; `nil` for any other event.
    @_lifetime(copy event)
    @inline(__always)
    init?(onlyOneIn event: RawSpan) {
        let end = event.byteCount
        guard end >= 4, event.byte(0) == HCIEvent.leMeta, 2 &+ Int(event.byte(1)) == end, event.byte(3) == 1
        else { return nil }
        var reached = 4
        switch event.byte(2) {
        case Subevent.advertisingReport: self.init(.report, in: event, &reached, end, 9, 1)
        case Subevent.extendedAdvertisingReport: self.init(.extendedReport, in: event, &reached, end, 24, 0)
        default: return nil
        }
        guard reached == end else { return nil }
    }
}

/// What is wrong with an advertising event; two reasons may hold at once, or none.
struct EventFaults {
    /// Parameter length and bytes disagree.
    let length: Malformation?
    /// The reports do not fit.
    let reports: Malformation?

    /// - Parameter reportsEnd: Where the last report ends; -1 where one is cut, `nil` where none can begin.
    @inline(never)
    fileprivate init(of event: RawSpan, reportsEnd: Int?) {
        let claimed = 2 + Int(event.byte(1))
        length =
            if claimed > event.byteCount { .eventShorterThanItsLength } else if claimed < event.byteCount {
                .bytesAfterEvent
            } else { nil }
        if let reportsEnd {
            let isExtended = event.byte(2) == HCIEvent.Subevent.extendedAdvertisingReport
            if reportsEnd < 0 {
                reports = isExtended ? .extendedReportTruncated : .legacyReportTruncated
            } else {
                reports = reportsEnd < min(claimed, event.byteCount) ? .bytesAfterReports : nil
            }
        } else {
            reports = .noNumReports
        }
    }
}
