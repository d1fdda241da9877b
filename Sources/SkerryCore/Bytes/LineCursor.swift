/// A place in a line's buffer with room ahead. What is written here goes through registers; through the line itself,
/// every field would load and store the line's count, capacity and base.
@safe struct LineCursor: ~Copyable {
    private(set) var place: UnsafeMutableRawPointer
    private let end: UnsafeMutableRawPointer

    @inline(__always)
    init(place: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer) {
        unsafe self.place = place
        unsafe self.end = end
    }

    @inline(__always)
    private func check(_ room: Int) {
        precondition(unsafe end - place >= room, "a line longer than the room made for it")
    }

    /// Text that needs no escaping, known at compile time: a few wide stores.
    @inline(__always)
    mutating func literal(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        check(length)
        unsafe place.copyMemory(from: text.utf8Start, byteCount: length)
        unsafe place += length
    }

    /// Bytes that need no escaping or are escaped already.
    @inline(__always)
    mutating func raw(_ bytes: RawSpan) {
        check(bytes.byteCount)
        unsafe bytes.withUnsafeBytes { source in
            if let start = source.baseAddress { unsafe place.copyMemory(from: start, byteCount: source.count) }
        }
        unsafe place += bytes.byteCount
    }

    @inline(__always)
    mutating func byte(_ byte: UInt8) {
        check(1)
        unsafe place.storeBytes(of: byte, as: UInt8.self)
        unsafe place += 1
    }

    // Stores at offsets that `check` has made sure of.

    @unsafe @inline(__always)
    private func store<Word: BitwiseCopyable>(_ word: Word, at offset: Int) {
        unsafe place.storeBytes(of: word, toByteOffset: offset, as: Word.self)
    }

    /// A whole number.
    @inline(__always)
    mutating func integer(_ value: Int64) {
        if value < 0 { byte(UInt8(ascii: "-")) }
        unsigned(value.magnitude)
    }

    /// A level in dBm, which nearly always has two digits.
    @inline(__always)
    mutating func level(_ value: Int8) {
        if value < 0 { byte(UInt8(ascii: "-")) }
        let magnitude = UInt16(value.magnitude)
        guard magnitude >= 10, magnitude < 100 else { return unsigned(UInt64(magnitude)) }
        check(2)
        let tens = magnitude / 10
        unsafe store(0x3030 | tens | (magnitude &- tens &* 10) << 8, at: 0)
        unsafe place += 2
    }

    /// A whole number that is not negative.
    @inline(__always)
    mutating func unsigned(_ value: UInt64) {
        if value < 100_000_000 { short(value) } else { long(value) }
    }

    /// Eight digits at once; the zeros before the first other one are shifted out.
    @inline(__always)
    private mutating func short(_ value: UInt64) {
        check(8)
        let digits = Self.eightDigits(value)
        let zeros = min(digits.trailingZeroBitCount & ~7, 56)
        unsafe store((digits | 0x3030_3030_3030_3030) >> UInt64(zeros), at: 0)
        unsafe place += 8 &- zeros >> 3
    }

    @inline(never)
    private mutating func long(_ value: UInt64) {
        let (upper, lower) = value.quotientAndRemainder(dividingBy: 100_000_000)
        unsigned(upper)
        check(8)
        unsafe store(Self.eightDigits(lower) | 0x3030_3030_3030_3030, at: 0)
        unsafe place += 8
    }

