/// The options of a command. One table drives the parser, `--help` and the errors.
struct OptionTable<Settings>: Sendable {
    let options: [Option<Settings>]

    /// The columns of a terminal that `--help` keeps to.
    private static var width: Int { 80 }
    /// Where what is said of an option begins.
    private static var column: Int { 27 }

    /// Reads `--name value`, `--name=value`, `-n value`, `-nvalue` and operands; `--` ends the options, `-` alone is an
    /// operand. A long name may be cut short where no other one begins so.
    ///
    /// - Returns: The operands.
    func parse(_ arguments: [String], into settings: inout Settings) throws(UsageError) -> [String] {
        var operands: [String] = []
        var given: Set<String> = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" { return operands + rest }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let (option, attached) = try word.hasPrefix("--") ? named(word) : lettered(word)
            guard option.value != nil else {
                if attached != nil { throw UsageError("\(option.name) takes no value") }
                try option.apply(&settings, "")
                continue
            }
            guard let value = attached ?? rest.popFirst() else { throw UsageError("\(option.name) needs a value") }
            guard option.isRepeatable || given.insert(option.name).inserted else {
                throw UsageError("\(option.name) is given twice")
            }
            try option.apply(&settings, value)
        }
        return operands
    }

    /// The option of `--name` or `--name=value`, and the value.
    private func named(_ word: String) throws(UsageError) -> (Option<Settings>, String?) {
        let name = String(word.prefix { $0 != "=" })
        let value = name.utf8.count < word.utf8.count ? String(word.dropFirst(name.count + 1)) : nil
        if let option = options.first(where: { $0.name == name }) { return (option, value) }
        let candidates = options.filter { $0.name.hasPrefix(name) && name.count > 2 }
        guard let only = candidates.first else { throw unknown(name) }
        guard candidates.count == 1 else {
            throw UsageError("\(name) could be \(candidates.map(\.name).joined(separator: " or "))")
        }
        return (only, value)
    }

    /// The option of `-n` or `-nvalue`, and the value.
    private func lettered(_ word: String) throws(UsageError) -> (Option<Settings>, String?) {
        let letter = word.dropFirst().first
        guard let option = options.first(where: { $0.letter != nil && $0.letter == letter }) else {
            throw unknown(word)
        }
        let rest = word.dropFirst(2)
        return (option, rest.isEmpty ? nil : String(rest))
    }

    private func unknown(_ name: String) -> UsageError {
        let others = Command.all.filter { $0.options().contains { $0.name == name } }.map(\.name)
        if !others.isEmpty { return UsageError("\(name) is an option of \(others.joined(separator: ", "))") }
        guard let near = Spelling.nearest(to: name, among: options.map(\.name)) else {
            return UsageError("unknown option \(name)")
        }
        return UsageError("unknown option \(name); did you mean \(near)?")
    }

    /// A line or more for each option.
    var help: String {
        options.map { option in
            let letter = option.letter.map { "-\($0), " } ?? ""
            let left = "  " + letter + option.name + (option.value.map { " " + $0 } ?? "")
            let indent = String(repeating: " ", count: Self.column)
            let isLong = left.count + 2 > Self.column
            let first = left + (isLong ? "\n" + indent : String(indent.dropFirst(left.count)))
            return first + Self.lines(option.help).joined(separator: "\n" + indent)
        }.joined(separator: "\n")
    }

    /// A paragraph as lines that fit beside the names.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= width - column {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
    }
}
