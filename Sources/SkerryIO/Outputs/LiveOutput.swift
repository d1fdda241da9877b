public import SkerryCore

/// A reader of the bus that must not keep the radio waiting.
public protocol LiveOutput: ~Copyable {
    /// What to wait for before `send`; `nil` where there is nothing to wait for.
    var interest: Poller.Interest? { get }
    /// Whether nothing but the last statistics is wanted any more.
    var isFull: Bool { get }
    /// Bytes that wait to be written.
    var waiting: Int { get }
    /// When `step` has something to do though nothing happens, on the clock of `MachineClock.monotonic`; `nil` where it
    /// has not.
    var deadline: Int64? { get }
    /// Takes in what happened, in order, without waiting.
    ///
    /// - Parameter sources: Names of the sources, by number.
    mutating func write(_ events: [Event], sources: [String]) throws(SystemError)
    /// Does what is due, without waiting; to be called once a turn.
    mutating func step(now: Int64)
    /// Writes what can be written now; to be called when the descriptor is writable.
    mutating func send() throws(SystemError)
}

extension LiveOutput where Self: ~Copyable {
    /// Everything is wanted.
    public var isFull: Bool { false }
    /// Nothing waits for a moment.
    public var deadline: Int64? { nil }
    /// Nothing is due.
    public mutating func step(now: Int64) {}
}
