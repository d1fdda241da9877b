public import SkerryCore

/// Looks at this machine.
public enum MachineProbe {
    /// What of it matters to scanning; takes two seconds at most.
    public static func probe() -> Machine {
        var machine = Machine()
        let daemon = BluetoothDaemon()
        machine.bluetoothd = daemon.map { Machine.BluetoothDaemon(isExperimental: $0.isExperimental) }
        // Before sockets of our own are open.
        machine.scanners = ProcessProbe.scanners(hasDaemon: daemon != nil)
        machine.bluetooth = AdapterProbe.probe()
        (machine.capabilities, machine.fileCapabilities) = (.ofThisProcess, .ofThisProgram)
        machine.program = Folder.link("/proc/self/exe") ?? "skerry"
        machine.gpsd = GPSDProbe.probe()
        machine.isClockSynchronised = ClockProbe.isSynchronised
        return machine
    }
}
