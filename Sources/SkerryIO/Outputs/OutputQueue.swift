/// Bytes on their way to a reader that may be slow. Who appends them never waits.
public struct OutputQueue: ~Copyable {
    /// So much can be written to a pipe that is ready without waiting (PIPE_BUF, pipe(7)).
    private static let piece = 4096
    /// So many bytes that were written are kept at most, since letting them go moves the others.
    private static let mostWritten = 1 << 20

    private let descriptor: FileDescriptor
    private var bytes: [UInt8] = []
    private var written = 0

    /// - Parameter descriptor: Where the bytes go.
    public init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// Bytes that wait.
    public var count: Int { bytes.count - written }

    /// What to wait for: while nothing waits, only for the end of the reader.
    public var interest: Poller.Interest {
        Poller.Interest(descriptor: descriptor.number, events: count > 0 ? .writable : [])
    }

    /// Lets bytes wait.
    public mutating func append(_ new: some Sequence<UInt8>) { bytes.append(contentsOf: new) }

    /// Writes what the reader takes now; to be called when the descriptor is writable.
    public mutating func send() throws(SystemError) {
        guard count > 0 else { return }
        let taken: Int = try descriptor.writeOnce(bytes[written..<min(bytes.count, written + Self.piece)])
        written += taken
        if written == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 64 * 1024)
            written = 0
        } else if written > Self.mostWritten {
            bytes.removeFirst(written)
            written = 0
        }
    }
}
