import Foundation
import Testing

extension EndToEndTests {
    /// Scans that do not come to hear anything.
    @Suite struct ScanStartTests {
        /// A bus that never answers.
        private final class SilentBus {
            let folder: TemporaryFolder
            private let number: Int32

            init() throws {
                folder = try TemporaryFolder()
                number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
                let length = socklen_t(MemoryLayout<sockaddr_un>.size)
                let isBound = withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) == 0 }
                }
                try #require(isBound && listen(number, 8) == 0)
            }

            deinit { close(number) }

            var path: String { folder.path("bus") }
        }

        /// Statistics and the end are asked for while bluetoothd is waited for.
        @Test func aScanThatIsAskedToEndBeforeItBeginsEndsInOrder() throws {
            let bus = try SilentBus()
            let process = Program.process(
                ["scan", "--backend", "bluez"], output: try bus.folder.create("output"),
                errors: try bus.folder.create("errors"))
            process.environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bus.path)"]
            try Program.start(process)
            Thread.sleep(forTimeInterval: 1)
            kill(process.processIdentifier, SIGUSR1)
            Thread.sleep(forTimeInterval: 0.3)
            #expect(process.isRunning)
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 0)
            #expect(try bus.folder.read("output").isEmpty && bus.folder.read("errors").isEmpty)
        }

        @Test func optionsThatWouldBeIgnoredAreRefused() throws {
            let folder = try TemporaryFolder()
            for words in [
                ["scan", "--backend", "bluez", "--active"],
                ["scan", "--backend", "h4:tcp:localhost:1", "--adapter", "hci0"],
                ["record", "--keep", "3", folder.path("a.btsnoop")],
            ] {
                let run = try Program.run(words)
                #expect(run.status == 64, "\(words)")
            }
        }

        /// One file serves scans and replays.
        @Test func aReplayLeavesAloneHowToScan() throws {
            let folder = try TemporaryFolder()
            let text = "[settings]\nbackend = bluez\nadapter = hci7\ngps = gpsd://nowhere.invalid\n"
            let file = try folder.write("skerry.conf", Data(text.utf8)).path
            let walk = Program.captures.appendingPathComponent("walk.btsnoop").path
            let run = try Program.run(["replay", "--config", file, "--events", "start,statistics", walk])
            #expect(run.status == 0 && run.errors.isEmpty)
            #expect(run.lines.count == 2)
        }
    }
}
