/// Reads JSON text (RFC 8259) member by member from borrowed bytes, without building a tree.
///
/// Strict where a mistake would move the borders between members; lenient within one value: `nan`, which some writers are
/// known for, is told as unreadable and costs nothing but itself.
struct JSONReader: ~Escapable {
    /// The text is not what its beginning promised; nothing behind this place can be trusted.
    struct Malformed: Error {}

    private let bytes: RawSpan
    /// Bytes read so far.
    private(set) var place = 0
    private var depth = 0
    /// Whether a container has just begun, so that no comma stands before what comes next.
    private var isFirst = false

    /// Containers within containers; gpsd needs three.
    private static let deepest = 32

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) { self.bytes = bytes }

    /// Enters an object.
    @_lifetime(self: copy self)
    mutating func beginObject() throws(Malformed) { try begin(UInt8(ascii: "{")) }

    /// The name of the object's next member, whose value must be read next; `nil` at the object's end.
    @_lifetime(self: copy self)
    mutating func nextName() throws(Malformed) -> String? {
        guard try hasNext(before: UInt8(ascii: "}")) else { return nil }
        guard next() == UInt8(ascii: "\"") else { throw Malformed() }
        let name = try string()
        guard next() == UInt8(ascii: ":") else { throw Malformed() }
        place += 1
        return name
    }

    /// Enters an array.
    @_lifetime(self: copy self)
    mutating func beginArray() throws(Malformed) { try begin(UInt8(ascii: "[")) }

    /// Whether the array has another element, which must be read next.
    @_lifetime(self: copy self)
    mutating func hasElement() throws(Malformed) -> Bool { try hasNext(before: UInt8(ascii: "]")) }

    /// The next value; of an object or an array only that it is one.
    @_lifetime(self: copy self)
    mutating func value() throws(Malformed) -> JSONValue {
        switch next() {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"):
            try beginObject()
            while try nextName() != nil { _ = try value() }
            return .nested
        case UInt8(ascii: "["):
            try beginArray()
            while try hasElement() { _ = try value() }
            return .nested
        default: return try word()
        }
    }

    /// The byte that comes next, white space passed over; `nil` at the end of the text.
    @_lifetime(self: copy self)
    mutating func next() -> UInt8? {
        while place < bytes.byteCount {
            switch bytes.byte(place) {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            case let byte: return byte
            }
        }
        return nil
    }

    @_lifetime(self: copy self)
    private mutating func begin(_ bracket: UInt8) throws(Malformed) {
        guard next() == bracket, depth < Self.deepest else { throw Malformed() }
        place += 1
        depth += 1
        isFirst = true
    }

    @_lifetime(self: copy self)
    private mutating func hasNext(before end: UInt8) throws(Malformed) -> Bool {
        let byte = next()
        defer { isFirst = false }
        if byte == end {
            place += 1
            depth -= 1
            return false
        }
        if !isFirst {
            guard byte == UInt8(ascii: ",") else { throw Malformed() }
            place += 1
        }
        return true
    }

    /// From the quote on; without escapes, which are rare, the text lies there as it is.
    @_lifetime(self: copy self)
    private mutating func string() throws(Malformed) -> String {
        place += 1
        let start = place
        while place < bytes.byteCount {
            switch bytes.byte(place) {
            case UInt8(ascii: "\""):
                defer { place += 1 }
                return text(from: start)
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case ..<0x20: throw Malformed()
            default: place += 1
            }
        }
        throw Malformed()
    }

    @_lifetime(self: copy self)
    private mutating func escapedString(from start: Int) throws(Malformed) -> String {
        var units = [UInt8](bytes.part(start, place))
        while true {
            switch try pop() {
            case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"): units += Array(String(try escape()).utf8)
            case ..<0x20: throw Malformed()
            case let unit: units.append(unit)
            }
        }
    }

    @_lifetime(self: copy self)
    private mutating func escape() throws(Malformed) -> Character {
        switch try pop() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var unit: UInt32 = 0
            for _ in 0..<4 {
                guard let digit = Character(Unicode.Scalar(try pop())).hexDigitValue else { throw Malformed() }
                unit = unit << 4 | UInt32(digit)
            }
            // gpsd escapes single bytes only; a half of a surrogate pair is no character.
            return Character(Unicode.Scalar(unit) ?? "\u{FFFD}")
        default: throw Malformed()
        }
    }

    @_lifetime(self: copy self)
    private mutating func pop() throws(Malformed) -> UInt8 {
        guard place < bytes.byteCount else { throw Malformed() }
        defer { place += 1 }
        return bytes.byte(place)
    }

    private func text(from start: Int) -> String {
        unsafe bytes.part(start, place).withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// A number, a truth value, `null`, or something else without spaces.
    @_lifetime(self: copy self)
    private mutating func word() throws(Malformed) -> JSONValue {
        let start = place
        var isNumber = true
        scan: while place < bytes.byteCount {
            switch bytes.byte(place) {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                break
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): isNumber = false
            default: break scan
            }
            place += 1
        }
        guard place > start else { throw Malformed() }
        let word = text(from: start)
        if isNumber { return Double(word).flatMap { $0.isFinite ? .number($0) : nil } ?? .unreadable }
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default: return .unreadable
        }
    }
}
