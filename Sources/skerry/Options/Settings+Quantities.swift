// Times and sizes, as options and configuration keys have them.
extension Settings {
    /// Seconds from a number with a unit or without: `90`, `1.5m`, `2h`, `1d`.
    ///
    /// - Parameter bounds: In seconds.
    static func duration(_ text: String, _ what: String, _ bounds: ClosedRange<Int>) throws(UsageError) -> Double {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let seconds = quantity(text, units), Double(bounds.lowerBound)...Double(bounds.upperBound) ~= seconds
        else {
            throw UsageError(
                "\(what) '\(text)' is not a time from \(bounds.lowerBound) to \(bounds.upperBound) s (90, 90s, 5m, 2h, 1d)"
            )
        }
        return seconds
    }

    /// Bytes from a number with a unit or without: `65536`, `64k`, `10M`, `1G`. Units are powers of 1024, as those of
    /// head(1), split(1) and logrotate(8).
    static func size(_ text: String, _ what: String, _ bounds: ClosedRange<Int>) throws(UsageError) -> Int {
        let kilo = 1024.0
        let units =
            [
                "k": kilo, "K": kilo, "M": kilo * kilo, "G": kilo * kilo * kilo, "T": kilo * kilo * kilo * kilo,
            ] as [Character: Double]
        guard let bytes = quantity(text, units), Double(bounds.lowerBound)...Double(bounds.upperBound) ~= bytes else {
            throw UsageError(
                "\(what) '\(text)' is not a size from \(bounds.lowerBound) to \(bounds.upperBound) bytes (65536, 64k, 10M, 1G)"
            )
        }
        return Int(bytes)
    }

    private static func quantity(_ text: String, _ units: [Character: Double]) -> Double? {
        guard let unit = text.last.flatMap({ units[$0] }) else { return Double(decimal: text) }
        var number = text.dropLast()
        if number.last == " " { number.removeLast() }
        return Double(decimal: number).map { $0 * unit }
    }
}
