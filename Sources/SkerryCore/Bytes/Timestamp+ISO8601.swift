extension Timestamp {
    /// Reads a UTC time as ISO 8601 and RFC 3339 write it: `2018-09-07T19:39:13.250Z`.
    ///
    /// Any number of decimals, of which six count. A leap second, `:60`, is the first of the next minute.
    ///
    /// - Returns: `nil` where it is anything else, or no day of the calendar.
    init?(iso8601 text: String) {
        var rest = text.utf8[...]
        guard let year = rest.digits(4), rest.pass("-"), let month = rest.digits(2), rest.pass("-"),
            let day = rest.digits(2), rest.pass("T") || rest.pass("t"), let hour = rest.digits(2), rest.pass(":"),
            let minute = rest.digits(2), rest.pass(":"), let second = rest.digits(2)
        else { return nil }
        var fraction: Int64 = 0
        if rest.pass(".") {
            var weight: Int64 = 100_000
            guard let first = rest.first, 48...57 ~= first else { return nil }
            while let digit = rest.digits(1) {
                fraction += digit * weight
                weight /= 10
            }
        }
        guard rest.pass("Z") || rest.pass("z"), rest.isEmpty, hour < 24, minute < 60, second <= 60,
            let days = Self.days(year: year, month: month, day: day)
        else { return nil }
        self.init(seconds: days * 86_400 + hour * 3600 + minute * 60 + second, microseconds: fraction)
    }

    /// Days since the Unix epoch, after Howard Hinnant, "chrono-compatible low-level date algorithms" (2013).
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...12 ~= month, 1...lengths[Int(month) - 1] ~= day else { return nil }
        // From March, so that the leap day comes last; 400 years more, so that nothing is negative.
        let shifted = (month <= 2 ? year - 1 : year) + 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468 - 146_097
    }
}

extension Substring.UTF8View {
    /// Passes so many digits.
    fileprivate mutating func digits(_ count: Int) -> Int64? {
        var value: Int64 = 0
        let rest = self
        for _ in 0..<count {
            guard let digit = popFirst(), 48...57 ~= digit else {
                self = rest
                return nil
            }
            value = value * 10 + Int64(digit - 48)
        }
        return value
    }

    fileprivate mutating func pass(_ character: Unicode.Scalar) -> Bool {
        guard let byte = first, byte == UInt8(ascii: character) else { return false }
        removeFirst()
        return true
    }
}
