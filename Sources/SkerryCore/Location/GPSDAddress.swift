/// Where a gpsd listens: `gpsd://HOST:PORT`.
public struct GPSDAddress: Hashable, Sendable, CustomStringConvertible {
    /// The port that gpsd has by default (IANA).
    public static let defaultPort: UInt16 = 2947

    /// A name or an address.
    public let host: String
    /// The port.
    public let port: UInt16

    /// Reads `gpsd://HOST:PORT`. The port may be missing, the host too: this machine's. An IPv6 address stands in
    /// brackets.
    ///
    /// - Returns: `nil` where it is anything else.
    public init?(_ text: String) {
        let scheme = "gpsd://"
        guard text.hasPrefix(scheme) else { return nil }
        var rest = text.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        var host: Substring
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
            guard host.contains(":"), rest.isEmpty || rest.hasPrefix(":") else { return nil }
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(host.count)
            if host.isEmpty { host = "localhost" }
        }
        // What a name and an address are made of; nothing that another program could take for an option.
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
        var port = Self.defaultPort
        if rest.hasPrefix(":") {
            guard let number = UInt16(rest.dropFirst()), number > 0, rest.utf8.dropFirst().first != UInt8(ascii: "+")
            else { return nil }
            port = number
        }
        self.host = String(host)
        self.port = port
    }

    /// As it is read.
    public var description: String { host.contains(":") ? "gpsd://[\(host)]:\(port)" : "gpsd://\(host):\(port)" }
}