    /// The decimal digits of a number below 10⁸, the first in the lowest byte: halves, quarters and eighths of the word
    /// are divided side by side.
    @inline(__always)
    private static func eightDigits(_ value: UInt64) -> UInt64 {
        let fours = value / 10_000 | (value % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x7F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (twos &- tens &* 10) << 8
    }

    /// An RFC 3339 time in UTC with six decimals, in quotes; the text of its second is given.
    @inline(__always)
    mutating func time(_ second: SecondText, fraction: Int64) {
        check(32)
        unsafe store(second.text.0, at: 0)
        unsafe store(second.text.1, at: 8)
        unsafe store(second.text.2, at: 16)
        let digits = Self.eightDigits(UInt64(truncatingIfNeeded: fraction)) >> 16 | 0x3030_3030_3030
        unsafe store(digits | 0x225A << 48, at: 21)  // Z"
        unsafe place += 29
    }

    /// A UUID, upper case with dashes, without quotes.
    @inline(__always)
    mutating func uuid(_ uuid: ProximityUUID) {
        check(36)
        let dash = UInt8(ascii: "-")
        let second = Self.upperDigits(UInt32(truncatingIfNeeded: uuid.high))
        let third = Self.upperDigits(UInt32(truncatingIfNeeded: uuid.low >> 32))
        unsafe store(Self.upperDigits(UInt32(truncatingIfNeeded: uuid.high >> 32)), at: 0)
        unsafe store(dash, at: 8)
        unsafe store(UInt32(truncatingIfNeeded: second), at: 9)
        unsafe store(dash, at: 13)
        unsafe store(UInt32(truncatingIfNeeded: second >> 32), at: 14)
        unsafe store(dash, at: 18)
        unsafe store(UInt32(truncatingIfNeeded: third), at: 19)
        unsafe store(dash, at: 23)
        unsafe store(UInt32(truncatingIfNeeded: third >> 32), at: 24)
        unsafe store(Self.upperDigits(UInt32(truncatingIfNeeded: uuid.low)), at: 28)
        unsafe place += 36
    }

    /// A device address without quotes.
    @inline(__always)
    mutating func address(_ address: DeviceAddress) {
        check(17)
        // Six pairs of digits from two words of eight, of which the last two digits are not used.
        let high = Self.upperDigits(UInt32(truncatingIfNeeded: address.bits >> 16))
        let low = Self.upperDigits(UInt32(truncatingIfNeeded: address.bits << 8))
        let colon = UInt8(ascii: ":")
        unsafe store(UInt16(truncatingIfNeeded: high), at: 0)
        unsafe store(colon, at: 2)
        unsafe store(UInt16(truncatingIfNeeded: high >> 16), at: 3)
        unsafe store(colon, at: 5)
        unsafe store(UInt16(truncatingIfNeeded: high >> 32), at: 6)
        unsafe store(colon, at: 8)
        unsafe store(UInt16(truncatingIfNeeded: low), at: 9)
        unsafe store(colon, at: 11)
        unsafe store(UInt16(truncatingIfNeeded: low >> 16), at: 12)
        unsafe store(colon, at: 14)
        unsafe store(UInt16(truncatingIfNeeded: low >> 32), at: 15)
        unsafe place += 17
    }

    /// The eight hexadecimal digits of a word, upper case, the first in the lowest byte: all at once in one register.
    @inline(__always)
    private static func upperDigits(_ word: UInt32) -> UInt64 {
        var nibbles = UInt64(word.byteSwapped)
        nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles >> 4 | nibbles << 8) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return nibbles &+ 0x3030_3030_3030_3030 &+ isLetter &* 7
    }
}

/// The text of a second: quote, date, time, point; 21 bytes in three words.
struct SecondText {
    let number: Int64
    let text: (UInt64, UInt64, UInt64)

    init(number: Int64) {
        self.number = number
        let days = number >= 0 ? number / 86_400 : (number &- 86_399) / 86_400
        let second = UInt32(truncatingIfNeeded: number &- days &* 86_400)
        let date = CivilDate(daysSinceEpoch: days)
        func digits(_ value: UInt32) -> UInt64 { UInt64(48 + value / 10) | UInt64(48 + value % 10) << 8 }
        func mark(_ mark: Unicode.Scalar) -> UInt64 { UInt64(UInt8(ascii: mark)) }
        let minute = digits(second / 60 % 60)
        let first = mark("\"") | digits(date.year / 100) << 8 | digits(date.year % 100) << 24
        let middle = mark("-") | digits(date.day) << 8 | mark("T") << 24 | digits(second / 3600) << 32
        let last = minute >> 8 | mark(":") << 8 | digits(second % 60) << 16 | mark(".") << 32
        text = (
            first | mark("-") << 40 | digits(date.month) << 48, middle | mark(":") << 48 | (minute & 0xFF) << 56, last
        )
    }
}
