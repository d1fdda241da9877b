private import CDBus

/// Appends values to a message. Without memory libdbus can't, and neither can anything else: that ends the program.
@safe struct DBusWriter: ~Copyable {
    private var iterator = DBusMessageIter()

    /// To the end of a message, which must outlive it.
    init(_ message: OpaquePointer) { unsafe dbus_message_iter_init_append(message, &iterator) }

    private init() {}

    /// Appends a value.
    mutating func append(_ value: DBusValue) {
        switch value {
        case .byte(let byte): basic("y", byte)
        case .boolean(let boolean): basic("b", UInt32(boolean ? 1 : 0))
        case .int16(let number): basic("n", number)
        case .uint16(let number): basic("q", number)
        case .uint32(let number): basic("u", number)
        case .string(let text): string("s", text)
        case .objectPath(let path): string("o", path)
        case .bytes(let bytes): container("a", "y", bytes.map(DBusValue.byte))
        case .array(let elements, let element): container("a", element, elements)
        case .structure(let members): container("r", nil, members)
        case .entry(let key, let value): container("e", nil, [key, value])
        case .variant(let content): container("v", content.signature, [content])
        case .other: break
        }
    }

    private mutating func basic<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ value: Value) {
        let isAppended = unsafe withUnsafePointer(to: value) {
            unsafe dbus_message_iter_append_basic(&iterator, Int32(type.value), $0)
        }
        precondition(isAppended != 0, "no memory")
    }

    private mutating func string(_ type: Unicode.Scalar, _ text: String) {
        let isAppended = unsafe text.withCString { text in
            unsafe withUnsafePointer(to: text) {
                unsafe dbus_message_iter_append_basic(&iterator, Int32(type.value), $0)
            }
        }
        precondition(isAppended != 0, "no memory")
    }

    private mutating func container(_ type: Unicode.Scalar, _ content: String?, _ values: [DBusValue]) {
        var inside = DBusWriter()
        var isDone = unsafe dbus_message_iter_open_container(
            &iterator, Int32(type.value), content, &inside.iterator)
        precondition(isDone != 0, "no memory")
        for value in values { inside.append(value) }
        isDone = unsafe dbus_message_iter_close_container(&iterator, &inside.iterator)
        precondition(isDone != 0, "no memory")
    }
}
