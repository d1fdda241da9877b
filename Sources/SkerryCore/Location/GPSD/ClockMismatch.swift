/// A log of a receiver whose times are far from those of the captures it is played with.
///
/// GPS counts weeks modulo 1,024. Receivers that are old enough, and gpsd 3.20 to 3.25 with logs from before 2017, are
/// off by a multiple of that.
struct ClockMismatch: Equatable {
    private static let day = 86_400 * Int64.second
    /// Microseconds; what is no further off may be a log that was begun a little earlier.
    private static let tolerance = day
    /// Microseconds in 1,024 weeks.
    static let era = 1_024 * 7 * day

    /// From the log's time to the nearest time of a capture, microseconds; not within the tolerance.
    let gap: Int64
    /// Microseconds to add to the log's times, where a multiple of 1,024 weeks brings them together.
    let offset: Int64?

    /// - Parameters:
    ///   - time: Of the log.
    ///   - spans: From the first to the last time of each capture.
    /// - Returns: `nil` where the time is near one of the captures, or there is none.
    init?(_ time: Timestamp, _ spans: [ClosedRange<Timestamp>]) {
        let gaps = spans.map { Self.gap(from: time, to: $0) }
        guard let gap = gaps.min(by: { abs($0) < abs($1) }), abs(gap) > Self.tolerance else { return nil }
        self.gap = gap
        let eras = spans.map { Self.era * Int64((Double($0.lowerBound - time) / Double(Self.era)).rounded()) }
        offset = zip(eras, spans).first { abs(Self.gap(from: time + $0, to: $1)) <= Self.tolerance }?.0
    }

    private static func gap(from time: Timestamp, to span: ClosedRange<Timestamp>) -> Int64 {
        if time < span.lowerBound { return span.lowerBound - time }
        return time > span.upperBound ? span.upperBound - time : 0
    }

    /// A sentence for people.
    var message: String {
        let days = (abs(gap) + Self.day / 2) / Self.day
        let what =
            "its times lie \(days) day\(days == 1 ? "" : "s") \(gap > 0 ? "before" : "after") those of the captures"
        guard let offset else { return what }
        let eras = abs(offset) / Self.era
        return what + ", by \(eras) x 1024 weeks, as when the week number of GPS was mistaken; "
            + "an offset of \(offset / .second) s brings them together"
    }
}
