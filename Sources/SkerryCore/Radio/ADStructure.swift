/// One AD structure: length, type, data (Core specification, volume 3, part C, 11).
struct ADStructure: ~Escapable, BitwiseCopyable {
    /// The AD type (Assigned Numbers, 2.3).
    let type: UInt8
    /// What it stands in. Most structures are passed over by their type; their data is not even cut out.
    private let bytes: RawSpan
    private let start: Int
    /// Bytes of data after the type.
    let count: Int

    @_lifetime(copy data)
    @inline(__always)
    init(type: UInt8, data: RawSpan) {
        self.type = type
        bytes = data
        start = 0
        count = data.byteCount
    }

    /// The structure of `length` bytes at `start`; its bounds must have been checked directly before.
    @unsafe @inline(__always)
    @_lifetime(copy bytes)
    private init(in bytes: RawSpan, uncheckedFrom start: Int, length: Int) {
        type = unsafe bytes.byte(unchecked: start &+ 1)
        self.bytes = bytes
        self.start = start &+ 2
        count = length &- 1
    }

    /// The data after the type.
    var data: RawSpan {
        @_lifetime(copy self)
        @inline(__always)
        get { unsafe bytes.part(uncheckedFrom: start, to: start &+ count) }
    }

    static let manufacturerSpecificData: UInt8 = 0xFF
    static let serviceData16: UInt8 = 0x16

    /// Whether it is worth a closer look: manufacturer data long enough for an iBeacon, or Eddystone's service data.
    ///
    /// What kind of structure comes next can't be foreseen, and a branch that is guessed wrong costs more than all of
    /// this: only what is rare is asked for. The UUID may be bytes of the next structure; the closer look will tell.
    @inline(always)
    var mayHoldBeacon: Bool {
        if count >= IBeacon.length, type == Self.manufacturerSpecificData { return true }
        guard start &+ 2 <= bytes.byteCount else { return false }
        return unsafe UInt32(type) | UInt32(bytes.le16(unchecked: start)) << 8 == Self.eddystone
    }

    private static let eddystone = UInt32(serviceData16) | UInt32(Eddystone.serviceUUID) << 8
}

extension ADStructure {
    /// Calls `body` with each AD structure of advertising data.
    ///
    /// A zero length ends the data, and so does a length that runs past its end; what stood before stands.
    ///
    /// - Returns: What ended the walk early; `nil` where all was right.
    @inline(__always)
    static func forEach(in data: RawSpan, _ body: (ADStructure) -> Void) -> Malformation? {
        let end = walk(data) {
            body($0)
            return true
        }
        return if case .malformed(let reason) = end { reason } else { nil }
    }

    /// How a walk over AD structures ended.
    enum WalkEnd {
        /// After the last one.
        case whole
        /// Where `body` wanted.
        case stopped
        case malformed(Malformation)
    }

    /// Like `forEach`, as long as `body` says true.
    @inline(always)
    static func walk(_ data: RawSpan, while body: (ADStructure) -> Bool) -> WalkEnd {
        let count = data.byteCount
        var start = 0
        while start < count {
            let length = unsafe Int(data.byte(unchecked: start))
            guard length > 0 else { return endOfPadding(data.extracting(start..<count)) }
            let end = start &+ 1 &+ length
            guard end <= count else { return .malformed(.adLengthOverrun) }
            guard body(unsafe ADStructure(in: data, uncheckedFrom: start, length: length)) else { return .stopped }
            start = end
        }
        return .whole
    }

    @inline(never)
    private static func endOfPadding(_ padding: RawSpan) -> WalkEnd {
        for offset in 0..<padding.byteCount where padding.byte(offset) != 0 {
            return .malformed(.adNonzeroAfterZeroLength)
        }
        return .whole
    }
}
