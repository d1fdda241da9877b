/// Where a controller of one's own is, that speaks H4: `DEVICE[,BAUD[,crtscts]]` or `tcp:HOST:PORT`.
public enum H4Address: Equatable, Sendable, CustomStringConvertible {
    /// At a serial port; bits a second; whether RTS and CTS hold it back.
    case serial(path: String, speed: UInt32, hasFlowControl: Bool)
    /// At the end of a TCP connection.
    case tcp(host: String, port: UInt16)

    /// What most controllers begin with.
    public static let defaultSpeed: UInt32 = 115_200

    /// Reads an address.
    ///
    /// - Returns: `nil` where it is none.
    public init?(_ text: String) {
        if text.hasPrefix("tcp:") {
            guard let endpoint = Endpoint(text.dropFirst(4)), !endpoint.host.isEmpty, let port = endpoint.port else {
                return nil
            }
            self = .tcp(host: endpoint.host, port: port)
            return
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard !parts[0].isEmpty, parts.count <= 3, parts.count < 3 || parts[2] == "crtscts" else { return nil }
        guard let speed = parts.count < 2 ? Self.defaultSpeed : UInt32(parts[1]), speed > 0 else { return nil }
        self = .serial(path: String(parts[0]), speed: speed, hasFlowControl: parts.count == 3)
    }

    /// Which one it is, however it is spoken to.
    public var description: String {
        switch self {
        case .serial(let path, _, _): path
        case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        }
    }
}
