/// Why scanning can't begin. Each message says what to do.
public enum ScanError: Error, Equatable, Sendable {
    /// There is no such adapter.
    case noAdapter(String)
    /// This program may not do what is needed.
    case notPermitted(String)
    /// What is needed is not there, or not able to.
    case unavailable(String)

    /// For people.
    public var message: String {
        switch self {
        case .noAdapter(let message), .notPermitted(let message), .unavailable(let message): message
        }
    }
}
