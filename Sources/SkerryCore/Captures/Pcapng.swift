/// The PCAP Next Generation format (draft-ietf-opsawg-pcapng): blocks, several interfaces with link types and time
/// resolutions of their own, sections that may change the byte order.
struct Pcapng: CaptureContainer {
    static let name = "pcapng"
    static let sectionHeader: UInt32 = 0x0A0D_0D0A
    /// More interfaces than this in one section end the reading.
    static let maximumInterfaces = 65_536

    private struct Interface {
        var link: LinkType
        var ticksPerSecond: UInt64 = 1_000_000
        var offsetSeconds: Int64 = 0

        func time(ticks: UInt64) -> Timestamp {
            let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: ticksPerSecond)
            let micros = ticksPerSecond.dividingFullWidth(rest.multipliedFullWidth(by: 1_000_000)).quotient
            let whole = Int64(clamping: seconds).addingReportingOverflow(offsetSeconds)
            return Timestamp(
                seconds: whole.overflow ? (offsetSeconds < 0 ? .min : .max) : whole.partialValue,
                microseconds: Int64(micros))
        }
    }

    private var isBigEndian = false
    private var interfaces: [Interface] = []
    /// For simple packet blocks, which carry no time.
    private var lastTime = Timestamp(microseconds: 0)

    mutating func next(_ bytes: RawSpan) -> CaptureStep {
        guard bytes.byteCount >= 12 else { return .needs(12) }
        // The section header's type reads the same in both orders; its byte-order magic decides for all that follows.
        if bytes.be32(0) == Self.sectionHeader {
            switch bytes.be32(8) {
            case 0x1A2B_3C4D: isBigEndian = true
            case 0x4D3C_2B1A: isBigEndian = false
            default: return .broken("a section header without its byte-order magic")
            }
            interfaces = []
        }
        let type = word32(bytes, 0)
        let length = Int(word32(bytes, 4))
        guard length >= 12, length % 4 == 0 else { return .broken("a block of \(length) bytes") }
        guard [1, 2, 3, 6].contains(type) else { return .skip(length) }
        guard length <= CaptureReader.maximumRecord + 1024 else {
            return .broken("a block of \(length) bytes; the limit is \(CaptureReader.maximumRecord + 1024)")
        }
        guard bytes.byteCount >= length else { return .needs(length) }
        let body = bytes.extracting(8..<length - 4)
        switch type {
        case 1: return interfaceDescription(body, length)
        case 3: return simplePacket(body, length)
        // The obsolete packet block has a drop count in the other half of the interface's word.
        default: return packet(body, length, hasShortInterface: type == 2)
        }
    }

    private func word16(_ bytes: RawSpan, _ offset: Int) -> UInt16 {
        isBigEndian ? bytes.be16(offset) : bytes.le16(offset)
    }

    private func word32(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
        isBigEndian ? bytes.be32(offset) : bytes.le32(offset)
    }

    private mutating func interfaceDescription(_ body: RawSpan, _ length: Int) -> CaptureStep {
        guard body.byteCount >= 8 else {
            return .damaged("an interface description of \(length) bytes", length: length)
        }
        guard interfaces.count < Self.maximumInterfaces else {
            return .broken("more than \(Self.maximumInterfaces) interfaces")
        }
        var interface = Interface(link: LinkType(registryNumber: UInt32(word16(body, 0))))
        var options = body.extracting(droppingFirst: 8)
        while options.byteCount >= 4 {
            let (code, size) = (word16(options, 0), Int(word16(options, 2)))
            guard code != 0, options.byteCount >= 4 + size else { break }
            let value = options.extracting(4..<4 + size)
            if code == 9, size >= 1, let ticks = Self.ticksPerSecond(resolution: value.byte(0)) {
                interface.ticksPerSecond = ticks
            } else if code == 14, size >= 8 {
                let (first, second) = (UInt64(word32(value, 0)), UInt64(word32(value, 4)))
                interface.offsetSeconds =
                    Int64(bitPattern: isBigEndian ? first << 32 | second : second << 32 | first)
            }
            let padded = 4 + (size + 3) / 4 * 4
            guard padded <= options.byteCount else { break }
            options = options.extracting(droppingFirst: padded)
        }
        interfaces.append(interface)
        return .skip(length)
    }

    /// `if_tsresol`: the upper bit tells a power of two from a power of ten; a unit too fine for 64 bits is no unit.
    private static func ticksPerSecond(resolution: UInt8) -> UInt64? {
        let exponent = resolution & 0x7F
        if resolution & 0x80 != 0 { return exponent < 64 ? 1 << UInt64(exponent) : nil }
        guard exponent <= 19 else { return nil }
        return (0..<exponent).reduce(1) { product, _ in product * 10 }
    }

    private mutating func packet(_ body: RawSpan, _ length: Int, hasShortInterface: Bool) -> CaptureStep {
        let header = 20
        guard body.byteCount >= header else { return .damaged("a packet block of \(length) bytes", length: length) }
        let number = hasShortInterface ? Int(word16(body, 0)) : Int(word32(body, 0))
        guard number < interfaces.count else {
            return .damaged("a packet of interface \(number), which was not described", length: length)
        }
        let count = Int(word32(body, 12))
        guard count <= body.byteCount - header else {
            return .damaged("a packet of \(count) bytes in a block of \(length)", length: length)
        }
        lastTime = interfaces[number].time(ticks: UInt64(word32(body, 4)) << 32 | UInt64(word32(body, 8)))
        let record = CaptureRecord(time: lastTime, link: interfaces[number].link, start: 8 + header, count: count)
        return .record(record, length: length)
    }

    private func simplePacket(_ body: RawSpan, _ length: Int) -> CaptureStep {
        guard body.byteCount >= 4 else { return .damaged("a packet block of \(length) bytes", length: length) }
        guard let interface = interfaces.first else {
            return .damaged("a packet before any interface was described", length: length)
        }
        let count = min(Int(word32(body, 0)), body.byteCount - 4)
        return .record(CaptureRecord(time: lastTime, link: interface.link, start: 12, count: count), length: length)
    }
}
