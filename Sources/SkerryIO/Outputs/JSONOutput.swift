public import SkerryCore

/// Events as JSON lines on standard output; faults that are not wanted there, as lines on standard error.
public struct JSONOutput: Output, ~Copyable {
    private var lines: EventLine
    private var errors = ErrorLines()
    private var buffer = JSONLine(capacity: 128 * 1024)
    private static let flushAt = 64 * 1024

    /// - Parameters:
    ///   - wanted: The kinds to write.
    ///   - regions: Names of the regions, by number.
    ///   - limit: Lines at most, without statistics.
    public init(wanted: EventKinds, regions: [String], limit: Int = .max) {
        lines = EventLine(wanted: wanted, regions: regions, limit: limit)
    }

    /// Whether as many lines were written as may be.
    public var isFull: Bool { lines.isFull }

    /// Writes a line for each event that is wanted; holds lines back until there are many.
    public mutating func write(_ events: [Event], sources: [String]) throws(SystemError) {
        var next = 0
        while next < events.count {
            next = lines.write(events, from: next, sources: sources, to: &buffer, until: Self.flushAt)
            if buffer.count >= Self.flushAt { try flush() }
        }
        errors.write(lines.takeLeftOut(), isLast: events.last?.kind == .statistics)
    }

    /// Brings out the lines held back.
    public mutating func flush() throws(SystemError) {
        guard buffer.count > 0 else { return }
        try unsafe buffer.withBytes { (bytes) throws(SystemError) in
            try unsafe FileDescriptor.standardOutput.writeAll(bytes)
        }
        buffer.removeAll()
    }
}
