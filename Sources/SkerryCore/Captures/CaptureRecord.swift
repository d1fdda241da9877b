/// What the bytes of a capture record begin with.
enum LinkType: Equatable {
    /// An HCI packet without any transport header; the container says its kind.
    case hci(HCIPacket.Kind)
    /// UART transport layer: one byte of packet kind (Core specification, volume 4, part A, 2).
    case h4
    /// Four bytes of direction, then H4 (LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR).
    case h4WithDirection
    /// BlueCore serial protocol: a four-byte header, SLIP framing undone.
    case bcsp
    /// Adapter number and opcode of Linux's monitor channel (LINKTYPE_BLUETOOTH_LINUX_MONITOR).
    case linuxMonitor
    /// A link-layer packet from the access address to the CRC (LINKTYPE_BLUETOOTH_LE_LL).
    case linkLayer
    /// Ten bytes of radio facts, then a link-layer packet (LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR).
    case linkLayerWithRadioHeader
    /// The header of Nordic's nRF Sniffer, then a link-layer packet (LINKTYPE_NORDIC_BLE).
    case nordicSniffer
    /// Per-packet information, then what its own link type says (LINKTYPE_PPI).
    case ppi
    /// Not Bluetooth, or a kind of Bluetooth without advertisements.
    case other

    /// The kind for a number of the tcpdump link-type registry.
    init(registryNumber number: UInt32) {
        self =
            switch number {
            case 187: .h4
            case 192: .ppi
            case 201: .h4WithDirection
            case 251: .linkLayer
            case 254: .linuxMonitor
            case 256: .linkLayerWithRadioHeader
            case 272: .nordicSniffer
            default: .other
            }
    }
}

/// One record of a capture: when, what kind, and where its bytes lie in the buffer it was read from.
struct CaptureRecord {
    /// The record's own time.
    var time: Timestamp
    /// What the payload begins with.
    var link: LinkType
    /// The adapter that the container names; 0 where it names none.
    var controller: UInt16 = 0
    /// Where the payload begins, from the start of the bytes given.
    var start: Int
    /// Bytes of payload; fewer than were on the air when the record was cut at capture time.
    var count: Int
}

/// What a container reader found at the start of the bytes it was given.
enum CaptureStep {
    /// A record, and how many bytes it takes up with its header.
    case record(CaptureRecord, length: Int)
    /// Bytes without a record. They may reach beyond the bytes given.
    case skip(Int)
    /// A part that can't be used, of known length: reading goes on behind it.
    case damaged(String, length: Int)
    /// At least so many bytes must be there before the reader can say more.
    case needs(Int)
    /// Reading cannot go on.
    case broken(String)
}

/// A capture file format: where its records begin and end.
protocol CaptureContainer {
    /// The name in `start` events.
    static var name: String { get }
    /// What stands at the start of `bytes`, which begin where the step before ended. A part that was looked at is not
    /// looked at again, unless more bytes were needed.
    mutating func next(_ bytes: RawSpan) -> CaptureStep
}
