public import SkerryCore

/// Events as JSON lines for a reader that may be slow: what the radio hears must not wait for it.
///
/// Lines are queued, and written as the reader takes them. Once the queue is full, events are dropped whole; each uses up
/// its number, so that a gap in `seq` shows it, and is counted in the `dropped` of the statistics, which always find room.
/// Faults that are not wanted, or dropped, become lines on standard error.
public struct QueuedJSONOutput: LiveOutput, ~Copyable {
    /// Bytes that wait at most, before the line that finds the queue full.
    static let limit = 4 << 20

    private var lines: EventLine
    private var line = JSONLine(capacity: 64 * 1024)
    private var queue: OutputQueue
    private var errors: ErrorLines

    /// - Parameters:
    ///   - descriptor: Where the lines go.
    ///   - wanted: The kinds to write.
    ///   - regions: Names of the regions, by number.
    ///   - limit: Lines at most, without statistics.
    ///   - errors: Takes the faults that are left out.
    public init(
        _ descriptor: consuming FileDescriptor, wanted: EventKinds, regions: [String], limit: Int = .max,
        errors: consuming ErrorLines = ErrorLines()
    ) {
        self.errors = errors
        queue = OutputQueue(descriptor)
        lines = EventLine(wanted: wanted, regions: regions, limit: limit)
    }

    /// Whether as many lines were taken as may be.
    public var isFull: Bool { lines.isFull }

    /// Bytes that wait.
    public var waiting: Int { queue.count }

    /// What to wait for: while no line waits, only for the end of the reader.
    public var interest: Poller.Interest? { queue.interest }

    /// Takes in what happened, in order.
    ///
    /// - Parameter sources: Names of the sources, by number.
    public mutating func write(_ events: [Event], sources: [String]) throws(SystemError) {
        for index in events.indices {
            if waiting >= Self.limit, events[index].kind != .statistics {
                lines.drop(events[index])
                continue
            }
            lines.write([events[index]], sources: sources, to: &line)
            unsafe line.withBytes { bytes in unsafe queue.append(bytes) }
            line.removeAll()
        }
        errors.write(lines.takeLeftOut(), isLast: events.last?.kind == .statistics)
    }

    /// Writes what the reader takes now; to be called when the descriptor is writable.
    public mutating func send() throws(SystemError) { try queue.send() }
}
