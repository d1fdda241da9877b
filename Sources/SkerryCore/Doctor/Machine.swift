/// What of a machine matters to scanning, as it was found; `Diagnosis` says what that means.
public struct Machine: Equatable, Sendable {
    /// Bluetooth of the kernel.
    public enum Bluetooth: Equatable, Sendable {
        /// It has these, maybe none.
        case adapters([AdapterState])
        /// The kernel has none.
        case missing
        /// It can't be asked, and why.
        case unreadable(String)
    }

    /// An adapter and what its controller can do.
    public struct AdapterState: Equatable, Sendable {
        /// `hci0`.
        public var name: String
        /// Its public address.
        public var address: DeviceAddress
        /// Whether it is switched on.
        public var isUp: Bool
        /// Why it can't be switched on; `nil` where it can.
        public var block: RadioBlock?
        /// `nil` where the kernel does not know it yet.
        public var hasLowEnergy: Bool?
        /// `nil` where it could not be asked, as while it is off.
        public var controller: ControllerAbilities?

        /// An adapter as it was found.
        public init(
            name: String, address: DeviceAddress, isUp: Bool, block: RadioBlock? = nil, hasLowEnergy: Bool?,
            controller: ControllerAbilities?
        ) {
            self.name = name
            self.address = address
            self.isUp = isUp
            self.block = block
            self.hasLowEnergy = hasLowEnergy
            self.controller = controller
        }
    }

    /// BlueZ's daemon.
    public struct BluetoothDaemon: Equatable, Sendable {
        /// Whether its experimental interfaces are on, of which passive scanning is one (BlueZ 5.66).
        public var isExperimental: Bool

        /// A daemon that runs.
        public init(isExperimental: Bool) { self.isExperimental = isExperimental }
    }

    /// Whether there is a gpsd on this machine.
    public enum GPSD: Equatable, Sendable {
        /// It runs.
        case answers(release: String)
        /// It does not answer, and why.
        case silent(reason: String, isInstalled: Bool)
    }

    /// Its adapters.
    public var bluetooth = Bluetooth.adapters([])
    /// What this process may do.
    public var capabilities: Capabilities = []
    /// What the program's file gives to who starts it.
    public var fileCapabilities: Capabilities = []
    /// The program's file.
    public var program = "skerry"
    /// BlueZ's daemon, where it runs.
    public var bluetoothd: BluetoothDaemon?
    /// Other programs with sockets to Bluetooth controllers; a number in place of a name that may not be seen.
    public var scanners: [String] = []
    /// The gpsd at its usual place.
    public var gpsd = GPSD.silent(reason: "", isInstalled: false)
    /// `nil` where that can't be asked.
    public var isClockSynchronised: Bool?

    /// A machine of which nothing is known yet.
    public init() {}
}
