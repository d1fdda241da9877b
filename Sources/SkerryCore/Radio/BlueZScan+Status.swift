extension BlueZScan {
    /// Why a call was refused: a D-Bus error's name and text.
    public struct Refusal: Equatable, Sendable {
        /// Such as `org.bluez.Error.NotReady`.
        public var name: String
        /// A sentence, or a few words.
        public var message: String

        /// A refusal.
        public init(name: String, message: String) {
            self.name = name
            self.message = message
        }
    }

    /// What the user should know.
    public struct Status: Equatable, Sendable {
        /// The state of the source.
        public var state: ScannerState
        /// Why, and what to do.
        public var detail: String?
        /// Whether a beacon is heard only once in a scan.
        public var filtersDuplicates: Bool

        /// A status.
        public init(state: ScannerState, detail: String?, filtersDuplicates: Bool = false) {
            self.state = state
            self.detail = detail
            self.filtersDuplicates = filtersDuplicates
        }
    }
}

extension BlueZScan.Status {
    /// It hears every advertisement.
    static let listening = BlueZScan.Status(state: .listening, detail: nil)

    /// It hears what the controller reports once in a scan, for want of a monitor.
    static func filtering(_ reason: String) -> BlueZScan.Status {
        let period = BlueZScan.filteredScan / .second
        return BlueZScan.Status(
            state: .listening, detail: "a beacon may be heard only once in \(period) s, because \(reason)",
            filtersDuplicates: true)
    }

    static let poweredOff = BlueZScan.Status(
        state: .poweredOff,
        detail: "the adapter is switched off; bluetoothctl power on switches it on, "
            + "if need be after rfkill unblock bluetooth")

    /// A call on which scanning depends was refused.
    init(_ refusal: BlueZScan.Refusal) {
        switch refusal.name {
        case "org.bluez.Error.NotReady": self = .poweredOff
        case "org.bluez.Error.NotSupported":
            self.init(state: .unsupported, detail: "the adapter can't scan for LE: \(refusal.message)")
        case "org.freedesktop.DBus.Error.AccessDenied", "org.bluez.Error.NotAuthorized", "org.bluez.Error.NotPermitted":
            self.init(
                state: .unauthorized,
                detail: "bluetoothd refuses: \(refusal.message); members of the group bluetooth may ask it")
        default: self.init(state: .failed, detail: "bluetoothd refuses: \(refusal.message)")
        }
    }
}
