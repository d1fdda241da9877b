/// What a line of a configuration file says.
enum ConfigurationLine {
    case section(String)
    case setting(key: String, value: String)

    /// Reads a line without white space around it. A comment begins with # or ;, at the beginning of the line or behind white
    /// space; quotes around a value keep it from being one.
    ///
    /// - Returns: `nil` where nothing but a comment is there.
    init?(_ line: Substring) throws(UsageError) {
        if line.isEmpty || Self.isComment(line) { return nil }
        if line.first == "[" {
            let title = line.dropFirst()
            guard let end = title.indices.first(where: { title[$0] == "]" && Self.isEnd(title[$0...].dropFirst()) })
            else {
                throw UsageError("a section needs a closing ], and nothing but a comment behind it")
            }
            self = .section(String(title[..<end]))
            return
        }
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw UsageError("neither a [section] nor key = value") }
        self = .setting(key: String(trimmed(parts[0])), value: String(try Self.value(trimmed(parts[1]))))
    }

    private static func value(_ text: Substring) throws(UsageError) -> Substring {
        guard let quote = text.first, quote == "\"" || quote == "'" else {
            let end = text.indices.first { isEnd(text[$0...]) } ?? text.endIndex
            return isComment(text) ? "" : trimmed(text[..<end])
        }
        let quoted = text.dropFirst()
        guard let end = quoted.firstIndex(of: quote) else {
            throw UsageError("a value that begins with \(quote) ends with it")
        }
        guard isEnd(quoted[end...].dropFirst()) else {
            throw UsageError("nothing but a comment can stand behind the closing \(quote)")
        }
        return quoted[..<end]
    }

    private static func isComment(_ text: Substring) -> Bool { text.first == "#" || text.first == ";" }

    /// Whether nothing but white space and a comment follows.
    private static func isEnd(_ text: Substring) -> Bool {
        guard let first = text.first else { return true }
        let rest = trimmed(text)
        return first.isWhitespace && (rest.isEmpty || isComment(rest))
    }
}

/// Without white space at both ends.
func trimmed(_ text: some StringProtocol) -> Substring {
    var text = Substring(text)
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
}
