/// Why the command line can't be followed; exit code 64.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}

/// One option of a command: its name, its value, what it means, and what it does to the settings.
struct Option<Settings>: Sendable {
    let name: String
    /// How `--help` calls the value; `nil` for a flag.
    let value: String?
    let help: String
    let apply: @Sendable (inout Settings, String) throws(UsageError) -> Void
}

/// The options of a command. One table drives the parser, `--help` and the errors.
struct OptionTable<Settings>: Sendable {
    let options: [Option<Settings>]

    /// Reads `--name value`, `--name=value` and operands; `--` ends the options, `-` alone is an operand.
    ///
    /// - Returns: The operands.
    func parse(_ arguments: [String], into settings: inout Settings) throws(UsageError) -> [String] {
        var operands: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" { return operands + rest }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let name = String(word.prefix { $0 != "=" })
            guard let option = options.first(where: { $0.name == name }) else { throw unknown(name) }
            let given = name.utf8.count < word.utf8.count ? String(word.dropFirst(name.count + 1)) : nil
            guard option.value != nil else {
                if given != nil { throw UsageError("\(name) takes no value") }
                try option.apply(&settings, "")
                continue
            }
            guard let value = given ?? rest.popFirst() else { throw UsageError("\(name) needs a value") }
            try option.apply(&settings, value)
        }
        return operands
    }

    private func unknown(_ name: String) -> UsageError {
        let near = options.map { ($0.name, editDistance($0.name, name)) }.min { $0.1 < $1.1 }
        guard let near, near.1 <= 3 else { return UsageError("unknown option \(name)") }
        return UsageError("unknown option \(name); did you mean \(near.0)?")
    }

    /// A line or more for each option.
    var help: String {
        options.map { option in
            let left = "  " + option.name + (option.value.map { " " + $0 } ?? "")
            let lines = option.help.split(separator: "\n", omittingEmptySubsequences: false)
            let column = 27
            let indent = String(repeating: " ", count: column)
            let isLong = left.count + 2 > column
            let first = left + (isLong ? "\n" + indent : String(indent.dropFirst(left.count))) + lines[0]
            return ([first] + lines.dropFirst().map { indent + $0 }).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

/// Insertions, deletions and replacements from one word to another (Levenshtein).
func editDistance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, y) in b.enumerated() {
            (diagonal, row[j + 1]) = (row[j + 1], min(row[j + 1] + 1, row[j] + 1, diagonal + (x == y ? 0 : 1)))
        }
    }
    return row[b.count]
}
