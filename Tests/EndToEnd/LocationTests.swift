import Foundation
import Testing

extension EndToEndTests {
    /// Logs of receivers beside captures, through the whole program.
    @Suite struct LocationTests {
        private static let walk = Program.captures.appendingPathComponent("walk.btsnoop").path
        private static let log = Program.captures.appendingPathComponent("walk.json").path
        private static let region = ["--region", "a=6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001"]

        /// What is told of beacons is the same, but for the place.
        @Test func aLogAddsThePlaceAndNothingElse() throws {
            let options = ["replay", "--events", "region,scanner", Self.walk] + Self.region
            let without = try Program.run(options).objects()
            let with = try Program.run(options + ["--gps", Self.log]).objects()
            #expect(with.count == without.count && !with.isEmpty)
            for (mine, its) in zip(with, without) {
                var mine = mine
                let place = mine.removeValue(forKey: "location") as? [String: Any]
                let heading = mine.removeValue(forKey: "heading") as? [String: Any]
                #expect(NSDictionary(dictionary: mine) == NSDictionary(dictionary: its))
                #expect((place != nil) == (mine["event"] as? String == "region") && (heading != nil) == (place != nil))
            }
        }

        @Test func aLogMayComeThroughAPipe() throws {
            let options = "replay --events location,heading,region,ranging"
            let expected = try Program.run(
                options.split(separator: " ").map(String.init) + ["--gps", Self.log, Self.walk])
            let piped = try Program.shell("cat \"$1\" | \"$0\" \(options) --gps - \"$2\"", [Self.log, Self.walk])
            #expect(piped.status == 0)
            // But for the name.
            #expect(piped.lines == expected.lines.map { $0.replacing("\"walk.json\"", with: "\"-\"") })
        }

        /// Shifted by 1,024 weeks it is told, and the offset that is named brings it back.
        @Test func anotherWeekIsToldAndCanBeRighted() throws {
            let era = "619315200"
            let wrong = try Program.run([
                "replay", "--events", "error", "--gps", Self.log, "--gps-offset", era, Self.walk,
            ])
            let message = try #require(try wrong.objects().first?["message"] as? String)
            #expect(
                message.hasPrefix("walk.json: its times lie 7168 days after those of the captures, by 1 x 1024 weeks"))
            #expect(message.contains(" -\(era) s "))
        }

        @Test func aLogOfAReceiverGoesThroughGPSDecode() throws {
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/gpsdecode") else { return }
            let folder = try TemporaryFolder()
            let sentences = (0..<30).map { second in
                "GPGGA,12000\(second % 10).00,4703.0000,N,00818.000\(second % 10),E,1,08,0.9,440.0,M,47.4,M,,"
            }
            let text = sentences.map { "$\($0)*\(String($0.utf8.reduce(0, ^), radix: 16, uppercase: true))\r\n" }
                .joined()
            try folder.write("log.nmea", Data(text.utf8))
            let run = try Program.run(["replay", "--events", "start,location", "--gps", folder.path("log.nmea")])
            #expect(run.status == 0 && run.lines.first?.contains("\"kind\":\"receiver\"") == true, "\(run.errors)")
        }

        @Test func followingReadsOn() throws {
            let folder = try TemporaryFolder()
            let whole = try Data(contentsOf: URL(fileURLWithPath: Self.log))
            try folder.write("growing.json", whole.prefix(10_001))
            let process = Program.process(
                ["replay", "--follow", "--events", "location,error", "--gps", folder.path("growing.json")],
                output: try folder.create("output"), errors: try folder.create("errors"))
            try Program.start(process)
            defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
            func lines() throws -> Int { try folder.read("output").count { $0 == 0x0A } }
            func wait(_ count: Int) throws -> Bool {
                for _ in 0..<200 {
                    if try lines() >= count { return true }
                    Thread.sleep(forTimeInterval: 0.05)
                }
                return false
            }
            #expect(try wait(20))
            let file = try FileHandle(forWritingTo: folder.url.appendingPathComponent("growing.json"))
            try file.seekToEnd()
            try file.write(contentsOf: whole.dropFirst(10_001))
            let expected = try Program.run(["replay", "--events", "location,error", "--gps", Self.log]).lines.count
            // The last epoch has not ended.
            #expect(try wait(expected - 1))
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }

        @Test(
            arguments: [
                (["--gps", "gpsd://localhost"], 64, "replay plays files, and gpsd://localhost is none"),
                (
                    ["--gps", walk], 65,
                    walk + ": not a log of a receiver, but a capture of Bluetooth traffic (btsnoop)"
                ),
                (["--gps", "/missing"], 66, "/missing: No such file or directory"),
                (["--gps", "-", "-"], 64, "standard input can be read only once"),
                (
                    [log], 65,
                    log + ": not a capture that can be read, but gpsd's JSON; skerry replay --gps FILE plays it"
                ),
            ] as [([String], Int32, String)])
        func whatCannotBePlayedIsRefused(arguments: [String], status: Int32, message: String) throws {
            let run = try Program.run(["replay"] + arguments + [Self.walk])
            #expect(run.status == status && run.output.isEmpty)
            #expect(run.errors.hasPrefix("skerry: " + message), "\(run.errors)")
        }
    }
}
