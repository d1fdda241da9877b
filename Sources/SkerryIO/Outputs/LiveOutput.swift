public import SkerryCore

/// A reader of the bus that must not keep the radio waiting.
public protocol LiveOutput: ~Copyable {
    /// What to wait for before `send`; `nil` where there is nothing to wait for.
    var interest: Poller.Interest? { get }
    /// Bytes that wait to be written.
    var waiting: Int { get }
    /// Takes in what happened, in order, without waiting.
    ///
    /// - Parameter sources: Names of the sources, by number.
    mutating func write(_ events: [Event], sources: [String]) throws(SystemError)
    /// Writes what can be written now; to be called when the descriptor is writable.
    mutating func send() throws(SystemError)
}
