/// The advertisement monitor that bluetoothd asks us for (org.bluez.AdvertisementMonitor(5)): an application of ours for each
/// adapter, with one object.
///
/// It is there for its effect on the controller's filter; what matches is heard by the discovery beside it.
struct BlueZMonitor {
    /// What a call comes to.
    enum Event {
        case activated, released
    }

    private static let interface = "org.bluez.AdvertisementMonitor1"
    /// What beacons begin with: iBeacon, AltBeacon, Eddystone. Offset, AD type, bytes.
    private static let patterns: [(offset: UInt8, type: UInt8, bytes: [UInt8])] = [
        (0, 0xFF, [0x4C, 0x00, 0x02, 0x15]), (2, 0xFF, [0xBE, 0xAC]), (0, 0x16, [0xAA, 0xFE]),
    ]

    /// The application's path, with which it is registered.
    let path: String
    private var objectPath: String { path + "/beacons" }

    /// - Parameter adapter: The adapter's path.
    init(adapter: String) { path = "/skerry" + adapter }

    /// Answers a call of bluetoothd, if it is for this application.
    ///
    /// - Returns: The answer, and what it means; `nil` where it is for another.
    func answer(_ call: DBusMessage) -> (message: DBusMessage, event: Event?)? {
        guard let called = call.path, called == path || called == objectPath else { return nil }
        let isObject = called == objectPath
        switch (call.interface, call.member) {
        case (BlueZClient.objectManager, "GetManagedObjects") where !isObject:
            let interfaces = DBusValue.array([.entry(.string(Self.interface), Self.properties)], of: "{sa{sv}}")
            let objects = DBusValue.array([.entry(.objectPath(objectPath), interfaces)], of: "{oa{sa{sv}}}")
            return (call.reply([objects]), nil)
        case ("org.freedesktop.DBus.Properties", "GetAll") where isObject: return (call.reply([Self.properties]), nil)
        case (Self.interface, "Activate") where isObject: return (call.reply([]), .activated)
        case (Self.interface, "Release") where isObject: return (call.reply([]), .released)
        case (Self.interface, "DeviceFound") where isObject: return (call.reply([]), nil)
        case (Self.interface, "DeviceLost") where isObject: return (call.reply([]), nil)
        default:
            let name = "org.freedesktop.DBus.Error.UnknownMethod"
            return (call.failure(name, "\(called) has no method \(call.member ?? "")"), nil)
        }
    }

    private static var properties: DBusValue {
        let patterns = Self.patterns.map { pattern in
            DBusValue.structure([.byte(pattern.offset), .byte(pattern.type), .bytes(pattern.bytes)])
        }
        return .properties(["Type": .string("or_patterns"), "Patterns": .array(patterns, of: "(yyay)")])
    }
}
