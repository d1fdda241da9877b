import Testing

@testable import SkerryCore

@Suite("What doctor says")
struct DiagnosisTests {
    private static let adapter = Machine.AdapterState(
        name: "hci0", address: DeviceAddress(bits: 0x00_5E_00_53_02_01), isUp: true, hasLowEnergy: true,
        controller: ControllerAbilities(version: 11, hasExtendedScanning: true))

    /// A machine on which all is well, and what is different on another one.
    private static func machine(_ change: (inout Machine) -> Void = { _ in }) -> Machine {
        var machine = Machine()
        machine.bluetooth = .adapters([adapter])
        machine.capabilities = [.netRaw, .netAdmin]
        machine.program = "/usr/local/bin/skerry"
        machine.gpsd = .answers(release: "3.25")
        machine.isClockSynchronised = true
        change(&machine)
        return machine
    }

    private static func with(_ change: (inout Machine.AdapterState) -> Void) -> Machine.Bluetooth {
        var changed = adapter
        change(&changed)
        return .adapters([changed])
    }

    @Test("all is well")
    func well() {
        let diagnosis = Diagnosis(Self.machine())
        #expect(diagnosis.obstacle == nil)
        #expect(
            diagnosis.findings == [
                Finding(.adapter, .ok, "hci0 is on, 00:5E:00:53:02:01, Bluetooth 5.2, extended advertising"),
                Finding(.capabilities, .ok, "CAP_NET_RAW and CAP_NET_ADMIN"),
                Finding(.bluetoothd, .ok, "bluetoothd does not run; it is not needed"),
                Finding(.gpsd, .ok, "gpsd 3.25 answers at 127.0.0.1:2947"),
                Finding(.clock, .ok, "the clock is kept right"),
            ])
    }

    /// What is different, the obstacle, and the findings that are not ok: topic, level, fix.
    struct Case: Sendable {
        let name: String
        let obstacle: Diagnosis.Obstacle?
        let findings: [String]
        let change: @Sendable (inout Machine) -> Void

        init(
            _ name: String, _ obstacle: Diagnosis.Obstacle?, _ findings: [String],
            change: @escaping @Sendable (inout Machine) -> Void
        ) {
            (self.name, self.obstacle, self.findings, self.change) = (name, obstacle, findings, change)
        }
    }

    private static let grant = "sudo setcap cap_net_raw,cap_net_admin+ep '/usr/local/bin/skerry'"

    private static let cases = [
        Case("no Bluetooth", .adapter, ["adapter problem sudo modprobe bluetooth"]) { $0.bluetooth = .missing },
        Case("a strange kernel", .adapter, ["adapter problem -"]) { $0.bluetooth = .unreadable("Input/output error") },
        Case(
            "no adapter", .adapter,
            ["adapter problem plug one in; 'sudo dmesg | grep -i bluetooth' tells of one that does not start"]
        ) { $0.bluetooth = .adapters([]) },
        Case("down", .adapter, ["adapter problem sudo hciconfig hci0 up"]) {
            $0.bluetooth = with { $0.isUp = false }
        },
        Case("down, bluetoothd can", .adapter, ["adapter problem bluetoothctl power on"]) {
            $0.bluetooth = with { $0.isUp = false }
            $0.bluetoothd = Machine.BluetoothDaemon(isExperimental: true)
        },
        Case("CAP_NET_RAW alone", nil, ["capabilities note " + grant]) { $0.capabilities = .netRaw },
        Case("blocked", .adapter, ["rfkill problem sudo rfkill unblock bluetooth"]) {
            $0.bluetooth = with { $0.block = .soft }
        },
        Case("blocked by a switch", .adapter, ["rfkill problem use the switch; 'rfkill list' shows it"]) {
            $0.bluetooth = with { $0.block = .hard }
        },
        Case("no LE", .adapter, ["adapter problem use another adapter"]) {
            $0.bluetooth = with { $0.hasLowEnergy = false }
        },
        Case("one of two works", nil, ["rfkill note sudo rfkill unblock bluetooth"]) {
            var blocked = adapter
            blocked.block = .soft
            $0.bluetooth = .adapters([blocked, adapter])
        },
        Case("no privilege", .permission, ["capabilities problem " + grant]) { $0.capabilities = [] },
        Case("CAP_NET_ADMIN alone hears nothing", .permission, ["capabilities problem " + grant]) {
            $0.capabilities = .netAdmin
        },
        Case("no privilege, though the file has it", .permission, ["capabilities problem sudo skerry scan"]) {
            $0.capabilities = []
            $0.fileCapabilities = .netRaw
        },
        Case(
            "no privilege, no adapter", .adapter,
            ["rfkill problem sudo rfkill unblock bluetooth", "capabilities problem " + grant]
        ) {
            $0.capabilities = []
            $0.bluetooth = with { $0.block = .soft }
        },
        Case("bluetoothd scans for everybody", nil, ["capabilities note " + grant]) {
            $0.capabilities = []
            $0.bluetoothd = Machine.BluetoothDaemon(isExperimental: true)
        },
        Case(
            "bluetoothd without its experimental interfaces", nil,
            ["bluetoothd note sudo systemctl edit bluetooth, and add --experimental to ExecStart"]
        ) { $0.bluetoothd = Machine.BluetoothDaemon(isExperimental: false) },
        Case(
            "another scanner", nil,
            ["scanners note skerry scan --backend monitor listens beside others, --exclusive keeps them out"]
        ) { $0.scanners = ["hcitool (process 7)"] },
        Case("no gpsd", nil, ["gpsd note sudo apt install gpsd"]) {
            $0.gpsd = .silent(reason: "Connection refused at 127.0.0.1:2947", isInstalled: false)
        },
        Case("a gpsd that does not run", nil, ["gpsd note sudo systemctl start gpsd.socket"]) {
            $0.gpsd = .silent(reason: "Connection refused at 127.0.0.1:2947", isInstalled: true)
        },
        Case("nobody keeps the clock", nil, ["clock note sudo timedatectl set-ntp true"]) {
            $0.isClockSynchronised = false
        },
        Case("nothing is known of the clock", nil, []) { $0.isClockSynchronised = nil },
    ]

    @Test("what is missing, and what changes it", arguments: cases)
    func missing(_ example: Case) {
        let diagnosis = Diagnosis(Self.machine(example.change))
        let findings = diagnosis.findings.filter { $0.level != .ok }.map { finding in
            "\(finding.topic) \(finding.level) \(finding.fix ?? "-")"
        }
        #expect(findings == example.findings && diagnosis.obstacle == example.obstacle, "\(example.name)")
        #expect((diagnosis.obstacle == nil) == !diagnosis.findings.contains { $0.level == .problem }, "\(example.name)")
    }
}
