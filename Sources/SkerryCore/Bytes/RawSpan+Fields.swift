// The fields of a header, by offset. Every load is checked against the span's bounds.
extension RawSpan {
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        // One comparison, which folds into those the parsers make; the library's own checks take three.
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: byteCount), "an offset beyond the bytes")
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    func signed(_ offset: Int) -> Int8 { Int8(bitPattern: byte(offset)) }

    @inline(__always)
    private func word<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Word {
        let end = UInt(bitPattern: offset) &+ UInt(MemoryLayout<Word>.size)
        precondition(offset >= 0 && end <= UInt(bitPattern: byteCount), "an offset beyond the bytes")
        return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Word.self)
    }

    @inline(__always)
    func be16(_ offset: Int) -> UInt16 { UInt16(bigEndian: word(offset)) }

    @inline(__always)
    func be32(_ offset: Int) -> UInt32 { UInt32(bigEndian: word(offset)) }

    @inline(__always)
    func be64(_ offset: Int) -> UInt64 { UInt64(bigEndian: word(offset)) }

    @inline(__always)
    func le16(_ offset: Int) -> UInt16 { UInt16(littleEndian: word(offset)) }

    @inline(__always)
    func le32(_ offset: Int) -> UInt32 { UInt32(littleEndian: word(offset)) }

    /// A 48-bit device address: six bytes, least significant first.
    @inline(__always)
    func address(_ offset: Int) -> DeviceAddress {
        DeviceAddress(bits: UInt64(le32(offset)) | UInt64(le16(offset + 4)) << 32)
    }
}

extension RawSpan {
    /// The bytes from `start` to before `end`.
    @inline(__always)
    @_lifetime(copy self)
    func part(_ start: Int, _ end: Int) -> RawSpan {
        precondition(
            UInt(bitPattern: end) <= UInt(bitPattern: byteCount) && UInt(bitPattern: start) <= UInt(bitPattern: end),
            "a part beyond the bytes")
        return unsafe part(uncheckedFrom: start, to: end)
    }
}

extension RawSpan {
    /// Whether it lies anywhere at all. Once that was asked, the optimiser knows it of every part, and need not ask for
    /// each whether it is one of the nothing that an empty span may be.
    @inline(__always)
    var isSomewhere: Bool { unsafe withUnsafeBytes { unsafe $0.baseAddress != nil } }
}

// For loops whose own conditions are the bounds: not checked again.
extension RawSpan {
    /// A byte; `0 <= offset < byteCount` must stand directly before.
    @unsafe @inline(__always)
    func byte(unchecked offset: Int) -> UInt8 { unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self) }

    /// A word; `0 <= offset <= byteCount - 4` must stand directly before.
    @unsafe @inline(__always)
    func le32(unchecked offset: Int) -> UInt32 {
        unsafe UInt32(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
    }

    /// A part; `0 <= start <= end <= byteCount` must stand directly before.
    @unsafe @inline(__always)
    @_lifetime(copy self)
    func part(uncheckedFrom start: Int, to end: Int) -> RawSpan {
        unsafe extracting(unchecked: Range(uncheckedBounds: (start, end)))
    }
}

extension [UInt8] {
    /// A copy of borrowed bytes.
    init(_ bytes: RawSpan) {
        self.init()
        reserveCapacity(bytes.byteCount)
        for offset in 0..<bytes.byteCount { append(bytes.byte(offset)) }
    }

    /// The bytes, borrowed.
    @inline(__always)
    var rawSpan: RawSpan {
        @_lifetime(borrow self)
        borrowing get { unsafe span.bytes }
    }
}
