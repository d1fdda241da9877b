/// What kind of advertising PDU was on the air.
public enum AdvertisingPDU: UInt8, BitwiseCopyable, Sendable {
    /// A legacy PDU that a controller reported.
    case legacy
    /// An extended PDU that a controller reported.
    case extended
    // As a sniffer sees them (Core specification, volume 6, part B, 2.3).
    /// Connectable and scannable, undirected.
    case advInd
    /// Connectable, directed.
    case advDirectInd
    /// Not connectable, not scannable.
    case advNonconnInd
    /// The answer to a scan request.
    case scanRsp
    /// Scannable, undirected.
    case advScanInd
    /// Extended, on a primary channel.
    case advExtInd
    /// Extended, on a secondary channel.
    case auxAdvInd

    /// The name in events.
    public var name: StaticString {
        switch self {
        case .legacy: "legacy"
        case .extended: "extended"
        case .advInd: "ADV_IND"
        case .advDirectInd: "ADV_DIRECT_IND"
        case .advNonconnInd: "ADV_NONCONN_IND"
        case .scanRsp: "SCAN_RSP"
        case .advScanInd: "ADV_SCAN_IND"
        case .advExtInd: "ADV_EXT_IND"
        case .auxAdvInd: "AUX_ADV_IND"
        }
    }
}

/// The physical channel coding of a packet.
public enum PHY: UInt8, BitwiseCopyable, Sendable {
    /// LE 1M.
    case le1M = 1
    /// LE 2M.
    case le2M = 2
    /// LE Coded.
    case leCoded = 3

    /// The name in events.
    public var name: StaticString {
        switch self {
        case .le1M: "1M"
        case .le2M: "2M"
        case .leCoded: "Coded"
        }
    }
}

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

    /// What was on the air.
    let pdu: AdvertisingPDU
    /// The RSSI byte as signed; `nil` where the source has none.
    let receivedRSSI: Int8?
    /// What a sniffer says of the coding.
    private let sniffedPHY: PHY?
    /// Whether `head` is that of an extended report of a controller.
    private let isExtendedReport: Bool
    /// Where the device address stands in `head`; the byte before it tells its kind, for a controller's report.
    private let addressOffset: Int8
    private let transmitter: AddressType?
    /// What stands before the data.
    private let head: RawSpan
    /// The AD structures.
    let data: RawSpan

    /// A legacy or directed report of a controller, from its event type on.
    @_lifetime(copy head, copy data)
    @inline(__always)
    init(legacy head: RawSpan, data: RawSpan, receivedRSSI: Int8) {
        pdu = .legacy
        self.receivedRSSI = receivedRSSI
        sniffedPHY = nil
        isExtendedReport = false
        addressOffset = 2
        transmitter = nil
        self.head = head
        self.data = data
    }

    /// An extended report of a controller, from its event type on.
    @_lifetime(copy head, copy data)
    @inline(__always)
    init(extended head: RawSpan, data: RawSpan) {
        pdu = head.byte(0) & 0x10 != 0 ? .legacy : .extended
        receivedRSSI = head.signed(13)
        sniffedPHY = nil
        isExtendedReport = true
        addressOffset = 3
        transmitter = nil
        self.head = head
        self.data = data
    }

    /// A PDU that a sniffer recorded; no address at all in `head` stands for an anonymous one.
    @_lifetime(copy head, copy data)
    init(
        sniffed pdu: AdvertisingPDU, transmitter: AddressType, head: RawSpan, data: RawSpan, receivedRSSI: Int8?,
        phy: PHY?
    ) {
        self.pdu = pdu
        self.receivedRSSI = receivedRSSI
        sniffedPHY = phy
        isExtendedReport = false
        addressOffset = 0
        self.transmitter = head.byteCount == 0 ? .anonymous : transmitter
        self.head = head
        self.data = data
    }

    /// The kind of the address.
    @inline(__always)
    var addressType: AddressType { transmitter ?? AddressType(rawValue: head.byte(Int(addressOffset) &- 1)) }

    /// Zero for an anonymous advertisement.
    @inline(__always)
    var address: DeviceAddress {
        head.byteCount == 0 ? DeviceAddress(bits: 0) : head.address(Int(addressOffset))
    }

    /// dBm; `nil` where the controller says unavailable (127) or the value is outside -127…+20 (Core specification,
    /// volume 4, part E, 7.7.65.2).
    @inline(__always)
    var rssi: Int8? {
        guard let value = receivedRSSI, value >= -127, value <= 20 else { return nil }
        return value
    }

    /// The secondary PHY, the primary where there is none; `nil` where unknown.
    var phy: PHY? { isExtendedReport ? PHY(rawValue: head.byte(10)) ?? PHY(rawValue: head.byte(9)) : sniffedPHY }

    /// The number of the advertising set; 0xFF where there is none.
    var setIdentifier: UInt8 { isExtendedReport ? head.byte(11) : 0xFF }

    /// A legacy PDU is never fragmented; vendors set bits of their own there.
    @inline(__always)
    var dataStatus: DataStatus {
        guard pdu == .extended else { return .complete }
        return switch head.byte(0) >> 5 & 3 {
        case 0: .complete
        case 1: .moreToCome
        case 2: .truncated
        default: .reserved
        }
    }
}

