/// How long to wait before something is tried again: 1 s, twice as long after each further failure, a minute at most.
public struct Backoff: Sendable {
    /// The longest wait, microseconds.
    public static let longest = 60 * Int64.second

    /// Failures since the last success.
    public private(set) var failures = 0

    /// Nothing has failed yet.
    public init() {}

    /// It has failed again.
    ///
    /// - Returns: Microseconds to wait.
    public mutating func next() -> Int64 {
        defer { failures += 1 }
        return min(Int64.second << min(failures, 6), Self.longest)
    }

    /// It has succeeded.
    public mutating func reset() { failures = 0 }
}
