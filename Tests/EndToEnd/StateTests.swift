import Foundation
import Testing

extension EndToEndTests {
    /// The states of regions from one run to the next, through the whole program.
    @Suite struct StateTests {
        private static let walk = Program.captures.appendingPathComponent("walk.btsnoop").path
        private static let log = Program.captures.appendingPathComponent("walk.json").path
        private static let region = "walk=6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001"

        private func play(
            _ state: String, _ more: [String] = [], capture: String = walk, events: String = "region,error"
        ) throws -> Program.Run {
            try Program.run(
                ["replay", "--state", state, "--region", Self.region, "--events", events] + more + [capture])
        }

        private func told(_ run: Program.Run) throws -> [String] {
            try run.objects().map { "\($0["transition"] ?? $0["name"]!) \($0["state"] ?? "") \($0["reason"] ?? "")" }
        }

        /// The capture is cut while the region is inside.
        @Test func theSecondRunGoesOn() throws {
            let folder = try TemporaryFolder()
            let whole = try Data(contentsOf: URL(fileURLWithPath: Self.walk))
            try folder.write("first", whole.prefix(30_000))
            let first = try play(folder.path("state"), capture: folder.path("first"))
            #expect(try told(first) == ["enter inside advertisement", "cut  "])
            let second = try play(folder.path("state"))
            #expect(try told(second) == ["determined inside restored", "exit outside silence"])
            #expect(try told(try play(folder.path("state"))).first == "determined outside restored")
            #expect(second.status == 0 && second.errors == "")
        }

        /// Regions are known though nobody wants to read of them.
        @Test func statesAreKeptWhateverIsTold() throws {
            let folder = try TemporaryFolder()
            let fence = ["--fence", "home=47.05,8.3,100", "--gps", Self.log]
            for events in ["statistics", "region"] {
                let run = try play(folder.path(events), fence, events: events)
                #expect(run.status == 0)
            }
            let state = try folder.read("region")
            #expect(try folder.read("statistics") == state)
            let object = try Program.object(String(decoding: state, as: UTF8.self))
            let regions = object["regions"] as? [[String: Any]]
            #expect(regions?.map { $0["name"] as? String } == ["walk", "home"])
            #expect(regions?.map { $0["state"] as? String } == ["outside", "outside"])
            #expect((object["location"] as? [String: Any])?["latitude"] as? Double == 47.05035)
        }

        /// What the configuration says is the service's; a replay of some other capture leaves it alone.
        @Test func theStateOfTheConfigurationIsThatOfScans() throws {
            let folder = try TemporaryFolder()
            try folder.write("skerry.conf", Data("[settings]\nstate = \(folder.path("state"))\n".utf8))
            let words = ["--config", folder.path("skerry.conf"), "--region", Self.region]
            let scan = Program.process(
                ["scan", "--backend", "h4:tcp:127.0.0.1:1"] + words, output: try folder.create("output"),
                errors: try folder.create("errors"))
            try Program.start(scan)
            while scan.isRunning, try folder.read("output").isEmpty { usleep(20_000) }
            scan.terminate()
            scan.waitUntilExit()
            let state = try folder.read("state")
            #expect(!state.isEmpty)
            let without = try Program.run(["replay", "--region", Self.region, Self.walk])
            let with = try Program.run(["replay"] + words + [Self.walk])
            #expect(with.status == 0 && with.output == without.output)
            #expect(try folder.read("state") == state)
            // What the command line says holds.
            _ = try Program.run(["replay", "--state", folder.path("mine")] + words + [Self.walk])
            #expect(try folder.read("state") == state && !folder.read("mine").isEmpty)
        }

        /// Content, exit code and message.
        @Test(
            arguments: [
                ("[settings]\n", "line 1: no saved state of skerry; it is left as it is"),
                ("", "line 1: an empty file"),
                (#"{"format":"skerry-state","version":7"#, "line 1: a saved state of version 7"),
                ("{\"format\":\"skerry-state\",\"version\":1,\n\"regions\":[", "line 2: no JSON, or cut off"),
            ])
        func whatIsNoStateIs65AndLeftAsItIs(text: String, reason: String) throws {
            let folder = try TemporaryFolder()
            try folder.write("state", Data(text.utf8))
            let run = try play(folder.path("state"))
            #expect(run.status == 65 && run.output.isEmpty)
            #expect(run.errors.hasPrefix("skerry: \(folder.path("state")): \(reason)"), "\(run.errors)")
            #expect(try folder.read("state") == Data(text.utf8))
        }

        /// Found before the first event, whatever is printed.
        @Test(arguments: [
            ("/nonexist/state", ": No such file or directory\n"),
            ("~/state", ": No such file or directory; ~ stands for no folder here, write it out\n"),
            ("/dev/null/state", ": Not a directory\n"), ("/sys/kernel/state.json", ": "),
        ])
        func aFileThatCannotBeWrittenEndsTheRun(path: String, reason: String) throws {
            for words in [["replay", Self.walk], ["scan", "--backend", "h4:tcp:127.0.0.1:1"]] {
                let run = try Program.run([words[0], "--events", "start", "--state", path] + words.dropFirst())
                #expect([66, 74, 77].contains(run.status) && run.output.isEmpty)
                #expect(run.errors.hasPrefix("skerry: \(path)\(reason)"), "\(run.errors)")
            }
        }

        @Test(arguments: ["", "-"])
        func whatIsNoFileIs64(path: String) throws {
            let run = try play(path)
            #expect(run.status == 64 && run.errors.hasPrefix("skerry: state '\(path)' is no file"))
        }

        /// A file of 500 kB, so that writing it takes time.
        @Test func whoeverIsKilledLeavesAWholeFile() throws {
            let folder = try TemporaryFolder()
            let circles = (0..<5000).map { "[fence \($0)]\nlatitude = 47\nlongitude = 8\nradius = \($0 + 1)\n" }
            try folder.write("skerry.conf", Data(circles.joined().utf8))
            let state = folder.url.appendingPathComponent("state")
            var whole = 0
            for attempt in 0..<8 {
                let process = Program.process(
                    [
                        "replay", "--config", folder.path("skerry.conf"), "--state", state.path, "--gps", Self.log,
                        "--speed", "500", "--events", "statistics",
                    ], output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
                try Program.start(process)
                // From before the first write, after a second, to behind it.
                Thread.sleep(forTimeInterval: attempt == 0 ? 2.5 : 1.0 + Double(attempt) * 0.1)
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                guard let text = try? String(contentsOf: state, encoding: .utf8) else { continue }
                whole += 1
                #expect((try Program.object(text)["regions"] as? [Any])?.count == 5000)
            }
            #expect(whole > 0)
        }
    }
}
