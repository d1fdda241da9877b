import SkerryCore

/// A client of bluetoothd in a poll loop, which must wait for `interest` and `deadline` and then call `step`.
///
/// It connects to the system bus, anew when that goes, lists what bluetoothd has, anew when that comes back, and passes on
/// what bluetoothd alone says from then on. No call waits for its answer.
///
///     waiting → greeting → listing → present
///        ↑          |         ↑  ↓      |
///        └── bus ←──┘       absent ←────┘      bluetoothd goes; the bus can go from anywhere
final class BlueZClient {
    /// What a step comes to.
    enum Output {
        /// bluetoothd is there, with these objects: path, interface, property.
        case came(DBusValue)
        /// It is not, and why. Every call that was not answered is void.
        case went(BlueZScan.Status)
        /// There is no bus yet, and why; it is waited for.
        case awaited(String)
        /// An object has further interfaces, with their properties.
        case added(path: String, interfaces: DBusValue)
        /// An object has lost interfaces.
        case removed(path: String, interfaces: [String])
        /// Properties of an object have changed, or are not known any more.
        case changed(path: String, interface: String, properties: DBusValue, unknown: [String])
        /// A call was answered, with an error where it failed.
        case answered(UInt32, DBusFailure?)
        /// A method of an object of ours is called; bluetoothd waits for the answer.
        case called(DBusMessage)
    }

    private enum State {
        case waiting, greeting(UInt32), listing(UInt32), absent, present(String)
    }

    private static let service = "org.bluez"
    private static let bus = "org.freedesktop.DBus"
    private static let properties = "org.freedesktop.DBus.Properties"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    /// What is to be heard of others: nothing else is sent to us unasked.
    private static let rules = [
        "type='signal',sender='\(service)',interface='\(objectManager)'",
        "type='signal',sender='\(service)',interface='\(properties)',member='PropertiesChanged'",
        "type='signal',sender='\(bus)',interface='\(bus)',member='NameOwnerChanged',arg0='\(service)'",
    ]
    /// Messages of one step.
    private static let batch = 256

    /// At boot, programs may be started before the bus is.
    private static let patience = 30 * Int64.second
    private static let greetingTime = 10 * Int64.second
    /// Longer than the bus allows for bluetoothd's being started by the call (system.conf, `service_start_timeout`).
    private static let listingTime = 30 * Int64.second

    private let addresses: String
    private var connection: DBusConnection?
    private var state = State.waiting
    private var backoff = Backoff()
    /// Until when a bus that was never there is waited for; `nil` before the first step.
    private var patienceEnd: Int64?
    /// How often the bus was connected to.
    private(set) var connections: UInt64 = 0
    /// When to call `step` though nothing is ready; at once in the beginning.
    private(set) var deadline: Int64? = .min

    /// - Parameter addresses: Of the bus (D-Bus Specification, "Server Addresses").
    init(_ addresses: String) { self.addresses = addresses }

    /// The descriptor to wait for.
    var interest: Poller.Interest? { connection?.interest }

    /// Does what can be done without waiting.
    ///
    /// - Returns: Whether all that waited was read.
    func step(now: Int64, into outputs: inout [Output]) -> Bool {
        patienceEnd = patienceEnd ?? now + Self.patience
        if let deadline, deadline <= now { timeOut(now, &outputs) }
        for _ in 0..<Self.batch {
            guard let connection else { return true }
            guard let message = connection.next() else {
                if !connection.isOpen { lose("the system bus has gone", now, &outputs) }
                return true
            }
            receive(message, now, &outputs)
        }
        return false
    }

    /// Calls a method of bluetoothd.
    ///
    /// - Returns: What the answer will carry; `nil` while there is no bus.
    func call(_ path: String, _ interface: String, _ method: String, _ arguments: [DBusValue] = []) -> UInt32? {
        connection?.send(.call(Self.service, path, interface, method, arguments))
    }

    /// Answers a call.
    func send(_ answer: DBusMessage) { connection?.send(answer) }

    /// Hangs up, and connects no more.
    func close() {
        connection = nil
        deadline = nil
    }

    // MARK: The course

    private func timeOut(_ now: Int64, _ outputs: inout [Output]) {
        deadline = nil
        switch state {
        case .waiting: connect(now, &outputs)
        case .greeting: lose("the system bus does not answer", now, &outputs)
        case .listing: fail(.init(state: .failed, detail: "bluetoothd does not answer"), again: true, now, &outputs)
        case .absent: list(now)
        case .present: break
        }
    }

