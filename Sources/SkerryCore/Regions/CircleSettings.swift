/// How circular regions are monitored.
public struct CircleSettings: Equatable, Sendable {
    /// Fixes in a row that must agree before a state changes, at least 1. The state of a circle of which nothing is
    /// known is set by the first.
    public var confirmations = 2
    /// Seconds for which they must have agreed, not negative. 20 is what Apple's devices are said to wait.
    public var dwell = 0.0
    /// Metres; a larger circle can't be monitored. The default allows every circle.
    public var maximumRadius = CircularRegion.greatestRadius
    /// Seconds without a fix, at least 1, after which every state is unknown again; `nil`: states are kept.
    public var staleness: Double?

    /// As they come.
    public init() {}

    /// Whether a circle can be monitored.
    public func allows(_ circle: CircularRegion) -> Bool { circle.radius <= maximumRadius }

    /// Whether a line through a circle, which is two fixes that take no time in it, is enough to have been in it.
    var trustsLines: Bool { confirmations <= 2 && dwell <= 0 }
}
