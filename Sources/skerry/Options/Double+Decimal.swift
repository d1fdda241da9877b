extension Double {
    /// A finite number as options and configuration have it: decimal digits, a sign, a point, an exponent.
    ///
    /// - Returns: `nil` for all else that Swift reads, such as `0x10` and `nan`.
    init?(decimal text: some StringProtocol) {
        let isDecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let number = Double(text), number.isFinite else { return nil }
        self = number
    }
}
