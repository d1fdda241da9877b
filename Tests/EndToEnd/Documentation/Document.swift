import Foundation
import Testing

/// A Markdown document of the package.
struct Document: CustomTestStringConvertible {
    /// A fenced block.
    struct Block {
        /// What stands behind the opening fence: `console`, or a kind and the name of a file.
        var info: Substring
        /// The lines between the fences.
        var lines: ArraySlice<String>
    }

    /// From the package's folder on.
    let path: String
    private(set) var lines: [String]

    var testDescription: String { path }
    var url: URL { Program.root.appendingPathComponent(path) }

    init(path: String) throws {
        self.path = path
        let text = try String(contentsOf: Program.root.appendingPathComponent(path), encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// What describes the program to its users.
    static let manual = read(["README.md"] + named("docs"))
    /// All that link to each other.
    static let all = manual + read(["CONTRIBUTING.md", "CHANGELOG.md"])

    private static func named(_ folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: Program.root.appendingPathComponent(folder).path)
        return (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { folder + "/" + $0 }
    }

    private static func read(_ paths: [String]) -> [Document] { paths.compactMap { try? Document(path: $0) } }

    /// The fenced blocks, in order.
    var blocks: [Block] {
        var blocks: [Block] = []
        var start: Int?
        for (number, line) in lines.enumerated() where line.hasPrefix("```") {
            if let first = start {
                blocks.append(Block(info: lines[first].dropFirst(3), lines: lines[(first + 1)..<number]))
                start = nil
            } else {
                start = number
            }
        }
        return blocks
    }

    /// The lines outside of fenced blocks.
    var prose: [String] {
        var isInside = false
        return lines.filter { line in
            if line.hasPrefix("```") { isInside.toggle() }
            return !isInside && !line.hasPrefix("```")
        }
    }

    /// The text without code, where links and headings stand.
    private var plain: [String] { prose.map { $0.replacing(/`[^`]*`/, with: "") } }

    /// Targets of its links, but those of the web.
    var links: [String] {
        plain.flatMap { $0.matches(of: /\]\(([^)]*)\)/).map { String($0.1) } }.filter { !$0.hasPrefix("http") }
    }

    /// What stands in code within its text.
    var codes: [String] { prose.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.1) } } }

    /// The names of its headings in links, as GitHub makes them.
    var anchors: [String] {
        prose.filter { $0.hasPrefix("#") }.map { heading in
            let words = heading.drop { $0 == "#" }.lowercased().trimmingPrefix(" ")
            return String(
                words.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }.map {
                    $0 == " " ? "-" : $0
                })
        }
    }

    /// Puts other lines in the place of some.
    mutating func replace(_ range: Range<Int>, with new: [String]) { lines.replaceSubrange(range, with: new) }

    /// Writes it to where it was read from.
    func save() throws { try Data(lines.joined(separator: "\n").utf8).write(to: url) }
}
