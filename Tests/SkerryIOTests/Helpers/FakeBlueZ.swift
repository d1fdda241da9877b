@testable import SkerryIO

/// bluetoothd as far as a scan needs it, on a bus of the test's. It does nothing but in `proceed`.
final class FakeBlueZ {
    /// Errors that calls are refused with, by method.
    var refusals: [String: String] = [:]
    /// Methods that are not answered.
    var silent: Set<String> = []
    /// Methods called so far, in order.
    private(set) var calls: [String] = []
    /// What its filter of discovery said.
    private(set) var filter: DBusValue?
    /// What the monitors are, as the application told it.
    private(set) var monitors: DBusValue?
    private let hasMonitors: Bool
    private let hasAdapter: Bool
    private let adapter: String
    private let address: String
    private var isPowered: Bool
    private var connection: DBusConnection
    private var asked: UInt32?
    /// Who registered, the path, and the call.
    private var registered: (name: String, path: String, call: DBusMessage)?

    static let interface = "org.bluez.Adapter1"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let objectManager = "org.freedesktop.DBus.ObjectManager"

    init(
        _ bus: String, adapter: String = "/org/bluez/hci0", hasMonitors: Bool, isPowered: Bool = true,
        hasAdapter: Bool = true
    ) throws {
        self.hasAdapter = hasAdapter
        address = bus
        connection = try DBusConnection(bus)
        self.adapter = adapter
        self.hasMonitors = hasMonitors
        self.isPowered = isPowered
        ask("Hello")
    }

    @discardableResult
    private func ask(_ method: String, _ arguments: [DBusValue] = []) -> UInt32 {
        let bus = "org.freedesktop.DBus"
        return connection.send(.call(bus, "/org/freedesktop/DBus", bus, method, arguments))
    }

    /// Takes the name, and waits until it has it; before, bluetoothd is not there.
    func appear() {
        // Where much runs at once, the bus may end a caller whom it did not get to know in time.
        for _ in 0..<5 {
            let request = ask("RequestName", [.string("org.bluez"), .uint32(4)])
            while let message = connection.wait(seconds: 10) {
                if message.replySerial == request { return }
            }
            guard let another = try? DBusConnection(address) else { continue }
            connection = another
            ask("Hello")
        }
    }

    func proceed() {
        while let message = connection.next() {
            switch message.kind {
            case .methodCall: answer(message)
            case .methodReturn where message.replySerial == asked: activate(message)
            default: break
            }
        }
    }

    private func answer(_ call: DBusMessage) {
        let method = call.member ?? ""
        calls.append(method)
        guard !silent.contains(method) else { return }
        if let name = refusals[method] {
            connection.send(call.failure(name, "not now"))
            return
        }
        switch method {
        case "GetManagedObjects": connection.send(call.reply([objects]))
        case "RegisterMonitor":
            registered = (call.sender ?? "", call.arguments.first?.text ?? "", call)
            asked = connection.send(
                .call(registered!.name, registered!.path, Self.objectManager, "GetManagedObjects"))
        case "SetDiscoveryFilter":
            filter = call.arguments.first
            connection.send(call.reply())
        case "StartDiscovery", "StopDiscovery":
            connection.send(call.reply())
            change(["Discovering": .boolean(method == "StartDiscovery")])
        default: connection.send(call.reply())
        }
    }

    private func activate(_ reply: DBusMessage) {
        guard let registered else { return }
        monitors = reply.arguments.first
        connection.send(registered.call.reply())
        callMonitor("Activate")
    }

    /// Calls a method of the first monitor.
    func callMonitor(_ method: String) {
        guard let registered, let path = monitors?.entries.first?.key.text else { return }
        connection.send(.call(registered.name, path, "org.bluez.AdvertisementMonitor1", method))
    }

    private var objects: DBusValue {
        let manager = ("org.bluez.AgentManager1", DBusValue.properties([:]))
        guard hasAdapter else {
            return .array([.entry(.objectPath("/org/bluez"), interfaces([manager]))], of: "{oa{sa{sv}}}")
        }
        let device = adapter + "/dev_C0_00_00_00_00_09"
        return .array(
            [
                .entry(.objectPath("/org/bluez"), interfaces([manager])),
                .entry(.objectPath(adapter), interfaces(adapterInterfaces)),
                .entry(.objectPath(device), interfaces([("org.bluez.Device1", .properties(["RSSI": .int16(-40)]))])),
            ], of: "{oa{sa{sv}}}")
    }

    private var adapterInterfaces: [(String, DBusValue)] {
        let properties = DBusValue.properties([
            "Address": .string("00:5E:00:53:02:01"), "Powered": .boolean(isPowered), "Discovering": .boolean(false),
        ])
        let manager = ("org.bluez.AdvertisementMonitorManager1", DBusValue.properties([:]))
        return [(Self.interface, properties)] + (hasMonitors ? [manager] : [])
    }

    private func interfaces(_ interfaces: [(String, DBusValue)]) -> DBusValue {
        .array(interfaces.map { .entry(.string($0.0), $0.1) }, of: "{sa{sv}}")
    }

    /// Properties of the adapter change.
    func change(_ properties: KeyValuePairs<String, DBusValue>) {
        for case ("Powered", .boolean(let value)) in properties { isPowered = value }
        signalChange(adapter, Self.interface, .properties(properties))
    }

    /// A device is heard, as bluetoothd tells it.
    func hear(_ device: String, _ properties: KeyValuePairs<String, DBusValue>, isNew: Bool = false) {
        let path = adapter + "/" + device
        if isNew {
            connection.send(
                .signal(
                    "/", Self.objectManager, "InterfacesAdded",
                    [.objectPath(path), interfaces([("org.bluez.Device1", .properties(properties))])]))
        } else {
            signalChange(path, "org.bluez.Device1", .properties(properties))
        }
    }

    private func signalChange(_ path: String, _ interface: String, _ properties: DBusValue) {
        connection.send(
            .signal(
                path, Self.properties, "PropertiesChanged",
                [.string(interface), properties, .array([], of: "s")]))
    }

    /// The adapter is pulled out, or in.
    func remove() {
        connection.send(
            .signal(
                "/", Self.objectManager, "InterfacesRemoved",
                [.objectPath(adapter), .array([.string(Self.interface)], of: "s")]))
    }
    func add() {
        connection.send(
            .signal(
                "/", Self.objectManager, "InterfacesAdded", [.objectPath(adapter), interfaces(adapterInterfaces)]))
    }
}

extension DBusConnection {
    /// The next message, waiting for it.
    func wait(seconds: Int64) -> DBusMessage? {
        var poller = Poller()
        let end = MachineClock.monotonic + seconds * 1_000_000
        while MachineClock.monotonic < end {
            if let message = next() { return message }
            _ = try? poller.wait(for: [interest], until: end)
        }
        return nil
    }
}
