/// Symbian's and Android's `btsnoop`: a 16-byte header and big-endian records of 24 bytes and a packet.
///
/// Datalink 1001 has bare HCI packets, 1002 H4, 1003 BCSP, 2001 the packets of Linux's monitor channel.
struct BTSnoop: CaptureContainer {
    static let name = "btsnoop"
    static let identification: UInt64 = 0x6274_736E_6F6F_7000  // "btsnoop\0"
    static let headerLength = 16
    static let recordHeaderLength = 24
    /// Microseconds from the format's epoch, 0000-01-01, to 1970-01-01.
    static let epoch: UInt64 = 0x00DC_DDB3_0F2F_8000

    /// Datalinks that can be read.
    enum Datalink: UInt32 {
        case hci = 1001
        case h4 = 1002
        case bcsp = 1003
        case linuxMonitor = 2001
    }

    private let datalink: Datalink
    /// What every record begins with, unless its flags say.
    private let link: LinkType

    init(datalink: Datalink) {
        self.datalink = datalink
        link = datalink == .bcsp ? .bcsp : .h4
    }

    @inline(__always)
    func next(_ bytes: RawSpan) -> CaptureStep {
        guard bytes.byteCount >= 24 else { return .needs(24) }
        let included = Int(bytes.be32(4))
        guard included <= CaptureReader.maximumRecord else {
            return .broken("a record of \(included) bytes; the limit is \(CaptureReader.maximumRecord)")
        }
        guard bytes.byteCount >= 24 + included else { return .needs(24 + included) }
        let micros = Int64(bitPattern: bytes.be64(16) &- Self.epoch)
        var record = CaptureRecord(time: Timestamp(microseconds: micros), link: link, start: 24, count: included)
        let flags = bytes.be32(8)
        switch datalink {
        case .h4, .bcsp: break
        case .hci:
            // Bit 0: received from the controller; bit 1: command or event rather than data.
            record.link = .hci(flags & 3 == 3 ? .event : flags & 3 == 2 ? .command : .data)
        case .linuxMonitor:
            record.controller = UInt16(truncatingIfNeeded: flags >> 16)
            record.link = .hci(HCIPacket.Kind(monitorOpcode: UInt16(truncatingIfNeeded: flags)))
        }
        return .record(record, length: 24 + included)
    }
}
