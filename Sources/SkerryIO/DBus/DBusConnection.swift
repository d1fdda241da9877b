private import CDBus
private import Glibc

/// A connection to a message bus in a poll loop, which must wait for `interest` and then take messages until there are none.
///
/// It is nobody else's, and does nothing by itself: no threads, no answers, no end of the program when the bus goes.
@safe final class DBusConnection {
    /// Bytes of the longest message that is read; a longer one ends the connection. That is a list of some 10,000 devices.
    static let longestMessage = 16 << 20
    /// Where the system bus is where nothing else is said (D-Bus Specification, "Well-known Message Bus Instances").
    static let systemAddress = "unix:path=/run/dbus/system_bus_socket"

    /// The descriptor; open as long as the connection lives.
    let descriptor: Int32
    private let connection: OpaquePointer

    /// Connects to the first socket of a list of addresses that can be. What is asked of the bus waits until it knows us.
    ///
    /// - Throws: Also where the bus has too many callers that it did not accept yet.
    init(_ addresses: String) throws(DBusFailure) {
        // Others look up names, or start a program, and wait for it.
        let local = addresses.split(separator: ";").filter { $0.hasPrefix("unix:") }.joined(separator: ";")
        guard !local.isEmpty else {
            throw DBusFailure(
                name: "org.freedesktop.DBus.Error.BadAddress", message: "'\(addresses)' has no address unix:…")
        }
        dbus_connection_set_change_sigpipe(0)
        var error = unsafe DBusError()
        unsafe dbus_error_init(&error)
        defer { unsafe dbus_error_free(&error) }
        guard let connection = unsafe dbus_connection_open_at_once(local, &error) else {
            throw DBusFailure(
                name: unsafe error.name.map { unsafe String(cString: $0) } ?? "",
                message: unsafe error.message.map { unsafe String(cString: $0) } ?? "")
        }
        unsafe self.connection = connection
        var descriptor: Int32 = -1
        _ = unsafe dbus_connection_get_unix_fd(connection, &descriptor)
        self.descriptor = descriptor
        unsafe dbus_connection_set_exit_on_disconnect(connection, 0)
        unsafe dbus_connection_set_max_message_size(connection, Self.longestMessage)
        unsafe dbus_connection_set_max_message_unix_fds(connection, 0)
        exchange()
    }

    deinit {
        unsafe dbus_connection_close(connection)
        unsafe dbus_connection_unref(connection)
    }

    /// Whether the bus is still there; what it sent before it went can still be taken.
    var isOpen: Bool { unsafe dbus_connection_get_is_connected(connection) != 0 }

    /// The descriptor to wait for.
    var interest: Poller.Interest {
        Poller.Interest(descriptor: descriptor, events: isBacklogged ? [.readable, .writable] : .readable)
    }

    /// Whether calls wait for the bus to take them; before it knows us it is the bus that is waited for.
    private var isBacklogged: Bool {
        unsafe dbus_connection_get_is_authenticated(connection) != 0
            && dbus_connection_has_messages_to_send(connection) != 0
    }

    /// Queues a message, and sends it if that can be without waiting.
    ///
    /// - Returns: What the answer will carry.
    @discardableResult
    func send(_ message: DBusMessage) -> UInt32 {
        var serial: UInt32 = 0
        let isQueued = unsafe dbus_connection_send(connection, message.message, &serial)
        precondition(isQueued != 0, "no memory")
        return serial
    }

    /// The next message, as far as that is there without waiting.
    func next() -> DBusMessage? {
        // libdbus reads 2 KiB at a time; what is longer than all of these turns goes on in the next step.
        for _ in 0..<64 {
            if let message = unsafe dbus_connection_pop_message(connection) {
                return unsafe DBusMessage(owning: message)
            }
            guard isOpen else { return nil }
            exchange()
            guard isReadable else { break }
        }
        return unsafe dbus_connection_pop_message(connection).map { unsafe DBusMessage(owning: $0) }
    }

    /// Reads and writes once; until the bus knows us, as often as one of its lines and our answer may take.
    private func exchange() {
        for _ in 0..<8 {
            _ = unsafe dbus_connection_read_write(connection, 0)
            if unsafe dbus_connection_get_is_authenticated(connection) != 0 { return }
        }
    }

    private var isReadable: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }
}
