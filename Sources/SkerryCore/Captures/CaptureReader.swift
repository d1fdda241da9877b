/// Reads records out of a capture of any kind; the kind is told by content, never by name.
struct CaptureReader {
    /// Longest record that is read; libpcap's own limit, many times the longest Bluetooth packet.
    static let maximumRecord = 262_144
    /// So many bytes of a file decide what it is.
    static let recognitionLength = 65_536

    /// The formats that can be read.
    enum Container {
        case unrecognised
        case btsnoop(BTSnoop)
        case pcap(Pcap)
        case pcapng(Pcapng)
        case packetLogger(PacketLogger)
        case hcidump(HCIDump)
    }

    var container = Container.unrecognised

    /// The container's name in `start` events; `nil` before it was recognised.
    var kind: String? {
        switch container {
        case .unrecognised: nil
        case .btsnoop: BTSnoop.name
        case .pcap: Pcap.name
        case .pcapng: Pcapng.name
        case .packetLogger: PacketLogger.name
        case .hcidump: HCIDump.name
        }
    }

    /// Tells what a capture is.
    ///
    /// - Parameters:
    ///   - buffer: Holds the file's first bytes.
    ///   - range: Where.
    ///   - isWhole: Whether they are `recognitionLength` bytes, or all that the file has.
    /// - Returns: Bytes to pass over before the first record; `nil` while more are needed to tell.
    /// - Throws: What was found instead.
    mutating func recognise(
        _ buffer: [UInt8], _ range: Range<Int>, isWhole: Bool
    ) throws(UnrecognisedCapture) -> Int? {
        let head = buffer.rawSpan.extracting(range)
        guard head.byteCount >= Pcap.headerLength || isWhole else { return nil }
        var headerLength = 0
        if head.byteCount >= BTSnoop.headerLength, head.be64(0) == BTSnoop.identification {
            guard head.be32(8) == 1 else { throw UnrecognisedCapture("btsnoop of version \(head.be32(8))") }
            guard let datalink = BTSnoop.Datalink(rawValue: head.be32(12)) else {
                throw UnrecognisedCapture(
                    "btsnoop with datalink \(head.be32(12)); 1001, 1002, 1003 and 2001 can be read")
            }
            headerLength = BTSnoop.headerLength
            container = .btsnoop(BTSnoop(datalink: datalink))
        } else if head.byteCount >= Pcap.headerLength, let pcap = Pcap(header: head) {
            if pcap.link == .other {
                throw UnrecognisedCapture(
                    "pcap of link type \(pcap.linkNumber), which holds no Bluetooth LE advertisements")
            }
            headerLength = Pcap.headerLength
            container = .pcap(pcap)
        } else if head.byteCount >= 12, head.be32(0) == Pcapng.sectionHeader {
            container = .pcapng(Pcapng())
        } else if !isWhole {
            return nil  // the other kinds have no mark; their records must tell
        } else if PacketLogger(isBigEndian: true).fits(head) {
            container = .packetLogger(PacketLogger(isBigEndian: true))
        } else if PacketLogger(isBigEndian: false).fits(head) {
            container = .packetLogger(PacketLogger(isBigEndian: false))
        } else if HCIDump().fits(head) {
            container = .hcidump(HCIDump())
        } else {
            throw UnrecognisedCapture(bytes: head)
        }
        return headerLength
    }

    /// What stands at the start of a range of a buffer, which begins where the step before ended.
    mutating func next(_ buffer: [UInt8], _ range: Range<Int>) -> CaptureStep {
        let bytes = buffer.rawSpan.extracting(range)
        switch container {
        case .unrecognised: return .broken("not recognised")
        case .btsnoop(let reader): return reader.next(bytes)
        case .pcap(let reader): return reader.next(bytes)
        case .packetLogger(let reader): return reader.next(bytes)
        case .hcidump(let reader): return reader.next(bytes)
        case .pcapng(var reader):
            let step = reader.next(bytes)
            container = .pcapng(reader)
            return step
        }
    }
}
