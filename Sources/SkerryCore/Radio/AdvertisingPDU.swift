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
