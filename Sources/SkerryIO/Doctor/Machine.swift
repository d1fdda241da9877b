import SkerryCore

/// What of a machine matters to scanning, as it was found; `Diagnosis` says what that means.
public struct Machine: Equatable, Sendable {
    /// Bluetooth of the kernel.
    enum Bluetooth: Equatable {
        case adapters([AdapterState])
        /// The kernel has none.
        case missing
        /// It can't be asked.
        case unreadable(String)
    }

    /// An adapter and what its controller can do.
    struct AdapterState: Equatable {
        var name: String
        var address: DeviceAddress
        var isUp: Bool
        var block: Adapter.Block?
        /// `nil` where the kernel does not know it yet.
        var hasLowEnergy: Bool?
        /// `nil` where it could not be asked, as while it is off.
        var controller: ControllerAbilities?
    }

    /// BlueZ's daemon.
    struct BluetoothDaemon: Equatable {
        /// Whether its experimental interfaces are on, of which passive scanning is one (BlueZ 5.66).
        var isExperimental: Bool
    }

    /// Whether there is a gpsd on this machine.
    enum GPSD: Equatable {
        case answers(release: String)
        case missing(String)
    }

    var bluetooth = Bluetooth.adapters([])
    /// What this process may do.
    var capabilities: Capabilities = []
    /// What the program's file gives to who starts it.
    var fileCapabilities: Capabilities = []
    /// The program's file.
    var program = "skerry"
    var bluetoothd: BluetoothDaemon?
    /// Other programs with sockets to Bluetooth controllers; a number in place of a name that may not be seen.
    var scanners: [String] = []
    var gpsd = GPSD.missing("")
    /// `nil` where that can't be asked.
    var isClockSynchronised: Bool?

    init() {}

    /// Looks at this machine; takes two seconds at most.
    public static func probe() -> Machine {
        var machine = Machine()
        let processes = ProcessProbe()
        // Before sockets of our own are open.
        machine.scanners = processes.scanners
        machine.bluetoothd = processes.bluetoothd
        machine.bluetooth = AdapterProbe.probe()
        (machine.capabilities, machine.fileCapabilities) = (.ofThisProcess, .ofThisProgram)
        machine.program = Folder.link("/proc/self/exe") ?? "skerry"
        machine.gpsd = GPSDProbe.probe()
        machine.isClockSynchronised = ClockProbe.isSynchronised
        return machine
    }
}
