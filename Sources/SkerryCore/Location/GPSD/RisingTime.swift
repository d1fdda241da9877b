/// Whether the times that a receiver tells go on: none counts that is not newer than the one before, unless the clock
/// was corrected.
struct RisingTime {
    /// What a time is.
    enum Verdict {
        /// Newer than the one before.
        case newer
        /// Not newer; it does not count.
        case overtaken
        /// By a clock that was set. It counts, and those before say nothing about it.
        case corrected
    }

    /// A larger jump, back or forth, is a correction of the clock.
    private static let correction = 86_400 * Int64.second
    /// So many times in a row that are older than the last one that counted, but rise, are a correction too.
    private static let patience = 10

    /// The last time that counted.
    private var last: Timestamp?
    /// Times in a row that did not count, and the last of them.
    private var dropped: (count: Int, time: Timestamp)?

    /// Takes the next time.
    mutating func observe(_ time: Timestamp) -> Verdict {
        let verdict = judge(time)
        if verdict != .overtaken {
            last = time
            dropped = nil
        }
        return verdict
    }

    private mutating func judge(_ time: Timestamp) -> Verdict {
        guard let last else { return .newer }
        let jump = time - last
        if abs(jump) > Self.correction { return .corrected }
        if jump > 0 { return .newer }
        let isRising = dropped.map { time > $0.time } ?? true
        let count = isRising ? (dropped?.count ?? 0) + 1 : 1
        dropped = (count, time)
        return count == Self.patience ? .corrected : .overtaken
    }
}
