/// A value of JSON text (RFC 8259), read with nothing but the grammar: what does not keep to it is `nil`.
enum JSONText: Equatable {
    case null, bool(Bool), number(String), string(String)
    case array([JSONText])
    case object([(name: String, value: JSONText)])

    init?(_ text: String) {
        var parser = Parser(rest: Array(text.utf8)[...])
        guard let value = parser.value(), parser.rest.isEmpty else { return nil }
        self = value
    }

    static func == (a: JSONText, b: JSONText) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)), (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a.map(\.name) == b.map(\.name) && a.map(\.value) == b.map(\.value)
        default: false
        }
    }

    subscript(name: String) -> JSONText? {
        if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
    }

    private struct Parser {
        var rest: ArraySlice<UInt8>

        mutating func value() -> JSONText? {
            switch rest.first {
            case UInt8(ascii: "{"): object()
            case UInt8(ascii: "["): list(until: UInt8(ascii: "]")) { $0.value() }.map(JSONText.array)
            case UInt8(ascii: "\""): string().map(JSONText.string)
            case UInt8(ascii: "t"): word("true") ? .bool(true) : nil
            case UInt8(ascii: "f"): word("false") ? .bool(false) : nil
            case UInt8(ascii: "n"): word("null") ? .null : nil
            default: number()
            }
        }

        private mutating func word(_ text: String) -> Bool {
            guard rest.starts(with: text.utf8) else { return false }
            rest = rest.dropFirst(text.utf8.count)
            return true
        }

        private mutating func object() -> JSONText? {
            let members = list(until: UInt8(ascii: "}")) { parser -> (name: String, value: JSONText)? in
                guard let name = parser.string(), parser.word(":"), let value = parser.value() else { return nil }
                return (name, value)
            }
            guard let members, Set(members.map(\.name)).count == members.count else { return nil }
            return .object(members)
        }

        private mutating func list<Item>(until end: UInt8, _ item: (inout Parser) -> Item?) -> [Item]? {
            rest = rest.dropFirst()
            var items: [Item] = []
            if rest.first == end {
                rest = rest.dropFirst()
                return items
            }
            while let next = item(&self) {
                items.append(next)
                guard let separator = rest.popFirst() else { return nil }
                if separator == end { return items }
                guard separator == UInt8(ascii: ",") else { return nil }
            }
            return nil
        }

        private mutating func string() -> String? {
            guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
            var units: [UInt8] = []
            while let unit = rest.popFirst() {
                switch unit {
                case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let scalar = escape() else { return nil }
                    units += Array(String(Character(scalar)).utf8)
                case ..<0x20: return nil
                default: units.append(unit)
                }
            }
            return nil
        }

        private mutating func escape() -> UnicodeScalar? {
            switch rest.popFirst() {
            case UInt8(ascii: "\""): return "\""
            case UInt8(ascii: "\\"): return "\\"
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "u"):
                let digits = rest.prefix(4)
                rest = rest.dropFirst(4)
                guard digits.count == 4, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
                    return nil
                }
                return UnicodeScalar(value)
            default: return nil
            }
        }

        /// No sign but a minus, no needless zero at either end, no exponent: what the event lines promise.
        private mutating func number() -> JSONText? {
            let start = rest
            if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            let whole = digits()
            guard whole.first != UInt8(ascii: "0") || whole.count == 1, !whole.isEmpty else { return nil }
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
                guard let last = digits().last, last != UInt8(ascii: "0") else { return nil }
            }
            return .number(String(decoding: start.dropLast(rest.count), as: UTF8.self))
        }

        private mutating func digits() -> ArraySlice<UInt8> {
            let found = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            rest = rest.dropFirst(found.count)
            return found
        }
    }
}
