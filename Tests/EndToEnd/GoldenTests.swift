import Foundation
import Testing

extension EndToEndTests {
    /// The recordings of the package, and the events that must come of them, byte for byte.
    @Suite struct GoldenTests {
        /// Names of goldens with inputs and options, from the table that `regenerate-goldens` reads too.
        private static let table: [(name: String, arguments: [String])] = {
            let file = Program.root.appendingPathComponent("Tests/EndToEnd/goldens.txt")
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
                let words = line.split(separator: " ").map(String.init)
                return (words[0], Array(words.dropFirst()))
            }
        }()

        @Test(arguments: table.map(\.name))
        func aRecordingGivesItsEvents(name: String) throws {
            let arguments = try #require(Self.table.first { $0.name == name }).arguments
            let run = try Program.run(["replay"] + arguments.map(Self.path))
            #expect(run.status == 0 && run.errors == "")
            let golden = try Data(contentsOf: Program.captures.appendingPathComponent("\(name).ndjson"))
            guard run.output != golden else { return }
            let expected = String(decoding: golden, as: UTF8.self).split(separator: "\n").map(String.init)
            let number = zip(run.lines, expected).prefix { $0 == $1 }.count
            let shown = [run.lines, expected].map { $0.dropFirst(number).first ?? "the end" }
            Issue.record("line \(number + 1):\n\(shown[0])\ninstead of\n\(shown[1])")
        }

        /// A file of the folder, or a word that is none.
        private static func path(_ word: String) -> String {
            let file = Program.captures.appendingPathComponent(word).path
            return FileManager.default.fileExists(atPath: file) ? file : word
        }

        @Test func everyRecordingHasItsOptionsAndItsEvents() throws {
            let files = try FileManager.default.contentsOfDirectory(atPath: Program.captures.path)
            func names(_ suffix: String) -> [String] { files.filter { $0.hasSuffix(suffix) }.sorted() }
            let inputs = Set(Self.table.flatMap(\.arguments))
            for file in names(".btsnoop") + names(".json") { #expect(inputs.contains(file)) }
            #expect(names(".ndjson") == Self.table.map { $0.name + ".ndjson" }.sorted())
            #expect(!Self.table.isEmpty)
        }

        /// Every recording at once: the order on the command line and the run do not show.
        @Test func theSameInputGivesTheSameBytes() throws {
            let captures = Set(Self.table.flatMap(\.arguments).filter { $0.hasSuffix(".btsnoop") }).sorted()
            let paths = captures.map(Self.path) + ["--gps", Self.path("walk.json")]
            let options = ["replay", "--region", "office=E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "--region", "any=*"]
            let events = ["--events", "start,advertisement,ranging,region,location,heading,scanner,error,statistics"]
            let first = try Program.run(options + events + paths)
            #expect(first.status == 0 && first.lines.count > 1000)
            #expect(try Program.run(options + events + paths).output == first.output)
            let backwards = ["--gps=" + Self.path("walk.json")] + captures.reversed().map(Self.path)
            #expect(try Program.run(options + events + backwards).output == first.output)
        }
    }
}
