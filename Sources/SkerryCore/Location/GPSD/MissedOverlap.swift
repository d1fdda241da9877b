/// A log of a receiver that shares no moment with any of the captures it is played with: what happens there has no
/// location, or only that of the log's end. A clock that was wrong, or one of another time zone, is the likely cause.
struct MissedOverlap: Equatable {
    /// Local times are whole quarters of an hour from UTC, most of them whole hours, at most 14 of them.
    private static let (quarter, hour, farthest) = (900 * Int64.second, 3_600 * Int64.second, 14 * 3_600 * Int64.second)

    /// From the log to the nearest capture, microseconds; negative where the log comes after it.
    let gap: Int64
    /// Microseconds to add to the log's times to join them: of a time zone where one does, or a multiple of 1,024 weeks
    /// (`ClockMismatch`), else what makes both begin together.
    let offset: Int64

    /// - Parameters:
    ///   - log: From its first to its last time.
    ///   - captures: The same of each capture.
    /// - Returns: `nil` where they share a moment, or there is no capture.
    init?(_ log: ClosedRange<Timestamp>, _ captures: [ClosedRange<Timestamp>]) {
        guard !captures.contains(where: log.overlaps),
            let nearest = captures.min(by: { abs(Self.gap(from: log, to: $0)) < abs(Self.gap(from: log, to: $1)) })
        else { return nil }
        gap = Self.gap(from: log, to: nearest)
        let apart = nearest.lowerBound - log.lowerBound
        let eras = ClockMismatch.era * Int64((Double(apart) / Double(ClockMismatch.era)).rounded())
        offset =
            Self.zone(log, nearest, step: Self.hour) ?? Self.zone(log, nearest, step: Self.quarter)
            ?? (Self.overlap(log, eras, nearest) >= 0 ? eras : apart)
    }

    /// Microseconds that they share once the log is shifted; negative where they do not.
    private static func overlap(
        _ log: ClosedRange<Timestamp>, _ offset: Int64, _ capture: ClosedRange<Timestamp>
    ) -> Int64 {
        min(log.upperBound + offset, capture.upperBound) - max(log.lowerBound + offset, capture.lowerBound)
    }

    private static func gap(from log: ClosedRange<Timestamp>, to capture: ClosedRange<Timestamp>) -> Int64 {
        log.upperBound < capture.lowerBound
            ? capture.lowerBound - log.upperBound : capture.upperBound - log.lowerBound
    }

    /// The multiple of a step within those of time zones that joins them for longest, of several the smallest.
    private static func zone(
        _ log: ClosedRange<Timestamp>, _ capture: ClosedRange<Timestamp>, step: Int64
    ) -> Int64? {
        var best: (offset: Int64, overlap: Int64)?
        for distance in stride(from: step, through: farthest, by: Int(step)) {
            for offset in [distance, -distance] {
                let overlap = overlap(log, offset, capture)
                if overlap > best?.overlap ?? -1 { best = (offset, overlap) }
            }
        }
        return best?.offset
    }

    /// A sentence for people.
    ///
    /// - Parameters:
    ///   - name: Of the log.
    ///   - applied: Microseconds that were added to its times already.
    func message(of name: String, applied: Int64) -> String {
        let total = applied + offset
        let seconds = total % .second == 0 ? "\(total / .second)" : "\(Double(total) / 1e6)"
        let distance = abs(gap) < .second ? "less than 1 s" : "\(abs(gap) / .second) s"
        return "\(name): it has no time in common with a capture: it \(gap > 0 ? "ends" : "begins") \(distance) "
            + "\(gap > 0 ? "before the nearest begins" : "after the nearest has ended"). "
            + "If a clock was wrong or of another time zone, --gps-offset \(seconds) joins them"
    }
}
