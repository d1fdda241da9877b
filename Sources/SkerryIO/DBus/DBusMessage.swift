private import CDBus

/// A message (D-Bus Specification, "Message Protocol").
@safe final class DBusMessage {
    /// What it is.
    enum Kind: Int32, Sendable {
        case methodCall = 1
        case methodReturn, error, signal
    }

    /// Owned.
    let message: OpaquePointer

    /// Takes over a reference.
    init(owning message: OpaquePointer) { unsafe self.message = message }

    private init(_ message: OpaquePointer?, _ arguments: [DBusValue]) {
        guard let message = unsafe message else { preconditionFailure("no memory, or names that libdbus refuses") }
        unsafe self.message = message
        guard !arguments.isEmpty else { return }
        var writer = unsafe DBusWriter(message)
        for argument in arguments { writer.append(argument) }
    }

    /// A call. Names and path must be valid.
    static func call(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: [DBusValue] = []
    ) -> DBusMessage {
        unsafe DBusMessage(dbus_message_new_method_call(destination, path, interface, method), arguments)
    }

    /// A signal to all, or to one.
    static func signal(
        _ path: String, _ interface: String, _ name: String, _ arguments: [DBusValue] = [],
        to destination: String? = nil
    ) -> DBusMessage {
        let signal = unsafe DBusMessage(dbus_message_new_signal(path, interface, name), arguments)
        if let destination { _ = unsafe dbus_message_set_destination(signal.message, destination) }
        return signal
    }

    deinit { unsafe dbus_message_unref(message) }

    /// The answer to this call.
    func reply(_ arguments: [DBusValue] = []) -> DBusMessage {
        unsafe DBusMessage(dbus_message_new_method_return(message), arguments)
    }

    /// The answer to this call that it can't be done.
    func failure(_ name: String, _ text: String) -> DBusMessage {
        unsafe DBusMessage(dbus_message_new_error(message, name, text), [])
    }

    /// What it is; `nil` of a kind yet unknown, which is to be passed over.
    var kind: Kind? { Kind(rawValue: unsafe dbus_message_get_type(message)) }
    /// The call that it answers.
    var replySerial: UInt32 { unsafe dbus_message_get_reply_serial(message) }
    /// Whether a call wants an answer.
    var wantsReply: Bool { unsafe kind == .methodCall && dbus_message_get_no_reply(message) == 0 }
    /// The unique name of who sent it, as the bus says.
    var sender: String? { unsafe text(dbus_message_get_sender(message)) }
    /// The object that it concerns.
    var path: String? { unsafe text(dbus_message_get_path(message)) }
    /// The interface of method or signal.
    var interface: String? { unsafe text(dbus_message_get_interface(message)) }
    /// The name of method or signal.
    var member: String? { unsafe text(dbus_message_get_member(message)) }
    /// The name of an error.
    var errorName: String? { unsafe text(dbus_message_get_error_name(message)) }

    /// The arguments.
    var arguments: [DBusValue] {
        var reader = unsafe DBusReader(message)
        return reader.values()
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        unsafe pointer.map { unsafe String(cString: $0) }
    }
}
