import Foundation
import Testing

extension EndToEndTests {
    /// Runs that end by themselves, and where their events go.
    @Suite struct RunEndTests {
        private static let walk = Program.captures.appendingPathComponent("walk.btsnoop").path
        private static let replay = ["replay", walk, "--region", "a=6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001"]

        /// The first events of the whole run, then statistics of no more than what led to them.
        @Test(arguments: [1, 2, 7, 20]) func aCountIsKeptExactly(count: Int) throws {
            let all = try Program.run(Self.replay)
            let run = try Program.run(Self.replay + ["--count", "\(count)"])
            #expect(run.status == 0 && run.errors == "")
            #expect(run.lines.count == count + 1 && run.lines.dropLast() == all.lines.prefix(count))
            let last = try #require(try run.objects().last)
            #expect(last["event"] as? String == "statistics" && last["seq"] as? Int == count + 1)
            #expect(last["dropped"] as? Int == 0)
            let piped = try Program.shell(
                "cat \"$1\" | \"$0\" replay - --count \(count) --region \"$2\"",
                [
                    Self.walk, Self.replay[3],
                ])
            #expect(piped.lines.last == run.lines.last, "what a pipe gives at once must not show")
        }

        @Test func aCountBeyondTheEndChangesNothing() throws {
            #expect(try Program.run(Self.replay + ["--count", "1000"]).output == Program.run(Self.replay).output)
        }

        @Test func onlyWhatIsWantedCounts() throws {
            let run = try Program.run(Self.replay + ["--events", "region", "--count", "1"])
            #expect(try run.objects().map { $0["transition"] as? String } == ["enter"])
        }

        /// The clock is that of the recording, at any speed.
        @Test(arguments: [["--for", "10"], ["--for", "10s", "--speed", "100"]]) func aTimeIsThatOfTheRecording(
            words: [String]
        ) throws {
            let all = try Program.run(Self.replay)
            let run = try Program.run(Self.replay + words)
            #expect(run.status == 0 && run.errors == "")
            // The first record is of 06:52:19.578216. What falls due until ten seconds later still happens.
            let within = all.lines.filter {
                $0.contains("\"time\":\"2026-11-30T06:52:") && $0.time <= "06:52:29.578216"
            }
            #expect(run.lines.dropLast(2) == within[...])
            let end = try run.objects().suffix(2)
            #expect(end.map { $0["event"] as? String } == ["scanner", "statistics"])
            #expect(end.first?["state"] as? String == "ended")
            #expect(end.first?["time"] as? String == "2026-11-30T06:52:29.578216Z")
            #expect(end.last?["last"] as? String == "2026-11-30T06:52:29.571823Z")
        }

        @Test func aTimeBeyondTheEndChangesNothing() throws {
            #expect(try Program.run(Self.replay + ["--for", "1d"]).output == Program.run(Self.replay).output)
        }

        /// A controller that never answers: the scan ends all the same.
        @Test(
            .timeLimit(.minutes(1)),
            arguments: [(["--for", "1s"], 0.9), (["--count", "1"], 0)] as [([String], Double)])
        func aScanEndsByItself(words: [String], least: Double) throws {
            let began = Date()
            let run = try Program.shell(
                """
                python3 -c '
                import socket
                socket.setdefaulttimeout(3)
                s = socket.create_server(("127.0.0.1", 0))
                print(s.getsockname()[1], flush=True)
                c = s.accept()[0]
                while c.recv(4096): pass' 2> /dev/null | (
                    read port; "$0" scan --backend h4:tcp:127.0.0.1:$port --format json "$@")
                """, words)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.lines.first?.hasPrefix("{\"event\":\"start\"") == true)
            #expect(run.lines.last?.hasPrefix("{\"event\":\"statistics\"") == true)
            #expect(words[0] == "--for" || run.lines.count == 2)
            #expect(Date().timeIntervalSince(began) >= least)
        }

        @Test func eventsGoToAFile() throws {
            let folder = try TemporaryFolder()
            try folder.write("events", Data(repeating: 0x78, count: 100_000))
            for words in [["-o", folder.path("events")], ["--output=\(folder.path("events"))"]] {
                let run = try Program.run(Self.replay + words)
                #expect(run.status == 0 && run.output.isEmpty && run.errors == "")
                #expect(try folder.read("events") == Program.run(Self.replay).output)
            }
            #expect(try Program.run(Self.replay + ["-o", "-"]).lines.count == 65)
        }

        @Test(arguments: [
            ("/nowhere/x", 74, "No such file or directory"), ("/dev/full", 74, "No space left on device"),
        ])
        func aFileThatCannotBeWrittenIsNamed(path: String, status: Int32, reason: String) throws {
            let run = try Program.run(Self.replay + ["-o", path])
            #expect(run.status == status && run.output.isEmpty)
            #expect(run.errors == "skerry: \(path): \(reason)\n")
        }

        /// What is read would be lost before it is read; and where a run can't begin, nothing is.
        @Test func whatTheRunNeedsIsNotOverwritten() throws {
            let folder = try TemporaryFolder()
            let capture = try Data(contentsOf: URL(fileURLWithPath: Self.walk))
            try folder.write("walk", capture)
            try FileManager.default.linkItem(atPath: folder.path("walk"), toPath: folder.path("other"))
            for words in [["-o", folder.path("other")], ["-o", folder.path("walk"), "--gps", folder.path("missing")]] {
                let run = try Program.run(["replay", folder.path("walk")] + words)
                #expect(run.status == (words.count == 2 ? 64 : 66) && run.output.isEmpty)
                #expect(try folder.read("walk") == capture)
            }
        }
    }
}

extension String {
    /// The time of the day of an event.
    fileprivate var time: Substring {
        guard let start = range(of: "2026-11-30T")?.upperBound else { return "" }
        return self[start...].prefix(15)
    }
}
