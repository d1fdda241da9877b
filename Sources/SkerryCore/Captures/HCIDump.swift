/// What `hcidump -w` writes: no file header; little-endian records of length, direction, seconds, microseconds and an
/// H4 packet.
struct HCIDump: CaptureContainer {
    static let name = "hcidump"

    func next(_ bytes: RawSpan) -> CaptureStep {
        guard bytes.byteCount >= 12 else { return .needs(12) }
        let count = Int(bytes.le16(0))
        guard bytes.byteCount >= 12 + count else { return .needs(12 + count) }
        let time = Timestamp(seconds: Int64(bytes.le32(4)), microseconds: Int64(bytes.le32(8)))
        return .record(CaptureRecord(time: time, link: .h4, start: 12, count: count), length: 12 + count)
    }

    /// Whether the bytes read as records of this kind up to their end, or to the eighth. The format has no mark of its
    /// own: a direction of 0 or 1, a zero byte, a fraction below one second and an H4 kind must hold for each.
    func fits(_ head: RawSpan) -> Bool {
        var rest = head
        for read in 0..<8 {
            guard rest.byteCount >= 13 else { return read > 0 }
            let count = Int(rest.le16(0))
            guard count > 0, rest.byte(2) <= 1, rest.byte(3) == 0, rest.le32(8) < 1_000_000,
                1...5 ~= rest.byte(12)
            else { return false }
            guard rest.byteCount >= 12 + count else { return true }
            rest = rest.extracting(droppingFirst: 12 + count)
        }
        return true
    }
}
