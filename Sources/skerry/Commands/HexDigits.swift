/// Bytes as people write them.
enum HexDigits {
    /// The bytes of hexadecimal digits, two each. White space is passed over; `:` and `-` may stand between bytes, and `0x`
    /// before them.
    static func bytes(_ text: String) throws(UsageError) -> [UInt8] {
        var bytes: [UInt8] = []
        var half: UInt8?
        /// Whether `0x` may stand here: at the beginning, and behind what stands between bytes.
        var isBeginning = true
        for (column, character) in text.enumerated() {
            if character.isWhitespace {
                isBeginning = half == nil
            } else if character == ":" || character == "-" {
                guard half == nil else { throw UsageError("half a byte before '\(character)' at column \(column + 1)") }
                isBeginning = true
            } else if character == "x" || character == "X", isBeginning, half == 0 {
                half = nil
                isBeginning = false
            } else {
                guard let digit = character.hexDigitValue, character.isASCII else {
                    throw UsageError("'\(character)' at column \(column + 1) is not a hexadecimal digit")
                }
                if let high = half {
                    bytes.append(high << 4 | UInt8(digit))
                    isBeginning = false
                }
                half = half == nil ? UInt8(digit) : nil
            }
        }
        guard half == nil else { throw UsageError("an odd number of hexadecimal digits") }
        return bytes
    }
}
