/// Counts the time in which one scanner could hear: exit time is listened time, deaf is not gone.
///
/// **Deaf.** Several transmitters do not fall silent at one moment; a scanner does. Where the ten seconds before a silence of
/// everything held five sightings or more of two beacons or more, the silence is the scanner's: after two seconds it stops
/// the clock, for a minute at most, because two beacons may have left in company. From four beacons on it stops the clock
/// until something is heard again. Measured on public recordings; docs/figures.md.
///
/// **Duplicates.** While the controller filters duplicates, a beacon that has been reported is not reported again until the
/// scan is enabled anew. Its silence then says nothing, and does not count; that of a beacon not reported yet does.
struct ScannerClock {
    /// Microseconds of silence that say nothing yet.
    static let grace = 2 * Int64.second
    /// Microseconds for which a silence of few beacons stops the clock.
    static let longestPauseOfFew = 60 * Int64.second
    /// Microseconds after which a silence that stops the clock is told.
    static let patience = 10 * Int64.second

    private(set) var isListening: Bool
    private(set) var filtersDuplicates = false
    private var listenedBefore: Int64 = 0
    private var since: Timestamp
    /// Scans enabled so far; a beacon remembers in which one it was heard.
    private(set) var scan: UInt32 = 0
    /// Ends of the latest scans that filtered duplicates: number and listened time, oldest first.
    private var filteredScans: [(scan: UInt32, end: Int64)] = []
    private static let remembered = 64
    /// The latest that is no longer among them.
    private var forgotten: (scan: UInt32, end: Int64)?
    /// Listened time when the present scan began, and of the longest that filtered duplicates.
    private var scanBegan: Int64 = 0
    private var longestFilteredScan: Int64 = 0

    /// When anything was heard last.
    private(set) var lastReport: Timestamp
    private var recent = RecentSightings()

    init(listeningSince time: Timestamp) {
        isListening = true
        since = time
        lastReport = time
    }

    /// Microseconds listened until `time`, which is not before the last change.
    @inline(__always)
    func listened(at time: Timestamp) -> Int64 {
        guard isListening else { return listenedBefore }
        let silence = time - lastReport
        return listenedBefore + (time - since) - (silence > Self.grace ? pause(ofSilence: silence) : 0)
    }

    /// When the listened time reaches `target`, if the scanner goes on listening and nothing is heard; `never` where that
    /// alone can't bring it.
    func moment(ofListened target: Int64, after now: Timestamp) -> Timestamp {
        guard isListening else { return .never }
        if target <= listened(at: now) { return now }
        let direct = earliestMoment(ofListened: target)
        if direct <= lastReport + Self.grace { return direct }
        let pause = longestPause
        return pause == .max ? .never : direct.due(after: pause)
    }

    /// When the listened time reaches `target` at the earliest, if things are heard all the while.
    func earliestMoment(ofListened target: Int64) -> Timestamp {
        isListening ? since.due(after: max(0, target - listenedBefore)) : .never
    }

    /// Something was heard, whatever it was.
    ///
    /// - Returns: Whether a silence ended that may have stopped the clock.
    @inline(__always)
    mutating func hear(at time: Timestamp) -> Bool {
        guard time - lastReport > Self.grace else {
            lastReport = time
            return false
        }
        endSilence(at: time)
        return true
    }

    /// Things were heard until `time`, with no silence between them.
    mutating func hear(until time: Timestamp) { lastReport = time }

    @inline(never)
    private mutating func endSilence(at time: Timestamp) {
        if isListening { listenedBefore -= pause(ofSilence: time - lastReport) }
        lastReport = time
    }

    /// A beacon was heard.
    @inline(__always)
    mutating func sight(_ slot: Int, at time: Timestamp) { recent.add(slot, at: time) }

    /// Another has listened for it for so many microseconds.
    mutating func credit(_ listened: Int64) { listenedBefore += listened }

    /// The machine slept for so many microseconds: as if they had not been. The silence before goes on after them.
    mutating func sleep(_ span: Int64) {
        since = since + span
        lastReport = lastReport + span
        recent.shift(by: span)
    }

    /// The scan is on or off from now on. Enabling it anew starts another scan.
    mutating func set(listening: Bool, filtersDuplicates: Bool, at time: Timestamp) {
        listenedBefore = listened(at: time)
        since = time
        lastReport = time
        recent = RecentSightings()
        if isListening, self.filtersDuplicates {
            if filteredScans.count == Self.remembered { forgotten = filteredScans.removeFirst() }
            filteredScans.append((scan, listenedBefore))
            longestFilteredScan = max(longestFilteredScan, listenedBefore - scanBegan)
        }
        scanBegan = listenedBefore
        isListening = listening
        self.filtersDuplicates = listening && filtersDuplicates
        if listening { scan &+= 1 }
    }

    /// Listened time from which the silence of a beacon counts that was heard at listened time `heard` in scan number
    /// `scan`; `nil` while its silence says nothing.
    func silenceBegins(heard: Int64, scan heardIn: UInt32) -> Int64? {
        if heardIn == scan, filtersDuplicates { return nil }
        // In a scan that filtered, nothing more could come of it; the silence begins at that scan's end.
        if let entry = filteredScans.first(where: { $0.scan == heardIn }) { return max(entry.end, heard) }
        // Too many scans ago to know. It ended no later than the last of those, and was no longer than the longest; the
        // shorter silence is the safer one.
        if let forgotten, heardIn <= forgotten.scan {
            return max(heard, min(forgotten.end, heard + longestFilteredScan))
        }
        return heard
    }

    // MARK: Deafness

    /// Whether a silence of everything is the scanner's at `time`.
    func isDeaf(at time: Timestamp) -> Bool {
        isListening && time > lastReport + Self.grace && time < deafnessEnds
    }

    /// When a silence that began with the last report begins to count, `never` where it does not.
    var deafnessEnds: Timestamp {
        let pause = longestPause
        return pause == .max ? .never : (lastReport + Self.grace).due(after: pause)
    }

    /// For how long a silence that began with the last report stops the clock, microseconds; nothing under a filter of
    /// duplicates, where silence is the rule.
    private var longestPause: Int64 {
        guard !filtersDuplicates else { return 0 }
        return switch recent.beacons(before: lastReport) {
        case ..<2: 0
        case 2..<RecentSightings.many: Self.longestPauseOfFew
        default: .max
        }
    }

    private func pause(ofSilence silence: Int64) -> Int64 { min(max(0, silence - Self.grace), longestPause) }
}
