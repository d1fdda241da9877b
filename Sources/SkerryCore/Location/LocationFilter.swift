/// Lets pass only fixes that say something new, as the filters of a Core Location manager do.
struct LocationFilter {
    let distance: Double
    let interval: Int64
    private let oldest: Int64?
    private var hasRefused = false
    private var last: (coordinate: Coordinate, moment: Timestamp)?

    /// - Parameters:
    ///   - distance: Metres from the last fix that passed; 0 for all fixes. The accuracy plays no part.
    ///   - interval: Microseconds after it.
    ///   - oldest: The first fix, which may come from a cache, passes only if its time is no further from the present
    ///     than this many microseconds; `nil` for any. The second passes all the same: where two in a row are old, it is
    ///     a clock that is wrong.
    init(distance: Double = 0, interval: Int64 = 0, oldest: Int64? = nil) {
        self.distance = distance
        self.interval = interval
        self.oldest = oldest
    }

    /// Significant changes: at least 500 m, at most every 5 minutes, the first one at once (Apple,
    /// startMonitoringSignificantLocationChanges).
    static var significant: LocationFilter { LocationFilter(distance: 500, interval: 300 * .second) }

    /// Whether a fix passes, now.
    mutating func passes(_ fix: Fix, at now: Timestamp) -> Bool {
        if let last {
            guard now - last.moment >= interval else { return false }
            guard distance <= 0 || last.coordinate.distance(to: fix.coordinate) >= distance else { return false }
        } else if let oldest, let time = fix.time {
            guard hasRefused || abs(now - time) <= oldest else {
                hasRefused = true
                return false
            }
        }
        last = (fix.coordinate, now)
        return true
    }
}
