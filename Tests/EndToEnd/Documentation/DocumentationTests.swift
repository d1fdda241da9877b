import Foundation
import Testing

extension EndToEndTests {
    /// README, docs and the manual page, against the program. `make manual` writes what can be written anew.
    @Suite struct DocumentationTests {
        private static let isWritten = ProcessInfo.processInfo.environment["SKERRY_WRITE_MANUAL"] != nil
        private static let hasJQ = FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")
        private static let withCommands = Document.manual.filter { $0.blocks.contains { $0.info == "console" } }

        @Test func thereIsAManual() {
            #expect(Document.manual.count == 11)
            #expect(!Self.withCommands.isEmpty && Self.commands.contains("scan"))
        }

        // MARK: Commands

        @Test(.enabled(if: hasJQ, "jq is not installed"), arguments: withCommands)
        func commandsPrintWhatStandsThere(document: Document) throws {
            let session = try ConsoleSession()
            // As it is now: another test may have written it.
            var document = try Document(path: document.path)
            for number in document.blocks.indices {
                let block = document.blocks[number]
                try session.place(block)
                guard block.info == "console" else { continue }
                let expected = ConsoleSession.steps(block)
                let printed = try session.run(expected)
                for (place, step) in printed.enumerated() where step.status != 0 {
                    let isAsked = place + 1 < printed.count && printed[place + 1].command == "echo $?"
                    #expect(isAsked, "\(step.command) ends with \(step.status)")
                }
                if Self.isWritten {
                    let lines = printed.flatMap { "$ \($0.command)".components(separatedBy: "\n") + $0.output }
                    document.replace(block.lines.indices, with: lines)
                } else {
                    for (mine, shell) in zip(expected, printed) {
                        #expect(mine.output == shell.output, "\(mine.command)")
                    }
                }
            }
            if Self.isWritten { try document.save() }
        }

        // MARK: Options

        private static let commands: [String] = {
            let lines = (try? Program.run(["--help"]).lines) ?? []
            return lines.compactMap { $0.firstMatch(of: #/^  ([a-z]+) {2,}/#).map { String($0.1) } }
        }()

        @Test(arguments: commands)
        func everyOptionIsDescribedOnce(command: String) throws {
            let help = try CommandHelp(command)
            #expect(!help.options.isEmpty)
            let first = "<!-- options: \(command) -->"
            let places = Document.manual.filter { $0.lines.contains(first) }
            try #require(places.count == 1, "\(places.map(\.path))")
            try compare(help.markdown, in: places[0].path, after: first, before: "<!-- end -->")
            let page = "Sources/skerry/skerry.1"
            try compare(help.roff, in: page, after: ".\\\" options: \(command)", before: ".\\\" end")
        }

        /// The lines between two marks of a file.
        private func compare(_ lines: [String], in path: String, after first: String, before last: String) throws {
            // As it is now: another test may have written it.
            var document = try Document(path: path)
            let start = try #require(document.lines.firstIndex(of: first), "\(path)")
            let end = try #require(document.lines[start...].firstIndex(of: last), "\(path)")
            if Self.isWritten {
                document.replace((start + 1)..<end, with: lines)
                try document.save()
            } else {
                #expect(Array(document.lines[(start + 1)..<end]) == lines, "\(path): make manual writes it anew")
            }
        }

        /// What stands in the text as an option is one, of some command.
        @Test func thereAreNoOtherOptions() throws {
            let forms = try Self.commands.flatMap { try CommandHelp($0).options.map(\.form) }
            let names = Set(forms.flatMap { $0.matches(of: /--[a-z-]+/).map { String($0.output) } })
            for document in Document.manual {
                for code in document.codes where code.hasPrefix("--") {
                    let name = String(code.prefix { $0 != " " && $0 != "=" })
                    #expect(names.contains(name), "\(document.path): \(name)")
                }
            }
        }

        // MARK: Events and keys

        /// Whatever the recordings of the package give has its place in the document of events.
        @Test func everyMemberIsDescribed() throws {
            let document = try #require(Document.manual.first { $0.path == "docs/events.md" })
            let described = Set(document.codes)
            let headings = Set(document.anchors)
            let files = try FileManager.default.contentsOfDirectory(atPath: Program.captures.path)
            var members: Set<String> = []
            for file in files where file.hasSuffix(".ndjson") {
                let text = try String(contentsOf: Program.captures.appendingPathComponent(file), encoding: .utf8)
                for line in text.split(separator: "\n") {
                    let object = try Program.object(String(line))
                    #expect(headings.contains(try #require(object["event"] as? String)))
                    Self.collect(object, into: &members)
                }
            }
            #expect(members.count > 80)
            #expect(members.subtracting(described).sorted() == [])
        }

        private static func collect(_ value: Any, into members: inout Set<String>) {
            if let object = value as? [String: Any] {
                members.formUnion(object.keys)
                for value in object.values { collect(value, into: &members) }
            } else if let array = value as? [Any] {
                for value in array { collect(value, into: &members) }
            }
        }

        /// A key that is described is known. What is wrong here is its value.
        @Test func everyKeyIsKnown() throws {
            let document = try #require(Document.manual.first { $0.path == "docs/configuration.md" })
            let folder = try TemporaryFolder()
            var section: Substring?
            var count = 0
            for line in document.lines {
                if let head = line.firstMatch(of: /^\| key in `\[(.*)\]`/) {
                    section = head.1
                } else if let section, let key = line.firstMatch(of: /^\| `([a-z-]+)`/) {
                    try folder.write("keys.conf", Data("[\(section)]\n\(key.1) = \u{7F}\n".utf8))
                    let run = try Program.run(["replay", "--config", folder.path("keys.conf"), "capture"])
                    #expect(!run.errors.contains("unknown key"), "\(run.errors)")
                    count += 1
                } else if line.isEmpty {
                    section = nil
                }
            }
            #expect(count > 35)
        }

        // MARK: Links

        @Test(arguments: Document.all) func linksLeadSomewhere(document: Document) throws {
            for link in document.links {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let base = document.url.deletingLastPathComponent()
                let target =
                    parts[0].isEmpty ? document.url : base.appendingPathComponent(String(parts[0])).standardized
                #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
                guard parts.count == 2 else { continue }
                let there = try #require(Document.all.first { $0.url.standardized == target.standardized }, "\(link)")
                #expect(there.anchors.contains(String(parts[1])), "\(link)")
            }
        }

        @Test func readmeIsShortAndLeadsToEveryDocument() throws {
            let readme = try #require(Document.manual.first)
            #expect(readme.lines.count <= 150)
            let links = Set(readme.links)
            for document in Document.manual.dropFirst() { #expect(links.contains(document.path)) }
        }
    }
}