    private func connect(_ now: Int64, _ outputs: inout [Output]) {
        do throws(DBusFailure) {
            let connection = try DBusConnection(addresses)
            self.connection = connection
            connections += 1
            state = .greeting(connection.send(.call(Self.bus, "/org/freedesktop/DBus", Self.bus, "Hello")))
            deadline = now + Self.greetingTime
        } catch {
            if connections == 0, error.mayPass, let patienceEnd, now < patienceEnd {
                deadline = min(now + .second, patienceEnd)
                return outputs.append(.awaited("no system bus at \(addresses) yet: \(error.message)"))
            }
            lose(error.message, isPermission: error.isPermission, now, &outputs)
        }
    }

    private func lose(_ reason: String, isPermission: Bool = false, _ now: Int64, _ outputs: inout [Output]) {
        connection = nil
        state = .waiting
        deadline = now + backoff.next()
        let detail = "no system bus at \(addresses): \(reason)"
        outputs.append(.went(.init(state: isPermission ? .unauthorized : .failed, detail: detail)))
    }

    private func list(_ now: Int64) {
        guard let connection else { return }
        state = .listing(connection.send(.call(Self.service, "/", Self.objectManager, "GetManagedObjects")))
        deadline = now + Self.listingTime
    }

    private func fail(_ status: BlueZScan.Status, again: Bool, _ now: Int64, _ outputs: inout [Output]) {
        state = .absent
        let delay = backoff.next()
        deadline = again ? now + delay : nil
        outputs.append(.went(status))
    }

    // MARK: Messages

    private func receive(_ message: DBusMessage, _ now: Int64, _ outputs: inout [Output]) {
        switch message.kind {
        case .methodReturn: answer(message, nil, now, &outputs)
        case .error:
            let text = message.arguments.first?.text ?? ""
            answer(message, DBusFailure(name: message.errorName ?? "", message: text), now, &outputs)
        case .signal: note(message, now, &outputs)
        case .methodCall: called(message, &outputs)
        case nil: break
        }
    }

    private func answer(_ message: DBusMessage, _ failure: DBusFailure?, _ now: Int64, _ outputs: inout [Output]) {
        switch state {
        case .greeting(message.replySerial):
            if let failure { return lose(failure.message, isPermission: failure.isPermission, now, &outputs) }
            for rule in Self.rules {
                connection?.send(.call(Self.bus, "/org/freedesktop/DBus", Self.bus, "AddMatch", [.string(rule)]))
            }
            list(now)
        case .listing(message.replySerial):
            guard let failure else {
                state = .present(message.sender ?? "")
                deadline = nil
                backoff.reset()
                return outputs.append(.came(message.arguments.first ?? .other))
            }
            if failure.isPermission {
                let detail = "bluetoothd may not be asked: \(failure.message); members of the group bluetooth may"
                return fail(.init(state: .unauthorized, detail: detail), again: true, now, &outputs)
            }
            // Whoever starts it is told to us by the bus.
            let detail = "bluetoothd does not run (\(failure.message)); systemctl start bluetooth starts it"
            fail(.init(state: .failed, detail: detail), again: false, now, &outputs)
        case .present: outputs.append(.answered(message.replySerial, failure))
        default: break
        }
    }

    private func note(_ message: DBusMessage, _ now: Int64, _ outputs: inout [Output]) {
        if message.sender == Self.bus {
            if message.member == "NameOwnerChanged" { changeOwner(message.arguments, now, &outputs) }
            return
        }
        guard case .present(message.sender) = state, let path = message.path else { return }
        let arguments = message.arguments
        switch (message.member, arguments.count) {
        case ("PropertiesChanged", 3...):
            outputs.append(
                .changed(
                    path: path, interface: arguments[0].text ?? "", properties: arguments[1],
                    unknown: arguments[2].elements.compactMap(\.text)))
        case ("InterfacesAdded", 2...):
            outputs.append(.added(path: arguments[0].text ?? "", interfaces: arguments[1]))
        case ("InterfacesRemoved", 2...):
            outputs.append(
                .removed(path: arguments[0].text ?? "", interfaces: arguments[1].elements.compactMap(\.text)))
        default: break
        }
    }

    /// Arguments: the name, who had it, who has it.
    private func changeOwner(_ arguments: [DBusValue], _ now: Int64, _ outputs: inout [Output]) {
        guard arguments.count == 3, arguments[0].text == Self.service else { return }
        switch state {
        case .waiting, .greeting: return
        case .listing where arguments[1].text == "": return
        case .listing, .absent, .present: break
        }
        if arguments[1].text != "" {
            let detail = "bluetoothd has ended; systemctl start bluetooth starts it"
            fail(.init(state: .failed, detail: detail), again: false, now, &outputs)
        }
        if arguments[2].text != "" { list(now) }
    }

    private func called(_ message: DBusMessage, _ outputs: inout [Output]) {
        if case .present(message.sender) = state { return outputs.append(.called(message)) }
        guard message.wantsReply else { return }
        connection?.send(message.failure("org.freedesktop.DBus.Error.AccessDenied", "this is for bluetoothd"))
    }
}