/// What is wrong with an advertising event; two reasons may hold at once.
struct EventFaults {
    /// Parameter length and bytes disagree.
    var length: Malformation?
    /// The reports do not fit.
    var reports: Malformation?

    /// The same, and reports that do not fit.
    @inline(__always)
    func with(_ reports: Malformation) -> EventFaults { EventFaults(length: length, reports: reports) }
}

extension AdvertisingReport {
    private enum Subevent {
        static let advertisingReport: UInt8 = 0x02
        static let directedAdvertisingReport: UInt8 = 0x0B
        static let extendedAdvertisingReport: UInt8 = 0x0D
    }

    /// Whether an event holds advertising reports.
    ///
    /// - Parameter event: From the event code.
    @inline(__always)
    static func isReported(in event: RawSpan) -> Bool {
        guard event.byteCount >= 3, event.byte(0) == 0x3E, event.byte(1) >= 1 else { return false }
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
    static func forEach(in event: RawSpan, _ body: (AdvertisingReport) -> Void) -> EventFaults {
        var faults = EventFaults()
        let claimed = Int(event.byte(1))
        let available = event.byteCount - 2
        if claimed != available { faults.length = claimed > available ? .eventShorterThanItsLength : .bytesAfterEvent }
        let subevent = event.byte(2)
        let end = 2 + min(claimed, available)
        guard end > 3 else {
            faults.reports = .noNumReports
            return faults
        }
        var start = 4
        for _ in 0..<event.byte(3) {
            switch subevent {
            case Subevent.advertisingReport:
                let data = start &+ 9
                guard data <= end else { return faults.with(.legacyReportTruncated) }
                let next = data &+ Int(event.byte(start &+ 8))
                guard next < end else { return faults.with(.legacyReportTruncated) }
                body(
                    AdvertisingReport(
                        legacy: event.extracting(start..<data), data: event.extracting(data..<next),
                        receivedRSSI: event.signed(next)))
                start = next &+ 1
            case Subevent.extendedAdvertisingReport:
                let data = start &+ 24
                guard data <= end else { return faults.with(.extendedReportTruncated) }
                let next = data &+ Int(event.byte(start &+ 23))
                guard next <= end else { return faults.with(.extendedReportTruncated) }
                body(
                    AdvertisingReport(extended: event.extracting(start..<data), data: event.extracting(data..<next)))
                start = next
            default:
                let next = start &+ 16
                guard next <= end else { return faults.with(.legacyReportTruncated) }
                body(
                    AdvertisingReport(
                        legacy: event.extracting(start..<next), data: event.extracting(next..<next),
                        receivedRSSI: event.signed(next &- 1)))
                start = next
            }
        }
        if start < end { faults.reports = .bytesAfterReports }
        return faults
    }
}
