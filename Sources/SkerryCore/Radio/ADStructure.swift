/// One AD structure: length, type, data (Core specification, volume 3, part C, 11).
struct ADStructure: ~Escapable, BitwiseCopyable {
    /// The AD type (Assigned Numbers, 2.3).
    let type: UInt8
    /// The data after the type.
    let data: RawSpan

    @_lifetime(copy data)
    @inline(__always)
    init(type: UInt8, data: RawSpan) {
        self.type = type
        self.data = data
    }

    static let manufacturerSpecificData: UInt8 = 0xFF
    static let serviceData16: UInt8 = 0x16

    /// Whether it is worth a closer look.
    @inline(__always)
    var mayHoldBeacon: Bool {
        switch type {
        case Self.manufacturerSpecificData: data.byteCount >= IBeacon.length
        case Self.serviceData16: data.byteCount >= 4 && data.le16(0) == Eddystone.serviceUUID
        default: false
        }
    }
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
            guard length > 0 else { return faultOfPadding(data.extracting(start..<count)) }
            let end = start &+ 1 &+ length
            guard end <= count else { return .adLengthOverrun }
            let type = unsafe data.byte(unchecked: start &+ 1)
            body(unsafe ADStructure(type: type, data: data.part(uncheckedFrom: start &+ 2, to: end)))
            start = end
        }
        return nil
    }

    @inline(never)
    private static func faultOfPadding(_ padding: RawSpan) -> Malformation? {
        for offset in 0..<padding.byteCount where padding.byte(offset) != 0 { return .adNonzeroAfterZeroLength }
        return nil
    }
}
