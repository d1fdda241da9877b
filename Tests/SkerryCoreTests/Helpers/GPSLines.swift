@testable import SkerryCore

/// Lines of gpsd's JSON, with times in seconds as those of captures.
enum GPSLines {
    /// A fix.
    ///
    /// - Parameter more: Further members, each with a comma before it.
    static func fix(_ seconds: Double, _ latitude: Double, _ longitude: Double, _ more: String = "") -> String {
        "{\"class\":\"TPV\",\"mode\":3,\"time\":\(time(seconds)),\"lat\":\(latitude),\"lon\":\(longitude)\(more)}"
    }

    /// The receiver does not know where it is.
    static func noFix(_ seconds: Double) -> String { "{\"class\":\"TPV\",\"mode\":1,\"time\":\(time(seconds))}" }

    /// A compass, magnetic; its time is that of the fix before where it tells none.
    static func compass(_ seconds: Double? = nil, _ heading: Double, _ more: String = "") -> String {
        let ownTime = seconds.map { ",\"time\":\(time($0))" } ?? ""
        return "{\"class\":\"ATT\",\"mheading\":\(heading)\(ownTime)\(more)}"
    }

    static func log(_ lines: [String], name: String = "log.json") -> GPSLog {
        GPSLog(name: name, stream: GPSDStream(bytes: Array(lines.joined(separator: "\n").utf8) + [0x0A]))
    }

    private static func time(_ seconds: Double) -> String {
        var line = JSONLine(capacity: 32)
        line.time(BTSnoopFile.begin + Int64((seconds * 1e6).rounded()))
        return line.takeString()
    }
}
