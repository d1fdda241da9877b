/// A capture that is read piece by piece: a buffer of bounded size between whoever reads the file and its records.
///
/// Memory does not grow with the file. The caller supplies bytes when asked; nothing here knows a descriptor.
public struct CaptureStream {
    /// What events call the capture.
    public let name: String

    /// What the buffer holds next.
    enum Next {
        /// A record, not passed yet; `play` begins with it.
        case record(CaptureRecord)
        /// More bytes must be supplied.
        case needsBytes
        /// A part that was passed over, for people.
        case damaged(String)
        /// The end. What is wrong with it, for people, where something is.
        case ended((name: Fault.Name, message: String)?)
    }

    /// Room for the longest record, and for reading well ahead of short ones.
    private static let bufferLength = 256 * 1024

    var reader = CaptureReader()
    var buffer: [UInt8] = []
    var start = 0
    var end = 0
    /// Place of `start` in the file.
    private var offset: UInt64 = 0
    /// Bytes still to be passed over that are not in the buffer yet.
    private var skipping = 0
    private var needed = 1
    private var isAtEnd = false
    var records: UInt64 = 0
    /// What was met and is not passed yet.
    var found: CaptureStep?

    /// A capture of which nothing has been read.
    public init(name: String) { self.name = name }

    /// A capture that lies in memory as a whole.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        buffer = bytes
        end = bytes.count
        isAtEnd = true
    }

    /// The container's name; `nil` before it was recognised.
    public var kind: String? { reader.kind }

    /// Bytes of the file passed so far.
    public var position: UInt64 { offset }

    /// Reads once into the room behind what the buffer holds.
    ///
    /// - Parameter read: Fills the buffer it is given and returns how many bytes; 0 at the end of the file.
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

    /// Whether less is there than the header of any container.
    public var isJustBeginning: Bool { end - start < Pcap.headerLength }

    /// Goes on after an end that was only that of the moment.
    public mutating func resume() { isAtEnd = false }

    /// Tells what the capture is from what was supplied.
    ///
    /// - Returns: Whether it is recognised; if not, more bytes are needed.
    /// - Throws: What was found instead.
    public mutating func recognise() throws(UnrecognisedCapture) -> Bool {
        let isWhole = isAtEnd || end == CaptureReader.recognitionLength
        guard let header = try reader.recognise(buffer, start..<end, isWhole: isWhole) else {
            return false
        }
        advance(header)
        return true
    }

    /// Looks for what comes next.
    mutating func next() -> Next {
        while true {
            if skipping > 0 { skipHeld() }
            if skipping > 0 { return isAtEnd ? .ended((.cut, "the last block is cut at byte \(offset)")) : .needsBytes }
            let step = found ?? reader.next(buffer, start..<end)
            found = nil
            switch step {
            case .record(let record, _):
                // Formats with a memory must not meet it twice.
                found = step
                return .record(record)
            case .skip(let length):
                skipping = length
            case .damaged(let what, let length):
                defer { advance(length) }
                return .damaged("\(place): \(what)")
            case .needs(let count):
                guard isAtEnd else {
                    needed = count
                    return .needsBytes
                }
                let left = end - start
                return .ended(left == 0 ? nil : (.cut, "\(place) is cut: \(left) of at least \(count) bytes"))
            case .broken(let what): return .ended((.unreadable, "\(place): \(what); the rest can't be read"))
            }
        }
    }

    private var place: String { "record \(records + 1) at byte \(offset)" }

    /// The capture's own clock.
    var clock = CaptureClock()

    @inline(__always)
    mutating func advance(_ length: Int) {
        start &+= length
        offset &+= UInt64(length)
    }

    private mutating func skipHeld() {
        let now = min(skipping, end - start)
        advance(now)
        skipping -= now
    }

    private mutating func makeRoom() {
        if start > 0 {
            let kept = end - start
            for index in 0..<kept { buffer[index] = buffer[start + index] }
            start = 0
            end = kept
        }
        let wanted = reader.kind == nil ? CaptureReader.recognitionLength : max(Self.bufferLength, needed)
        if buffer.count < wanted { buffer.append(contentsOf: repeatElement(0, count: wanted - buffer.count)) }
        if end == buffer.count { buffer.append(contentsOf: repeatElement(0, count: buffer.count)) }
    }
}
