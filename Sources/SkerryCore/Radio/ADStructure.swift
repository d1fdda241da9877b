/// One AD structure: length, type, data (Core specification, volume 3, part C, 11).
struct ADStructure: ~Escapable {
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
}

/// Walks the AD structures of advertising data.
///
/// A zero length ends the data, and so does a length that runs past its end; what stood before stands.
struct ADStructures: ~Escapable {
    private var rest: ByteReader
    /// What ended the walk early; `nil` while all was right.
    private(set) var fault: Malformation?

    @_lifetime(copy data)
    @inline(__always)
    init(_ data: RawSpan) {
        rest = ByteReader(data)
        fault = nil
    }

    @_lifetime(copy self)
    @_lifetime(self: copy self)
    @inline(__always)
    mutating func next() -> ADStructure? {
        guard rest.count > 0 else { return nil }
        let length = Int(rest.rest.byte(0))
        guard length > 0 else {
            checkPadding()
            return nil
        }
        guard let structure = try? rest.take(1 + length) else {
            fault = .adLengthOverrun
            rest = ByteReader(rest.rest.extracting(first: 0))
            return nil
        }
        return ADStructure(type: structure.byte(1), data: structure.extracting(droppingFirst: 2))
    }

    @_lifetime(self: copy self)
    @inline(never)
    private mutating func checkPadding() {
        let padding = rest.rest
        for offset in 0..<padding.byteCount where padding.byte(offset) != 0 {
            fault = .adNonzeroAfterZeroLength
            break
        }
        rest = ByteReader(padding.extracting(first: 0))
    }
}
