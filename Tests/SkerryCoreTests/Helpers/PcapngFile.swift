/// Blocks of a pcapng file, in one byte order.
struct PcapngFile {
    var isBigEndian = false

    func section() -> [UInt8] {
        block(0x0A0D_0D0A, [UInt8](word(0x1A2B_3C4D) + half(1) + half(0) + [UInt8](repeating: 0xFF, count: 8)).hex)
    }

    /// - Parameter options: Hexadecimal digits, in little-endian order.
    func interface(_ link: UInt16, options: String = "") -> [UInt8] {
        block(1, (half(link) + half(0) + word(0x40000)).hex + options)
    }

    func packet(_ interface: UInt32, ticks: UInt64, _ payload: String) -> [UInt8] {
        let count = UInt32([UInt8](hex: payload).count)
        let head = word(interface) + word(UInt32(ticks >> 32)) + word(UInt32(truncatingIfNeeded: ticks))
        return block(6, (head + word(count) + word(count)).hex + payload)
    }

    func simplePacket(_ payload: String) -> [UInt8] {
        block(3, word(UInt32([UInt8](hex: payload).count)).hex + payload)
    }

    /// A block with its lengths, filled up to whole words.
    func block(_ type: UInt32, _ body: String) -> [UInt8] {
        var bytes = [UInt8](hex: body)
        while bytes.count % 4 != 0 { bytes.append(0) }
        let length = word(UInt32(bytes.count + 12))
        return word(type) + length + bytes + length
    }

    private func word(_ value: UInt32) -> [UInt8] { isBigEndian ? .be(value) : .le(value) }
    private func half(_ value: UInt16) -> [UInt8] { isBigEndian ? .be(value) : .le(value) }
}
