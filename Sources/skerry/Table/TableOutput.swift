import SkerryCore
import SkerryIO

/// Events as a table on standard output, for inputs that can wait until it is drawn.
struct TableOutput: Output, ~Copyable {
    private var screen = TableScreen(isLive: false)

    mutating func write(_ events: [Event], sources: [String]) throws(SystemError) {
        try Self.print(screen.take(events, sources: sources))
        try flush()
    }

    /// A drawing that is not due yet waits for the next call, since inputs that are played by their clock pause after each
    /// record.
    mutating func flush() throws(SystemError) { try Self.print(screen.drawIfDue(MachineClock.monotonic)) }

    private static func print(_ bytes: [UInt8]) throws(SystemError) {
        guard !bytes.isEmpty else { return }
        try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
            try unsafe FileDescriptor.standardOutput.writeAll(bytes)
        }
    }
}
