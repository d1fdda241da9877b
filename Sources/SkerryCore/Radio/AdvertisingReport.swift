/// What kind of advertising PDU was on the air.
public enum AdvertisingPDU: UInt8, Sendable {
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
public enum PHY: UInt8, Sendable {
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
struct AdvertisingReport: ~Escapable {
    /// Whether more data of the same advertisement follows (Core specification, volume 4, part E, 7.7.65.13).
    enum DataStatus: UInt8 {
        case complete = 0
        case moreToCome = 1
        case truncated = 2
        case reserved = 3
    }

    var pdu: AdvertisingPDU
    var addressType: AddressType
    /// Zero for an anonymous advertisement.
    var address: DeviceAddress
    /// The RSSI byte as signed; `nil` where the source has none.
    var receivedRSSI: Int8?
    var phy: PHY? = nil
    var setIdentifier: UInt8 = 0xFF
    var dataStatus = DataStatus.complete
    /// The AD structures.
    var data: RawSpan

    @_lifetime(copy data)
    @inline(__always)
    init(pdu: AdvertisingPDU, addressType: AddressType, address: DeviceAddress, receivedRSSI: Int8?, data: RawSpan) {
        self.pdu = pdu
        self.addressType = addressType
        self.address = address
        self.receivedRSSI = receivedRSSI
        self.data = data
    }

    /// dBm; `nil` where the controller says unavailable (127) or the value is outside -127…+20 (Core specification,
    /// volume 4, part E, 7.7.65.2).
    @inline(__always)
    var rssi: Int8? {
        guard let value = receivedRSSI, value >= -127, value <= 20 else { return nil }
        return value
    }
}

/// Walks the reports of an LE Advertising Report event, legacy, directed or extended (Core specification, volume 4,
/// part E, 7.7.65.2, 7.7.65.11, 7.7.65.13).
struct AdvertisingReports: ~Escapable {
    private enum Layout: UInt8 {
        case legacy = 0x02
        case directed = 0x0B
        case extended = 0x0D
    }

    private let layout: Layout
    private var rest: ByteReader
    private var remaining: UInt8
    /// What is wrong with the event itself; two reasons may hold at once.
    private(set) var lengthFault: Malformation?
    /// What is wrong with its reports. Complete when `next()` has returned `nil`.
    private(set) var reportFault: Malformation?

    /// - Parameter event: From the event code. `nil` where it is not an advertising event.
    @_lifetime(copy event)
    @inline(__always)
    init?(event: RawSpan) {
        guard event.byteCount >= 3, event.byte(0) == 0x3E, let layout = Layout(rawValue: event.byte(2)) else {
            return nil
        }
        let claimed = Int(event.byte(1))
        let available = event.byteCount - 2
        guard claimed >= 1 else { return nil }
        self.layout = layout
        lengthFault =
            claimed == available ? nil : claimed > available ? .eventShorterThanItsLength : .bytesAfterEvent
        let parameters = event.extracting(2..<2 + min(claimed, available))
        if parameters.byteCount >= 2 {
            remaining = parameters.byte(1)
            reportFault = nil
            rest = ByteReader(parameters.extracting(droppingFirst: 2))
        } else {
            remaining = 0
            reportFault = .noNumReports
            rest = ByteReader(parameters.extracting(first: 0))
        }
    }

    @_lifetime(copy self)
    @_lifetime(self: copy self)
    @inline(__always)
    mutating func next() -> AdvertisingReport? {
        guard remaining > 0 else {
            if rest.count > 0, reportFault == nil { reportFault = .bytesAfterReports }
            return nil
        }
        remaining -= 1
        do throws(DecodingFailure) {
            switch layout {
            case .legacy: return try legacy()
            case .extended: return try extended()
            case .directed: return try directed()
            }
        } catch {
            reportFault = layout == .extended ? .extendedReportTruncated : .legacyReportTruncated
            remaining = 0
            return nil
        }
    }

    @_lifetime(copy self)
    @_lifetime(self: copy self)
    @inline(__always)
    private mutating func legacy() throws(DecodingFailure) -> AdvertisingReport {
        let head = try rest.take(9)
        let data = try rest.take(Int(head.byte(8)))
        let rssi = try rest.take(1)
        return AdvertisingReport(
            pdu: .legacy, addressType: AddressType(rawValue: head.byte(1)), address: head.address(2),
            receivedRSSI: rssi.signed(0), data: data)
    }

    @_lifetime(copy self)
    @_lifetime(self: copy self)
    private mutating func directed() throws(DecodingFailure) -> AdvertisingReport {
        let head = try rest.take(16)
        return AdvertisingReport(
            pdu: .legacy, addressType: AddressType(rawValue: head.byte(1)), address: head.address(2),
            receivedRSSI: head.signed(15), data: head.extracting(first: 0))
    }

    @_lifetime(copy self)
    @_lifetime(self: copy self)
    @inline(__always)
    private mutating func extended() throws(DecodingFailure) -> AdvertisingReport {
        let head = try rest.take(24)
        let data = try rest.take(Int(head.byte(23)))
        let eventType = head.le16(0)
        let isLegacy = eventType & 0x10 != 0
        var report = AdvertisingReport(
            pdu: isLegacy ? .legacy : .extended, addressType: AddressType(rawValue: head.byte(2)),
            address: head.address(3), receivedRSSI: head.signed(13), data: data)
        report.phy = PHY(rawValue: head.byte(10)) ?? PHY(rawValue: head.byte(9))
        report.setIdentifier = head.byte(11)
        // A legacy PDU is never fragmented; vendors set bits of their own there.
        if !isLegacy { report.dataStatus = AdvertisingReport.DataStatus(rawValue: UInt8(eventType >> 5 & 3))! }
        return report
    }
}
