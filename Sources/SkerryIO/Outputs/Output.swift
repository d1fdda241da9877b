public import SkerryCore

/// A reader of the bus.
public protocol Output: ~Copyable {
    /// Takes in what happened, in order.
    ///
    /// - Parameter sources: Names of the sources, by number.
    mutating func write(_ events: [Event], sources: [String]) throws(SystemError)
    /// Brings out what was held back, at the end and whenever the input pauses.
    mutating func flush() throws(SystemError)
}
