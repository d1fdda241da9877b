/// A host and a port, as people write them: `HOST:PORT`, an IPv6 address in brackets.
struct Endpoint: Hashable, Sendable {
    /// A name or an address; empty where none is written.
    let host: String
    /// `nil` where none is written.
    let port: UInt16?

    /// Reads `HOST:PORT`, of which each may be missing.
    ///
    /// - Returns: `nil` where it is anything else, or could be taken for an option by another program.
    init?(_ text: Substring) {
        var rest = text
        let host: Substring
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
            guard host.contains(":"), rest.isEmpty || rest.hasPrefix(":") else { return nil }
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(host.count)
        }
        let isWritten = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: ":"), UInt8(ascii: "%"):
                true
            default: false
            }
        }
        guard isWritten, !host.hasPrefix("-"), host.utf8.count <= 255 else { return nil }
        self.host = String(host)
        guard rest.hasPrefix(":") else {
            port = nil
            return
        }
        guard let number = UInt16(rest.dropFirst()), number > 0, rest.utf8.dropFirst().first != UInt8(ascii: "+") else {
            return nil
        }
        port = number
    }
}
