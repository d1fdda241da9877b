/// How much was heard lately, so that a full air that falls silent is told from a quiet one.
struct ReportTraffic {
    private static let window = 10 * Int64.second
    /// Ten a second: several beacons, of which not all leave at once.
    private static let dense = 100

    /// When a report was heard last.
    private(set) var latest = Int64.min
    private var windowEnd = Int64.min
    private var count = 0
    private var countBefore = 0

    /// Whether there was much in one of the last two windows in which there was anything.
    var wasDense: Bool { max(count, countBefore) >= Self.dense }

    /// A report was heard.
    @inline(__always)
    mutating func hear(at now: Int64) {
        if now >= windowEnd { beginWindow(at: now) }
        latest = now
        count &+= 1
    }

    /// What was heard counts no more.
    mutating func forget() { (count, countBefore) = (0, 0) }

    private mutating func beginWindow(at now: Int64) {
        countBefore = now - Self.window < windowEnd ? count : 0
        count = 0
        windowEnd = now + Self.window
    }
}
