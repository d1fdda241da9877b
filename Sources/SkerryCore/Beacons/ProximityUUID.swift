/// The 128-bit identifier that a group of beacons shares, bytes in the order sent.
public struct ProximityUUID: Hashable, BitwiseCopyable, Sendable {
    /// The first eight bytes as sent.
    public let high: UInt64
    /// The last eight bytes as sent.
    public let low: UInt64

    /// An identifier from its two halves.
    @inline(__always)
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 32 hexadecimal digits in any case; dashes only where RFC 9562 puts them, all four or none.
    public init?(_ text: String) {
        let digits = Array(text.utf8)
        let dashed = digits.count == 36
        guard dashed || digits.count == 32 else { return nil }
        var (high, low, read): (UInt64, UInt64, Int) = (0, 0, 0)
        for (index, byte) in digits.enumerated() {
            if dashed, [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            if read < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            read += 1
        }
        self.init(high: high, low: low)
    }
}

extension ProximityUUID: CustomStringConvertible {
    /// Upper case with dashes.
    public var description: String {
        var line = JSONLine(capacity: 40)
        line.uuid(self)
        return line.takeString()
    }
}

extension RawSpan {
    @inline(__always)
    func uuid(_ offset: Int) -> ProximityUUID { ProximityUUID(high: be64(offset), low: be64(offset + 8)) }
}
