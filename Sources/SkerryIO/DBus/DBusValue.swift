/// A value on the bus (D-Bus Specification, "Type System"), as far as the interfaces of BlueZ have it.
indirect enum DBusValue: Equatable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case uint32(UInt32)
    case string(String)
    case objectPath(String)
    /// An array of bytes.
    case bytes([UInt8])
    /// An array, with the signature of its elements, which it has even without any.
    case array([DBusValue], of: String)
    case structure([DBusValue])
    /// An entry of a dictionary, which is an array of them.
    case entry(DBusValue, DBusValue)
    case variant(DBusValue)
    /// Of a type that is not used.
    case other

    /// A dictionary of variants by name, such as properties.
    static func properties(_ values: KeyValuePairs<String, DBusValue>) -> DBusValue {
        .array(values.map { .entry(.string($0), .variant($1)) }, of: "{sv}")
    }

    /// What is in a variant, otherwise the value itself.
    var content: DBusValue { if case .variant(let content) = self { content.content } else { self } }

    /// A string or an object path.
    var text: String? {
        switch content {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }

    /// A boolean.
    var boolean: Bool? { if case .boolean(let value) = content { value } else { nil } }

    /// A number.
    var number: Int? {
        switch content {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .uint32(let value): Int(value)
        default: nil
        }
    }

    /// An array of bytes.
    var bytes: [UInt8]? { if case .bytes(let bytes) = content { bytes } else { nil } }

    /// The elements of an array; none of anything else.
    var elements: [DBusValue] { if case .array(let elements, _) = content { elements } else { [] } }

    /// The entries of a dictionary; none of anything else.
    var entries: [(key: DBusValue, value: DBusValue)] {
        elements.compactMap { if case .entry(let key, let value) = $0 { (key, value) } else { nil } }
    }

    /// What a dictionary has under a name.
    subscript(name: String) -> DBusValue? {
        for case .entry(let key, let value) in elements where key.text == name { return value.content }
        return nil
    }

    /// The type, as signatures write it.
    var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .uint32: "u"
        case .string: "s"
        case .objectPath: "o"
        case .bytes: "ay"
        case .array(_, let element): "a" + element
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        case .variant: "v"
        case .other: ""
        }
    }
}
