public import SkerryCore

/// Events as JSON lines for a reader that may be slow: what the radio hears must not wait for it.
///
/// Lines are queued, and written as the reader takes them. Once the queue is full, events are dropped whole; each uses up
/// its number, so that a gap in `seq` shows it, and is counted in the `dropped` of the statistics, which always find room.
public struct QueuedJSONOutput: LiveOutput, ~Copyable {
    /// Bytes that wait at most, before the line that finds the queue full.
    static let limit = 4 << 20
    /// So much can be written to a pipe that is ready without waiting (PIPE_BUF, pipe(7)).
    private static let piece = 4096

    private let descriptor: FileDescriptor
    private var lines: EventLine
    private var line = JSONLine(capacity: 64 * 1024)
    private var queue: [UInt8] = []
    /// Bytes of the queue that were written.
    private var written = 0

    /// - Parameters:
    ///   - descriptor: Where the lines go.
    ///   - wanted: The kinds to write.
    ///   - regions: Names of the regions, by number.
    public init(_ descriptor: consuming FileDescriptor, wanted: EventKinds, regions: [String]) {
        self.descriptor = descriptor
        lines = EventLine(wanted: wanted, regions: regions)
    }

    /// Bytes that wait.
    public var waiting: Int { queue.count - written }

    /// What to wait for: while no line waits, only for the end of the reader.
    public var interest: Poller.Interest? {
        Poller.Interest(descriptor: descriptor.number, events: waiting > 0 ? .writable : [])
    }

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
            unsafe line.withBytes { bytes in unsafe queue.append(contentsOf: bytes) }
            line.removeAll()
        }
    }

    /// Writes what the reader takes now; to be called when the descriptor is writable.
    public mutating func send() throws(SystemError) {
        guard waiting > 0 else { return }
        let count: Int = try descriptor.writeOnce(queue[written..<min(queue.count, written + Self.piece)])
        written += count
        // What was written is let go now and then, not each time.
        if written == queue.count {
            queue.removeAll(keepingCapacity: queue.capacity <= 64 * 1024)
            written = 0
        } else if written > Self.limit / 4 {
            queue.removeFirst(written)
            written = 0
        }
    }
}
