import Foundation
import Testing

extension EndToEndTests {
    /// Where captures come from: files that grow, pipes, several at once.
    @Suite struct InputTests {
        private static let walk = Program.captures.appendingPathComponent("walk.btsnoop")
        private static let options = ["replay", "--events", "advertisement,region,statistics"]

        @Test func aCaptureFromAPipeGivesTheSameEvents() throws {
            let file = try Program.run(Self.options + [Self.walk.path])
            let pipe = try Program.shell(
                "cat \"$1\" | \"$0\" replay --events advertisement,region,statistics - ", [Self.walk.path])
            #expect(pipe.status == 0 && pipe.errors == "" && pipe.lines.count == file.lines.count)
            let renamed = String(decoding: file.output, as: UTF8.self)
                .replacingOccurrences(of: "\"source\":\"walk.btsnoop\"", with: "\"source\":\"-\"")
            #expect(String(decoding: pipe.output, as: UTF8.self) == renamed)
        }

        @Test func everyEventIsNumberedAsItsOutputGetsIt() throws {
            for events in ["statistics", "region,scanner", "advertisement", "start,ranging,error"] {
                let run = try Program.run(
                    ["replay", "--region", "a=6F1C1B8E3D524B7A9C4051A2D6E0A001", "--events", events, Self.walk.path])
                let objects = try run.objects()
                #expect(!objects.isEmpty)
                #expect(objects.map { $0["seq"] as? Int } == (1...objects.count).map { $0 })
                let kinds = Set(objects.compactMap { $0["event"] as? String })
                #expect(kinds.isSubset(of: events.split(separator: ",").map(String.init)))
            }
        }

        @Test func withoutARegionEveryIBeaconIsRanged() throws {
            let objects = try Program.run(["replay", "--events", "start,region,ranging", Self.walk.path]).objects()
            #expect((objects[0]["regions"] as? [[String: String]])?.map { $0["name"] } == ["*"])
            #expect(Set(objects.compactMap { $0["region"] as? String }) == ["*"])
            #expect(Set(objects.compactMap { $0["event"] as? String }) == ["start", "ranging"])
        }

        @Test func sourcesAreCalledByTheirFileAndByTheirPathWhereTwoAreAlike() throws {
            let folder = try TemporaryFolder()
            let data = try Data(contentsOf: Self.walk)
            for name in ["a/x.btsnoop", "b/x.btsnoop", "b/y.btsnoop"] { try folder.write(name, data) }
            let paths = ["b/y.btsnoop", "b/x.btsnoop", "a/x.btsnoop"].map(folder.path)
            let start = try #require(try Program.run(["replay", "--events", "start"] + paths).objects().first)
            let sources = try #require(start["sources"] as? [[String: String]])
            #expect(sources.map { $0["name"] } == [paths[2], paths[1], "y.btsnoop"])
            #expect(sources.allSatisfy { $0["kind"] == "btsnoop" })
        }

        @Test func operandsMayStandBehindTwoDashes() throws {
            let folder = try TemporaryFolder()
            try folder.write("--help", Data(contentsOf: Self.walk))
            let run = try Program.shell(
                "cd \"$1\" && exec \"$0\" replay --events=statistics -- --help", [folder.url.path])
            #expect(run.status == 0 && run.lines.count == 1)
        }

        @Test func regionsAndSettingsComeFromAFileAndOptionsWin() throws {
            let folder = try TemporaryFolder()
            let text = """
                [settings]
                events = start,region
                [region a]
                uuid = 6f1c1b8e3d524b7a9c4051a2d6e0a001
                [region b]
                uuid = B27D90F4-08AE-4C1F-8E6D-7703C95BE002
                major = 20
                """
            let config = try folder.write("skerry.conf", Data(text.utf8)).path
            let objects = try Program.run(["replay", "--config", config, Self.walk.path]).objects()
            #expect(objects.first?["event"] as? String == "start")
            #expect(
                objects.dropFirst().map { "\($0["transition"] ?? "") \($0["region"] ?? "")" }
                    == ["enter a", "determined b", "exit a", "enter b", "exit b"])
            let overruled = try Program.run(
                ["replay", "--config", config, "--events", "start", "--region", "b=*", Self.walk.path]
            ).objects()
            #expect(overruled.count == 1)
            let regions = try #require(overruled[0]["regions"] as? [[String: Any]])
            #expect(regions.map { $0["name"] as? String } == ["a", "b"])
            #expect(regions[1]["uuid"] == nil)
        }

        @Test func anEmptyLineIsAPayload() throws {
            let run = try Program.run(["decode", "-"], input: Data("\n4C 00\n\n".utf8))
            #expect(
                run.lines == [
                    #"{"kind":"ad","reports":[{"beacons":[],"structures":[]}],"malformed":{}}"#,
                    #"{"kind":"mfr","reports":[{"beacons":[],"structures":[{"type":255,"name":"Manufacturer Specific Data","value":"4c00","company":76,"data":""}]}],"malformed":{}}"#,
                    #"{"kind":"ad","reports":[{"beacons":[],"structures":[]}],"malformed":{}}"#,
                ])
        }

        @Test func speedKeepsTheTimesOfTheRecords() throws {
            let folder = try TemporaryFolder()
            try folder.write("short.btsnoop", Data(contentsOf: Self.walk).prefix(20_000))
            let path = folder.path("short.btsnoop")
            let fast = try Program.run(Self.options + [path])
            let span = try Self.seconds(fast.objects())
            let begun = Date()
            let paced = try Program.run(Self.options + ["--speed", "\(span / 0.5)", path])
            #expect(Date().timeIntervalSince(begun) >= 0.5)
            #expect(paced.output == fast.output)
        }

        /// From the first record to the last.
        private static func seconds(_ events: [[String: Any]]) throws -> Double {
            let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let statistics = try #require(events.last)
            let times = try ["first", "last"].map { try format.parse(try #require(statistics[$0] as? String)) }
            return times[1].timeIntervalSince(times[0])
        }
    }
}
