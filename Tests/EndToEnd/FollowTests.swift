import Foundation
import Testing

extension EndToEndTests {
    /// A file that somebody else still writes.
    @Suite struct FollowTests {
        private static let walk = Program.captures.appendingPathComponent("walk.btsnoop")

        /// A run that follows a file, with its output in another.
        private final class Run {
            let folder: TemporaryFolder
            let process: Process
            let file: FileHandle

            init(_ beginning: Data, _ options: [String]) throws {
                folder = try TemporaryFolder()
                file = try FileHandle(forUpdating: folder.write("growing", beginning))
                try file.seekToEnd()
                process = Program.process(
                    ["replay", "--follow"] + options + [folder.path("growing")], output: try folder.create("output"),
                    errors: try folder.create("errors"))
                try Program.start(process)
            }

            deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

            func output() throws -> String { String(decoding: try folder.read("output"), as: UTF8.self) }

            /// Waits until the output fulfils something; gives up after a while.
            func wait(_ isFulfilled: (String) -> Bool) throws -> Bool {
                for _ in 0..<200 {
                    if isFulfilled(try output()) { return true }
                    Thread.sleep(forTimeInterval: 0.05)
                }
                return false
            }

            func end(with signal: Int32) -> Int32 {
                kill(process.processIdentifier, signal)
                for _ in 0..<200 where process.isRunning { Thread.sleep(forTimeInterval: 0.05) }
                guard !process.isRunning else {
                    kill(process.processIdentifier, SIGKILL)
                    return -1
                }
                return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
            }
        }

        @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
        func aGrowingFileIsPlayedOnUntilASignal(signal: Int32) throws {
            let whole = try Data(contentsOf: Self.walk)
            // The first part ends within a record.
            let run = try Run(whole.prefix(30_001), ["--events", "advertisement,error,statistics"])
            #expect(try run.wait { $0.hasSuffix("}\n") })
            let early = try run.output().count { $0 == "\n" }
            try run.file.write(contentsOf: whole.dropFirst(30_001))
            let expected = try Program.run(["replay", "--events", "advertisement,error", Self.walk.path]).lines.count
            #expect(early < expected)
            #expect(try run.wait { $0.count { $0 == "\n" } == expected })
            #expect(run.process.isRunning)
            // A shell's loop goes on after an exit, and ends with who is ended by SIGINT.
            #expect(run.end(with: signal) == (signal == SIGINT ? -SIGINT : 0))
            let lines = try run.output().split(separator: "\n").map(String.init)
            let statistics = try Program.object(try #require(lines.last))
            #expect(statistics["event"] as? String == "statistics")
            #expect(statistics["containerErrors"] as? Int == 0)
            #expect(lines.count == expected + 1)
            #expect(try run.folder.read("errors").isEmpty)
        }

        /// The wish for statistics in between is for scans; what is played twice says the same twice.
        @Test func statisticsInBetweenAreNotForReplays() throws {
            let run = try Run(Data(contentsOf: Self.walk), ["--events", "start,statistics"])
            #expect(try run.wait { $0.hasSuffix("}\n") })
            kill(run.process.processIdentifier, SIGUSR1)
            Thread.sleep(forTimeInterval: 0.3)
            #expect(run.process.isRunning)
            #expect(run.end(with: SIGTERM) == 0)
            #expect(try run.output().split(separator: "\n").count == 2)
        }

        /// As nohup(1) starts it.
        @Test func aHangUpThatIsIgnoredEndsNothing() throws {
            let run = try Program.shell(
                "trap '' HUP; \"$0\" replay --follow --events start,statistics \"$1\" & sleep 1; kill -HUP $!; sleep 1; kill $! && wait $!",
                [Self.walk.path])
            #expect(run.status == 0 && run.lines.count == 2, "\(run)")
        }

        @Test func aFileWithoutRecordsIsWaitedFor() throws {
            let whole = try Data(contentsOf: Self.walk)
            let run = try Run(whole.prefix(16), ["--events", "start,statistics"])
            Thread.sleep(forTimeInterval: 0.3)
            #expect(run.process.isRunning)
            try run.file.write(contentsOf: whole.dropFirst(16))
            #expect(try run.wait { $0.hasPrefix("{\"event\":\"start\",\"time\":") })
            #expect(run.end(with: SIGTERM) == 0)
            #expect(try run.output().split(separator: "\n").count == 2)
        }

        /// A container that has no mark of its own.
        @Test func aGrowingDumpIsPlayedOn() throws {
            let reset = Data([4, 0, 0, 0, 0xF7, 0x0C, 0x85, 0x5C, 0, 0, 0, 0, 1, 3, 0x0C, 0])
            let scan = Data([6, 0, 0, 0, 0xF8, 0x0C, 0x85, 0x5C, 0, 0, 0, 0, 1, 0x0C, 0x20, 2, 1, 0])
            let run = try Run(reset, ["--events", "scanner,statistics"])
            #expect(try run.wait { $0.hasSuffix("\"state\":\"paused\"}\n") })
            try run.file.write(contentsOf: scan)
            #expect(try run.wait { $0.hasSuffix("\"state\":\"listening\"}\n") })
            #expect(run.end(with: SIGTERM) == 0)
            let statistics = try Program.object(try #require(run.output().split(separator: "\n").map(String.init).last))
            #expect(statistics["records"] as? Int == 2)
        }

        @Test func aFileWithoutRecordsEndsInOrder() throws {
            let run = try Run(Data(contentsOf: Self.walk).prefix(16), [])
            Thread.sleep(forTimeInterval: 1)
            #expect(run.end(with: SIGTERM) == 0)
            let lines = try run.output().split(separator: "\n")
            #expect(lines.first?.hasPrefix("{\"event\":\"start\",\"seq\":1,") == true)
            #expect(lines.last?.hasPrefix("{\"event\":\"statistics\",\"seq\":2,") == true)
        }

        @Test func withoutFollowAFileEndsAtItsPresentEnd() throws {
            let run = try Program.run(["replay", "--events", "statistics", Self.walk.path])
            #expect(run.status == 0 && run.lines.count == 1)
        }

        /// A paced replay that is asked to end.
        @Test func aSignalEndsAPacedReplayInOrder() throws {
            let folder = try TemporaryFolder()
            let process = Program.process(
                ["replay", "--speed", "1", Self.walk.path], output: try folder.create("output"),
                errors: try folder.create("errors"))
            try Program.start(process)
            while process.isRunning, try folder.read("output").isEmpty { Thread.sleep(forTimeInterval: 0.05) }
            process.terminate()
            for _ in 0..<200 where process.isRunning { Thread.sleep(forTimeInterval: 0.05) }
            guard !process.isRunning else {
                kill(process.processIdentifier, SIGKILL)
                Issue.record("the program does not end")
                return
            }
            #expect(process.terminationReason == .exit && process.terminationStatus == 0)
            let lines = String(decoding: try folder.read("output"), as: UTF8.self).split(separator: "\n")
            #expect(lines.first?.hasPrefix("{\"event\":\"start\"") == true)
            #expect(lines.last?.hasPrefix("{\"event\":\"statistics\"") == true)
            #expect(try folder.read("errors").isEmpty)
        }
    }
}
