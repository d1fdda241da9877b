import Glibc
import SkerryCore

/// A moment as the clock on the wall shows it.
struct LocalTime {
    /// The day, `2026-11-30`.
    let date: Substring
    /// `14:22:32`.
    let timeOfDay: Substring
    /// What the zone calls itself at that moment, `CET`, or its offset.
    let zone: String

    /// - Parameter offset: Seconds east of UTC.
    init(_ time: Timestamp, offset: Int64, zone: String) {
        var line = JSONLine(capacity: 32)
        line.time(time + offset * .second)
        let text = line.takeString().dropFirst()
        (date, timeOfDay) = (text.prefix(10), text.dropFirst(11).prefix(8))
        self.zone = zone
    }

    /// In the zone that the machine or `TZ` names.
    static func here(_ time: Timestamp) -> LocalTime {
        var parts = unsafe tm()
        var seconds = time_t(time.microseconds / .second)
        guard unsafe localtime_r(&seconds, &parts) != nil, let zone = unsafe parts.tm_zone else {
            return LocalTime(time, offset: 0, zone: "UTC")
        }
        return LocalTime(time, offset: Int64(unsafe parts.tm_gmtoff), zone: unsafe String(cString: zone))
    }
}
