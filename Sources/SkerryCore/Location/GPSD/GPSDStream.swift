/// What a gpsd says, line by line: a buffer of bounded size between a socket or a file and the reports.
///
/// Memory does not grow with what is read. The caller supplies bytes when asked; nothing here knows a descriptor.
public struct GPSDStream {
    /// What comes next.
    public enum Next: Sendable {
        /// A line that can be read.
        case report(GPSDReport)
        /// More bytes must be supplied.
        case needsBytes
        /// The end. What is wrong with it, for people, where something is.
        case ended((name: Fault.Name, message: String)?)
    }

    /// What was read and what was passed over.
    public struct Counts: Equatable, Sendable {
        /// Lines that could be read.
        public var reports = 0
        /// Of these, lines of a class that nothing here needs.
        public var otherClasses = 0
        /// Members that were left out because they were not what they should be.
        public var unreadableMembers = 0
        /// Lines that begin like a report and can't be read.
        public var unreadableLines = 0
        /// Lines longer than 64 KiB.
        public var longLines = 0
        /// Lines that are no JSON, as a receiver's own sentences that gpsd passes on.
        public var otherLines = 0
    }

    /// The longest line; gpsd's own limit is 10,240 bytes, but gateways and newer versions may have another.
    static let longestLine = 65_536

    /// What was read and what was passed over.
    public private(set) var counts = Counts()
    /// Bytes passed so far.
    public private(set) var position: UInt64 = 0

    private var buffer: [UInt8]
    private var start = 0
    private var end = 0
    /// Up to here, no line ends.
    private var searched = 0
    /// Within a line that is too long.
    private var isSkipping = false
    private var isAtEnd = false

    /// A stream of which nothing has been read.
    public init() { buffer = Array(repeating: 0, count: 2 * Self.longestLine) }

    /// A stream that lies in memory as a whole.
    public init(bytes: [UInt8]) {
        buffer = bytes
        end = bytes.count
        isAtEnd = true
    }

    /// Reads once into the room behind what the buffer holds.
    ///
    /// - Parameter read: Fills the buffer it is given and returns how many bytes; 0 at the end.
    public mutating func supply<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        makeRoom()
        let from = end
        var whole = buffer.mutableSpan
        var bytes = unsafe whole.mutableBytes
        let count = try unsafe bytes.withUnsafeMutableBytes { (room) throws(Failure) in
            try unsafe read(UnsafeMutableRawBufferPointer(rebasing: room[from...]))
        }
        if count == 0 { isAtEnd = true }
        end += count
    }

    /// Goes on after an end that was only that of the moment.
    public mutating func resume() { isAtEnd = false }

    /// Forgets what the buffer holds: a new connection begins. The counts go on.
    public mutating func restart() {
        start = end
        searched = end
        isSkipping = false
        isAtEnd = false
    }

    /// Looks for the next line that can be read.
    public mutating func next() -> Next {
        while true {
            guard let line = nextLine() else {
                guard isAtEnd else { return .needsBytes }
                return lastLine()
            }
            if let report = read(line) { return .report(report) }
        }
    }

    /// What the stream is, told by what the buffer holds; `nil` while more bytes are needed.
    public func recognise() throws(UnrecognisedGPSLog) -> GPSLogKind? {
        try GPSLogKind.recognise(buffer.rawSpan.part(start, end), isWhole: isAtEnd || end - start >= Self.longestLine)
    }

    /// What the stream looks like where it begins like nothing that a known receiver sends; `nil` where it does.
    public var resemblance: UnrecognisedGPSLog? { UnrecognisedGPSLog(unlessReceiver: buffer.rawSpan.part(start, end)) }

    /// The bytes of the next line that is whole, without its line feed.
    private mutating func nextLine() -> Range<Int>? {
        while let feed = buffer[searched..<end].firstIndex(of: UInt8(ascii: "\n")) {
            let line = start..<feed
            pass(feed + 1 - start)
            if !isSkipping, line.count <= Self.longestLine { return line }
            counts.longLines += 1
            isSkipping = false
        }
        searched = end
        if end - start > Self.longestLine {
            isSkipping = true
            pass(end - start)
        }
        return nil
    }

    /// What stands behind the last line feed: a line of its own if it is whole.
    private mutating func lastLine() -> Next {
        let line = start..<end
        pass(line.count)
        if isSkipping {
            counts.longLines += 1
            isSkipping = false
        } else if let report = read(line) {
            return .report(report)
        } else if line.count > 0, buffer[line.lowerBound] == UInt8(ascii: "{") {
            return .ended((.cut, "the last line is cut"))
        }
        return .ended(nil)
    }

    private mutating func read(_ line: Range<Int>) -> GPSDReport? {
        guard let first = buffer[line].first, first != UInt8(ascii: "\r") else { return nil }
        guard first == UInt8(ascii: "{") else {
            counts.otherLines += 1
            return nil
        }
        var unreadable = 0
        guard
            let report = try? GPSDReport(
                line: buffer.rawSpan.part(line.lowerBound, line.upperBound), unreadable: &unreadable)
        else {
            counts.unreadableLines += 1
            return nil
        }
        counts.reports += 1
        counts.unreadableMembers += unreadable
        if case .other = report { counts.otherClasses += 1 }
        return report
    }

    private mutating func pass(_ length: Int) {
        start += length
        searched = start
        position += UInt64(length)
    }

    private mutating func makeRoom() {
        guard start > 0 || end == buffer.count else { return }
        for index in start..<end { buffer[index - start] = buffer[index] }
        end -= start
        searched -= start
        start = 0
        if end == buffer.count { buffer.append(contentsOf: repeatElement(0, count: Self.longestLine)) }
    }
}
