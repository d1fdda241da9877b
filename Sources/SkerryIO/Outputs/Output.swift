public import SkerryCore

/// A reader of the bus.
public protocol Output: ~Copyable {
    /// Whether nothing but the last statistics is wanted any more.
    var isFull: Bool { get }
    /// Takes in what happened, in order.
    ///
    /// - Parameter sources: Names of the sources, by number.
    mutating func write(_ events: [Event], sources: [String]) throws(SystemError)
    /// Brings out what was held back, at the end and whenever the input pauses.
    mutating func flush() throws(SystemError)
}

extension Output where Self: ~Copyable {
    /// Everything is wanted.
    public var isFull: Bool { false }
}
