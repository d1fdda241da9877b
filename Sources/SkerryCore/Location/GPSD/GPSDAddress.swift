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
        guard let endpoint = Endpoint(rest) else { return nil }
        host = endpoint.host.isEmpty ? "localhost" : endpoint.host
        port = endpoint.port ?? Self.defaultPort
    }

    /// As it is read.
    public var description: String { host.contains(":") ? "gpsd://[\(host)]:\(port)" : "gpsd://\(host):\(port)" }
}
