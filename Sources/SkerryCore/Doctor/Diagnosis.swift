/// What the state of a machine means for scanning, and what changes it.
public struct Diagnosis: Equatable, Sendable {
    /// Why nothing could be heard.
    public enum Obstacle: Sendable {
        /// No adapter can be used.
        case adapter
        /// This program may not use it.
        case permission
    }

    /// In the order of the checks.
    public private(set) var findings: [Finding] = []
    /// `nil` where scanning works.
    public private(set) var obstacle: Obstacle?

    private let machine: Machine
    private var mayScan: Bool { machine.capabilities.contains(.netRaw) }
    private var maySwitchOn: Bool { machine.capabilities.contains(.netAdmin) }

    /// Judges a machine.
    public init(_ machine: Machine) {
        self.machine = machine
        checkAdapters()
        checkCapabilities()
        checkBluetoothd()
        if !machine.scanners.isEmpty {
            add(
                .scanners, .note,
                "also on the adapters: \(machine.scanners.joined(separator: ", ")); who ends a scan ends it for all",
                fix: "skerry scan --backend monitor listens beside others, --exclusive keeps them out")
        }
        checkGPSD()
        checkClock()
    }

    private mutating func add(_ topic: Finding.Topic, _ level: Finding.Level, _ message: String, fix: String? = nil) {
        findings.append(Finding(topic, level, message, fix: fix))
    }

    // MARK: Adapters

    private mutating func checkAdapters() {
        obstacle = .adapter
        switch machine.bluetooth {
        case .missing:
            add(.adapter, .problem, "this kernel has no Bluetooth", fix: "sudo modprobe bluetooth")
        case .unreadable(let reason):
            add(.adapter, .problem, "the kernel's Bluetooth can't be asked: \(reason)")
        case .adapters(let adapters):
            if adapters.isEmpty {
                add(
                    .adapter, .problem, "there is no Bluetooth adapter",
                    fix: "plug one in; 'sudo dmesg | grep -i bluetooth' tells of one that does not start")
            }
            // One that works is enough.
            let anyWorks = adapters.contains(where: works)
            if anyWorks { obstacle = nil }
            for adapter in adapters { check(adapter, level: anyWorks ? .note : .problem) }
        }
    }

    private func works(_ adapter: Machine.AdapterState) -> Bool {
        adapter.hasLowEnergy != false && adapter.block == nil && adapter.isUp
    }

    private mutating func check(_ adapter: Machine.AdapterState, level: Finding.Level) {
        let name = adapter.name
        guard adapter.hasLowEnergy != false else {
            return add(.adapter, level, "\(name) can't do Bluetooth LE", fix: "use another adapter")
        }
        switch adapter.block {
        case .soft:
            return add(.rfkill, level, "\(name) is blocked by software", fix: "sudo rfkill unblock bluetooth")
        case .hard:
            return add(.rfkill, level, "\(name) is blocked by a switch", fix: "use the switch; 'rfkill list' shows it")
        case nil: break
        }
        guard adapter.isUp else {
            let command = machine.bluetoothd == nil ? "sudo hciconfig \(name) up" : "bluetoothctl power on"
            return add(.adapter, level, "\(name) is switched off", fix: command)
        }
        let facts = [
            adapter.controller?.versionName.map { "Bluetooth \($0)" },
            adapter.controller?.hasExtendedScanning.map { $0 ? "extended advertising" : "no extended advertising" },
        ]
        let text = ["\(name) is on", adapter.address.text] + facts.compactMap(\.self)
        add(.adapter, .ok, text.joined(separator: ", "))
    }

    // MARK: Privileges

    private mutating func checkCapabilities() {
        let program = machine.program
        let grant = "sudo setcap cap_net_raw,cap_net_admin+ep '\(program)'"
        switch (mayScan, maySwitchOn) {
        case (true, true): add(.capabilities, .ok, "CAP_NET_RAW and CAP_NET_ADMIN")
        case (true, false):
            add(
                .capabilities, .note,
                "CAP_NET_RAW, but not CAP_NET_ADMIN: --exclusive fails, and an adapter that hangs is not switched off and on",
                fix: grant)
        case (false, _):
            let isUseless = !machine.fileCapabilities.isEmpty
            let reason = isUseless ? "; those of the file have no effect here (nosuid, no_new_privs)" : ""
            // bluetoothd scans for everybody.
            guard machine.bluetoothd == nil else {
                return add(
                    .capabilities, .note, "no CAP_NET_RAW\(reason): only --backend bluez can scan",
                    fix: isUseless ? nil : grant)
            }
            if obstacle == nil { obstacle = .permission }
            add(.capabilities, .problem, "no CAP_NET_RAW\(reason)", fix: isUseless ? "sudo skerry scan" : grant)
        }
    }

    // MARK: Programs

    private mutating func checkBluetoothd() {
        guard let daemon = machine.bluetoothd else {
            return add(.bluetoothd, .ok, "bluetoothd does not run; it is not needed")
        }
        guard daemon.isExperimental else {
            return add(
                .bluetoothd, .note,
                "bluetoothd runs without its experimental interfaces: --backend bluez hears each beacon seldom",
                fix: "sudo systemctl edit bluetooth, and add --experimental to ExecStart")
        }
        add(.bluetoothd, .ok, "bluetoothd runs with its experimental interfaces")
    }

    private mutating func checkGPSD() {
        switch machine.gpsd {
        case .answers(let release): add(.gpsd, .ok, "gpsd \(release) answers at 127.0.0.1:2947")
        case .silent(let reason, let isInstalled):
            let what = isInstalled ? "gpsd is installed, but does not answer" : "gpsd is not installed"
            add(
                .gpsd, .note, "\(what) (\(reason)): beacons, but no places",
                fix: isInstalled ? "sudo systemctl start gpsd.socket" : "sudo apt install gpsd")
        }
    }

    private mutating func checkClock() {
        switch machine.isClockSynchronised {
        case true?: add(.clock, .ok, "the clock is kept right")
        case false?:
            add(
                .clock, .note, "nobody keeps the clock right: the times of events may be wrong",
                fix: "sudo timedatectl set-ntp true")
        case nil: break
        }
    }
}

extension DeviceAddress {
    fileprivate var text: String {
        stride(from: 40, through: 0, by: -8).map { shift in
            let byte = String(bits >> UInt64(shift) & 0xFF, radix: 16, uppercase: true)
            return byte.count < 2 ? "0" + byte : byte
        }.joined(separator: ":")
    }
}
