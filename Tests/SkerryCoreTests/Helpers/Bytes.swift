@testable import SkerryCore

extension [UInt8] {
    /// Bytes from hexadecimal digits; white space between them is for readers.
    init(hex: String) {
        self.init()
        let digits = hex.utf8.filter { $0 > 0x20 }.map { UInt8(Character(UnicodeScalar($0)).hexDigitValue!) }
        precondition(digits.count % 2 == 0, "an odd number of digits")
        for place in stride(from: 0, to: digits.count, by: 2) { append(digits[place] << 4 | digits[place + 1]) }
    }

    /// Lower case, without spaces.
    var hex: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func be(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    static func be(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
    static func be(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }
    static func le(_ value: UInt32) -> [UInt8] { be(value).reversed() }
    static func le(_ value: UInt16) -> [UInt8] { be(value).reversed() }
}

extension Timestamp {
    /// RFC 3339, without quotes.
    var text: String {
        var line = JSONLine(capacity: 40)
        line.time(self)
        return String(line.takeString().dropFirst().dropLast())
    }
}

/// A generator whose numbers are the same on every run (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
