import Testing

@testable import SkerryIO

@Suite("Looking at a machine")
struct ProbeTests {
    @Test(
        "privileges of a process",
        arguments: [
            ("Name:\tx\nCapInh:\t0000000000003000\nCapEff:\t0000000000002000\n", Capabilities.netRaw),
            ("CapEff:\t000001ffffffffff\n", Capabilities(rawValue: 0x1FF_FFFF_FFFF)),
            ("CapEff:\t0000000000000000\n", []), ("CapEff:\tx\n", []), ("", []),
        ] as [(String, Capabilities)])
    func process(status: String, found: Capabilities) {
        #expect(Capabilities(status: status) == found)
    }

    /// The first two as `setcap cap_net_raw,cap_net_admin+ep` and `+p` write them.
    @Test(
        "privileges of a file",
        arguments: [
            ([1, 0, 0, 2, 0, 0x30, 0, 0] + [UInt8](repeating: 0, count: 12), [.netRaw, .netAdmin]),
            ([0, 0, 0, 2, 0, 0x30, 0, 0] + [UInt8](repeating: 0, count: 12), []),
            ([1, 0, 0, 3, 0, 0x20, 0, 0] + [UInt8](repeating: 0, count: 16), .netRaw), ([1, 0, 0, 2], []), ([], []),
        ] as [([UInt8], Capabilities)])
    func file(attribute: [UInt8], found: Capabilities) {
        #expect(Capabilities(attribute: attribute) == found)
    }

    @Test("what a controller says of itself")
    func controller() {
        var abilities = ControllerAbilities()
        let commands = [UInt8](repeating: 0, count: 37) + [0x60] + [UInt8](repeating: 0, count: 26)
        // Of others: a refusal, another command, a report, nothing.
        for event: [UInt8] in [
            [0x0E, 4, 1, 0x01, 0x10, 0x0C], [0x0E, 5, 1, 0x0C, 0x20, 0, 0], [0x3E, 2, 1, 0], [],
            [0x0E, 10, 1, 0x02, 0x10, 0, 1],
        ] { abilities.receive(event) }
        #expect(abilities == ControllerAbilities())
        abilities.receive([0x0E, 12, 1, 0x01, 0x10, 0, 0x0B, 1, 0, 0x0B, 2, 0, 1, 0])
        #expect(abilities.versionName == "5.2" && !abilities.isComplete)
        abilities.receive([0x0E, 68, 1, 0x02, 0x10, 0] + commands)
        #expect(abilities.hasExtendedScanning == true && abilities.isComplete)
        abilities.receive([0x0E, 68, 1, 0x02, 0x10, 0] + commands.map { $0 & 0x20 })
        #expect(abilities.hasExtendedScanning == false)
        #expect(ControllerAbilities(version: 99).versionName == "HCI version 99")
    }

    /// As Linux 6.1 writes it.
    @Test func sockets() {
        let table = """
            sk               RefCnt Rmem   Wmem   User   Inode  Parent
            00000000d9df63d7 2      0      0      0      9123   0
            000000007be4ad82 2      0      0      1000   9456   0

            """
        #expect(ProcessProbe.inodes(in: table) == [9123, 9456])
        #expect(ProcessProbe.inodes(in: "").isEmpty && ProcessProbe.inodes(in: "x\nshort line").isEmpty)
        #expect(ProcessProbe.inode("socket:[9123]") == 9123)
        for link in [nil, "pipe:[9123]", "socket:[]", "socket:[x]", "/dev/null"] {
            #expect(ProcessProbe.inode(link) == nil)
        }
    }

    @Test(
        "bluetoothd's experimental interfaces",
        arguments: [
            (["bluetoothd"], "", false), (["bluetoothd", "-E"], "", true),
            (["bluetoothd", "--experimental"], "", true),
            (["bluetoothd"], "[General]\nExperimental = true\n", true), (["bluetoothd"], "Experimental=true", true),
            (["bluetoothd"], "#Experimental = true\nExperimental = false\nKernelExperimental = true", false),
        ])
    func experimental(words: [String], configuration: String, found: Bool) {
        #expect(ProcessProbe.isExperimental(words: words, configuration: configuration) == found)
    }

    @Test("this machine can be looked at, whatever it is")
    func here() {
        let machine = Machine.probe()
        #expect(!Diagnosis(machine).findings.isEmpty && machine.program.hasPrefix("/"))
    }
}
