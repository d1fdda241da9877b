import Foundation

/// The options of a command, as its `--help` tells them, written as documents and the manual page have them.
struct CommandHelp {
    struct Option {
        /// Its names and its value.
        var form: String
        var text: String
    }

    let options: [Option]

    /// Asks the program.
    ///
    /// - Parameter command: `record` has those of `scan` too, which are left out.
    init(_ command: String) throws {
        let all = Self.options(try Program.run([command, "--help"]).lines)
        guard command == "record" else {
            options = all
            return
        }
        let others = Set(try CommandHelp("scan").options.map(\.form))
        options = all.filter { !others.contains($0.form) }
    }

    /// Two spaces and a dash begin an option; its text stands behind two spaces or more, or on further lines.
    private static func options(_ lines: [String]) -> [Option] {
        var options: [Option] = []
        for line in lines {
            let indent = line.prefix { $0 == " " }.count
            let words = line.dropFirst(indent)
            if indent == 2, words.hasPrefix("-") {
                let parts = words.split(separator: #/ {2,}/#, maxSplits: 1)
                options.append(Option(form: String(parts[0]), text: parts.count > 1 ? String(parts[1]) : ""))
            } else if indent >= 20, let last = options.indices.last {
                options[last].text += (options[last].text.isEmpty ? "" : " ") + words
            }
        }
        return options
    }

    /// A table in Markdown.
    var markdown: [String] {
        ["", "| option | meaning |", "| --- | --- |"]
            + options.map { option in
                let form = option.form.replacing("|", with: "\\|")
                let text = option.text.replacing(/[|*<_]/) { "\\" + $0.output }
                return "| `\(form)` | \(text) |"
            } + [""]
    }

    /// Paragraphs of a manual page.
    var roff: [String] {
        options.flatMap { [".TP", ".B \"\(Self.roff($0.form))\"", Self.roff($0.text)] }
    }

    private static func roff(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
