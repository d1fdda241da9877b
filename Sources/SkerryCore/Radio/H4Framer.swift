/// Packets of a stream in H4, the UART transport (Core specification, volume 4, part A).
///
/// Any bytes will do. What is no packet is passed over, and from then on only what certainly looks like an event is taken
/// for one, until that was so. Memory does not grow with what is read.
public struct H4Framer {
    /// Data packets that a scanning controller has no reason to send; a longer one is a stream that lost its step.
    private static let longestData = 1024
    private static let capacity = 65_536

    /// Bytes that were passed over because they are no packet.
    public private(set) var skipped: UInt64 = 0

    private var buffer: [UInt8]
    private var start = 0
    private var end = 0
    private var found = 0..<0
    /// Whether the byte that comes next is known to be the first of a packet.
    private var isInStep = false

    /// A framer for a stream that may have begun before.
    public init() { buffer = Array(repeating: 0, count: Self.capacity) }

    /// Reads once into the room behind what the buffer holds, of which there are 60,000 bytes at least.
    ///
    /// - Parameter read: Fills the buffer it is given and returns how many bytes.
    public mutating func supply<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        for offset in 0..<end - start { buffer[offset] = buffer[start + offset] }
        (start, end) = (0, end - start)
        let from = end
        var whole = buffer.mutableSpan
        var bytes = unsafe whole.mutableBytes
        end += try unsafe bytes.withUnsafeMutableBytes { (room) throws(Failure) in
            try unsafe read(UnsafeMutableRawBufferPointer(rebasing: room[from...]))
        }
    }

    /// Forgets what the buffer holds: a new stream begins.
    public mutating func restart() {
        (start, end) = (0, 0)
        isInStep = false
    }

    /// Looks for the next event that is whole.
    ///
    /// - Returns: Whether there is one; if not, more bytes must be supplied.
    public mutating func next() -> Bool {
        while start < end {
            guard let length = packetLength else {
                skipped += 1
                start += 1
                isInStep = false
                continue
            }
            guard length <= end - start else { return false }
            let isEvent = buffer[start] == 0x04
            found = start + 1..<start + length
            start += length
            isInStep = true
            if isEvent { return true }
        }
        return false
    }

    /// The event that was found, from its code on.
    public var event: RawSpan {
        @_lifetime(borrow self)
        borrowing get { buffer.rawSpan.part(found.lowerBound, found.upperBound) }
    }

    /// Bytes of the packet that begins here, as far as is known yet; `nil` where none does.
    private var packetLength: Int? {
        let bytes = buffer.rawSpan.part(start, end)
        let count = bytes.byteCount
        switch bytes.byte(0) {
        case 0x04:
            guard count >= 3 else { return isInStep || count < 2 || Self.isCertain(bytes.byte(1)) ? 3 : nil }
            let length = 3 + Int(bytes.byte(2))
            return isInStep || isCertain(bytes, length) ? length : nil
        // ACL data, SCO data, ISO data (volume 4, part E, 5.4).
        case 0x02: return count < 5 ? data(5, 0) : data(5, Int(bytes.le16(3)))
        case 0x03: return count < 4 ? data(4, 0) : data(4, Int(bytes.byte(3)))
        case 0x05: return count < 5 ? data(5, 0) : data(5, Int(bytes.le16(3) & 0x3FFF))
        default: return nil
        }
    }

    private func data(_ header: Int, _ length: Int) -> Int? {
        isInStep && length <= Self.longestData ? header + length : nil
    }

    /// What a scanning controller sends.
    private static func isCertain(_ code: UInt8) -> Bool {
        switch code {
        case HCIEvent.commandComplete, HCIEvent.commandStatus, HCIEvent.hardwareError, HCIEvent.leMeta: true
        default: false
        }
    }

    /// Whether an event with its H4 byte, of which at least three bytes are there, is likely to be one.
    private func isCertain(_ bytes: RawSpan, _ length: Int) -> Bool {
        let hasLength =
            switch bytes.byte(1) {
            case HCIEvent.commandComplete: length >= 6
            case HCIEvent.commandStatus: length == 7
            case HCIEvent.hardwareError: length == 4
            case HCIEvent.leMeta: length >= 5
            default: false
            }
        return hasLength && (bytes.byteCount <= length || (0x02...0x05).contains(bytes.byte(length)))
    }
}
