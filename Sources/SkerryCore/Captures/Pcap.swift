/// libpcap's classic format, in both byte orders, with microseconds or nanoseconds.
struct Pcap: CaptureContainer {
    static let name = "pcap"
    static let headerLength = 24

    let isBigEndian: Bool
    let unitsPerMicrosecond: UInt32
    /// Of the tcpdump link-type registry.
    let linkNumber: UInt32
    let link: LinkType

    /// Reads the 24-byte file header; `nil` where the bytes are not one.
    init?(header: RawSpan) {
        switch header.be32(0) {
        case 0xA1B2_C3D4: (isBigEndian, unitsPerMicrosecond) = (true, 1)
        case 0xD4C3_B2A1: (isBigEndian, unitsPerMicrosecond) = (false, 1)
        case 0xA1B2_3C4D: (isBigEndian, unitsPerMicrosecond) = (true, 1000)
        case 0x4D3C_B2A1: (isBigEndian, unitsPerMicrosecond) = (false, 1000)
        default: return nil
        }
        // The upper bits of the word tell the length of a frame check sequence.
        linkNumber = (isBigEndian ? header.be32(20) : header.le32(20)) & 0x03FF_FFFF
        link = LinkType(registryNumber: linkNumber)
    }

    func next(_ bytes: RawSpan) -> CaptureStep {
        guard bytes.byteCount >= 16 else { return .needs(16) }
        func word(_ offset: Int) -> UInt32 { isBigEndian ? bytes.be32(offset) : bytes.le32(offset) }
        let included = Int(word(8))
        guard included <= CaptureReader.maximumRecord else {
            return .broken("a record of \(included) bytes; the limit is \(CaptureReader.maximumRecord)")
        }
        guard bytes.byteCount >= 16 + included else { return .needs(16 + included) }
        let time = Timestamp(seconds: Int64(word(0)), microseconds: Int64(word(4) / unitsPerMicrosecond))
        return .record(CaptureRecord(time: time, link: link, start: 16, count: included), length: 16 + included)
    }
}
