import SkerryCore
import Testing

@testable import SkerryIO

@Suite("Looking at a machine")
struct ProbeTests {
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
        #expect(BluetoothDaemon.isExperimental(words: words, configuration: configuration) == found)
    }

    @Test func programsAreFound() throws {
        let folder = try TestFolder()
        let path = String(try folder.file("other", []).dropLast("/other".count))
        #expect(!Folder.holds(program: "other", in: ["/nowhere", path]), "not to be run")
        _ = try folder.program("gpsd", "exit 0")
        #expect(Folder.holds(program: "gpsd", in: ["/nowhere", path]))
        #expect(!Folder.holds(program: "gpsd", in: ["/nowhere"]))
        #expect(GPSDProbe.isInstalled(path: "/nowhere:" + path))
    }

    @Test("a gpsd that nobody started")
    func silent() throws {
        let port = try LoopbackServer().port
        let address = try #require(GPSDAddress("gpsd://127.0.0.1:\(port)"))
        #expect(
            GPSDProbe.probe(address)
                == .silent(reason: "Connection refused at 127.0.0.1:\(port)", isInstalled: GPSDProbe.isInstalled()))
    }

    @Test("this machine can be looked at, whatever it is")
    func here() {
        let machine = MachineProbe.probe()
        #expect(!Diagnosis(machine).findings.isEmpty && machine.program.hasPrefix("/"))
    }
}
