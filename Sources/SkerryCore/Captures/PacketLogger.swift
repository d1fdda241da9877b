/// Apple's PacketLogger (`.pklg`), in both byte orders: no file header; records of length, seconds, microseconds, kind.
struct PacketLogger: CaptureContainer {
    static let name = "packetlogger"

    let isBigEndian: Bool

    func next(_ bytes: RawSpan) -> CaptureStep {
        guard bytes.byteCount >= 13 else { return .needs(13) }
        let length = Int(word(bytes, 0))
        guard length >= 9, length <= CaptureReader.maximumRecord else { return .broken("a record of \(length) bytes") }
        guard bytes.byteCount >= 4 + length else { return .needs(4 + length) }
        let time = Timestamp(seconds: Int64(word(bytes, 4)), microseconds: Int64(word(bytes, 8)))
        let kind: HCIPacket.Kind =
            switch bytes.byte(12) {
            case 0x00: .command
            case 0x01: .event
            case 0x02, 0x03, 0x08, 0x09: .data
            default: .other  // notes, configuration and vendor records between the packets
            }
        return .record(CaptureRecord(time: time, link: .hci(kind), start: 13, count: length - 9), length: 4 + length)
    }

    private func word(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
        isBigEndian ? bytes.be32(offset) : bytes.le32(offset)
    }

    /// Whether the bytes read as records of this kind up to their end, or to the eighth. The format has no mark of its
    /// own: a length below 64 KiB, a fraction below one second and a known kind must hold for each.
    func fits(_ head: RawSpan) -> Bool {
        var rest = head
        for read in 0..<8 {
            guard rest.byteCount >= 13 else { return read > 0 }
            let length = Int(word(rest, 0))
            guard length >= 9, length < 65_536, word(rest, 8) < 1_000_000 else { return false }
            switch rest.byte(12) {
            case 0x00...0x03, 0x08...0x12, 0xF0...0xFF: break
            default: return false
            }
            guard rest.byteCount >= 4 + length else { return true }
            rest = rest.extracting(droppingFirst: 4 + length)
        }
        return true
    }
}
