import SkerryCore

extension Timestamp {
    /// RFC 3339, without quotes.
    private var text: Substring {
        var line = JSONLine(capacity: 32)
        line.time(self)
        return line.takeString().dropFirst().dropLast()
    }

    /// The day, `2026-11-30`.
    var date: Substring { text.prefix(10) }
    /// `14:22:32`, in UTC.
    var timeOfDay: Substring { text.dropFirst(11).prefix(8) }
}
