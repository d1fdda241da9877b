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
}

extension ADStructure {
    /// Calls `body` with each AD structure of advertising data.
    ///
    /// A zero length ends the data, and so does a length that runs past its end; what stood before stands.
    ///
    /// - Returns: What ended the walk early; `nil` where all was right.
    @inline(__always)
    static func forEach(in data: RawSpan, _ body: (ADStructure) -> Void) -> Malformation? {
        let count = data.byteCount
        var start = 0
        while start < count {
            let length = unsafe Int(data.byte(unchecked: start))
            guard length > 0 else { return isZero(data, from: start) ? nil : .adNonzeroAfterZeroLength }
            let end = start &+ 1 &+ length
            guard end <= count else { return .adLengthOverrun }
            body(unsafe ADStructure(in: data, uncheckedFrom: start, length: length))
            start = end
        }
        return nil
    }

    /// Whether advertising data are well-formed and hold nothing that may be a beacon: neither manufacturer data long
    /// enough for an iBeacon nor service data of Eddystone's.
    ///
    /// Nearly all data are so. What kind of structure comes next can't be foreseen, and a branch that is guessed wrong
    /// costs more than all of this: only what is rare is asked for, of length, type and UUID as one word.
    @inline(__always)
    static func isPlain(_ data: RawSpan) -> Bool {
        let count = data.byteCount
        var start = 0
        while start <= count &- 4 {
            let head = unsafe data.le32(unchecked: start)
            let length = head & 0xFF
            guard length > 0 else { return isZero(data, from: start) }
            if head >> 8 == Self.eddystone || head & 0xFFFF >= Self.longManufacturerData { return false }
            start &+= 1 &+ Int(length)
        }
        while start < count {
            let length = unsafe Int(data.byte(unchecked: start))
            guard length > 0 else { return isZero(data, from: start) }
            start &+= 1 &+ length
        }
        return start == count
    }

    /// Type and UUID.
    private static let eddystone = UInt32(serviceData16) | UInt32(Eddystone.serviceUUID) << 8
    /// The least of length and type: no type is greater.
    private static let longManufacturerData = UInt32(IBeacon.length + 1) | UInt32(manufacturerSpecificData) << 8

    @inline(never)
    private static func isZero(_ data: RawSpan, from start: Int) -> Bool {
        (start..<data.byteCount).allSatisfy { data.byte($0) == 0 }
    }
}
