private import CDBus

/// Reads the values of a message, which libdbus has checked: they are as their signature says, and nested at most 64 deep.
@safe struct DBusReader: ~Copyable {
    private var iterator = DBusMessageIter()

    /// The arguments of a message, which must outlive it.
    init(_ message: OpaquePointer) {
        // It tells whether there are any, and so does the type of the first.
        _ = unsafe dbus_message_iter_init(message, &iterator)
    }

    private init() {}

    /// All that follow.
    mutating func values() -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = next() { values.append(value) }
        return values
    }

    private mutating func next() -> DBusValue? {
        let type = unsafe dbus_message_iter_get_arg_type(&iterator)
        guard type != 0 else { return nil }
        defer { _ = unsafe dbus_message_iter_next(&iterator) }
        return value(type)
    }

    private mutating func value(_ type: Int32) -> DBusValue {
        switch UInt8(truncatingIfNeeded: type) {
        case UInt8(ascii: "y"): .byte(basic(0))
        case UInt8(ascii: "b"): .boolean(basic(UInt32(0)) != 0)
        case UInt8(ascii: "n"): .int16(basic(0))
        case UInt8(ascii: "q"): .uint16(basic(0))
        case UInt8(ascii: "u"): .uint32(basic(0))
        case UInt8(ascii: "s"): .string(string())
        case UInt8(ascii: "o"): .objectPath(string())
        case UInt8(ascii: "a"): array()
        case UInt8(ascii: "v"): .variant(members().first ?? .other)
        case UInt8(ascii: "r"): .structure(members())
        case UInt8(ascii: "e"): entry()
        default: .other
        }
    }

    private mutating func basic<Value: BitwiseCopyable>(_ value: Value) -> Value {
        var value = value
        unsafe dbus_message_iter_get_basic(&iterator, &value)
        return value
    }

    private mutating func string() -> String {
        var text: UnsafePointer<CChar>?
        unsafe dbus_message_iter_get_basic(&iterator, &text)
        return unsafe text.map { unsafe String(cString: $0) } ?? ""
    }

    private mutating func inside() -> DBusReader {
        var inside = DBusReader()
        unsafe dbus_message_iter_recurse(&iterator, &inside.iterator)
        return inside
    }

    private mutating func members() -> [DBusValue] {
        var inside = inside()
        return inside.values()
    }

    private mutating func entry() -> DBusValue {
        let members = members()
        return members.count == 2 ? .entry(members[0], members[1]) : .other
    }

    private mutating func array() -> DBusValue {
        let element = unsafe dbus_message_iter_get_element_type(&iterator)
        guard element == Int32(UInt8(ascii: "y")) else {
            let elements = members()
            return .array(elements, of: elements.first?.signature ?? elementSignature())
        }
        var inside = inside()
        var first: UnsafePointer<UInt8>?
        var count: Int32 = 0
        unsafe dbus_message_iter_get_fixed_array(&inside.iterator, &first, &count)
        return .bytes(unsafe Array(UnsafeBufferPointer(start: first, count: Int(count))))
    }

    private mutating func elementSignature() -> String {
        guard let signature = unsafe dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { unsafe dbus_free(signature) }
        return unsafe String(String(cString: signature).dropFirst())
    }
}
