private import Glibc
public import SkerryCore

/// Faults as lines for people on standard error: those that an output leaves out, so that none goes unseen. That no receiver
/// knows the place is no fault to mend, but what happens indoors; whoever wants to know asks for it.
///
/// Whoever reads them never keeps this program waiting, and what goes wrong again and again does not fill a journal: beyond
/// `limit` lines a minute, faults are counted, and their number told later.
public struct ErrorLines: ~Copyable {
    /// Lines of one minute.
    static let limit = 20
    /// Characters of one line.
    static let longest = 500

    private let descriptor: FileDescriptor
    /// On the clock of `MachineClock.monotonic`.
    private var minuteBegan = Int64.min
    private var lines = 0
    private var omitted = 0

    /// - Parameter descriptor: Where the lines go.
    public init(_ descriptor: consuming FileDescriptor = .standardError) { self.descriptor = descriptor }

    /// Tells of faults.
    ///
    /// - Parameters:
    ///   - isLast: Whether none will come for now, so that it is time to say how many were not told.
    ///   - now: On the clock of `MachineClock.monotonic`.
    public mutating func write(_ faults: [Fault], isLast: Bool, now: Int64 = MachineClock.monotonic) {
        let faults = faults.filter { $0.name != .locationUnknown }
        if !faults.isEmpty, minuteBegan == .min || now - minuteBegan >= 60 * .second {
            tellOmitted()
            (minuteBegan, lines) = (now, 0)
        }
        for fault in faults {
            if lines < Self.limit, print(fault.message) { lines += 1 } else { omitted += 1 }
        }
        if isLast { tellOmitted() }
    }

    private mutating func tellOmitted() {
        guard omitted > 0 else { return }
        let errors = omitted == 1 ? "error" : "errors"
        if print("\(omitted) more \(errors) not shown here; --events error shows all") { omitted = 0 }
    }

    /// - Returns: Whether the line could be written without waiting.
    private func print(_ message: String) -> Bool {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return false }
        // A line of progress may stand there.
        let head = descriptor.hasCursor ? "\r\u{1B}[K" : ""
        let line = "\(head)skerry: \(message.prefix(Self.longest))\n"
        return (try? descriptor.writeOnce(Array(line.utf8)[...])) ?? 0 > 0
    }
}
