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

        /// Who comes second leaves the recording of the first as it is.
        @Test func aRecordingHasOneWriter() throws {
            let folder = try TemporaryFolder()
            let path = folder.path("a.btsnoop")
            let words = ["record", "--backend", "h4:tcp:127.0.0.1:1", path]
            let first = Program.process(
                words, output: try folder.create("output"), errors: try folder.create("errors"))
            try Program.start(first)
            for _ in 0..<200 where ((try? folder.read("a.btsnoop").count) ?? 0) == 0 { usleep(50_000) }
            let second = try Program.run(words)
            first.terminate()
            first.waitUntilExit()
            #expect(second.status == 74 && second.output.isEmpty)
            #expect(second.errors == "skerry: \(path): another program writes it\n")
            #expect(try first.terminationStatus == 0 && folder.read("a.btsnoop").count > 16)
            // The end is asked for while the file is looked at.
            let last = try #require(String(decoding: folder.read("output"), as: UTF8.self).split(separator: "\n").last)
            #expect(try Program.object(String(last))["recordingDropped"] as? Int == 0)
            #expect(try !String(decoding: folder.read("output"), as: UTF8.self).contains("unwritable"))
            mkfifo(folder.path("pipe"), 0o600)
            let third = try Program.run(Array(words.dropLast()) + [folder.path("pipe")])
            #expect(third.status == 74 && third.errors == "skerry: \(folder.path("pipe")): no regular file\n")
        }

        /// Before the adapter, which is not there either.
        @Test func whatIsNoRecordingIsRefused() throws {
            let folder = try TemporaryFolder()
            let path = try folder.write("notes", Data("my notes\n".utf8)).path
            for (path, reason) in [
                (path, "skerry did not write this file; choose another name, or remove it"),
                ("/nonexist/a", "No such file or directory"),
            ] {
                let run = try Program.run(["record", "--backend", "hci", "--adapter", "hci9", path])
                #expect(run.status == 74 && run.output.isEmpty && run.errors == "skerry: \(path): \(reason)\n")
            }
            #expect(try folder.read("notes") == Data("my notes\n".utf8))
            #expect(
                try Program.run(["record", "--backend", "hci", "--adapter", "hci9", folder.path("new")]).status != 0)
            #expect(throws: (any Error).self) { try folder.read("new") }
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
