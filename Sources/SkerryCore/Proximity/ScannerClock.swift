/// Counts the time in which one scanner could hear: exit time is listened time, deaf is not gone.
///
/// While the controller filters duplicates, a beacon that has been reported is not reported again until the scan is
/// enabled anew. Its silence then says nothing, and does not count; that of a beacon not reported yet does.
struct ScannerClock {
    private(set) var isListening: Bool
    private(set) var filtersDuplicates = false
    private var listenedBefore: Int64 = 0
    private var since: Timestamp
    /// Scans enabled so far; a beacon remembers in which one it was heard.
    private(set) var scan: UInt32 = 0
    /// Ends of the latest scans that filtered duplicates: number and listened time, oldest first.
    private var filteredScans: [(scan: UInt32, end: Int64)] = []
    private static let remembered = 8
    /// The latest that is no longer among them.
    private var forgotten: (scan: UInt32, end: Int64)?

    init(listeningSince time: Timestamp) {
        isListening = true
        since = time
    }

    /// Microseconds listened until `time`, which is not before the last change.
    @inline(__always)
    func listened(at time: Timestamp) -> Int64 {
        isListening ? listenedBefore + (time - since) : listenedBefore
    }

    /// The scan is on or off from now on. Enabling it anew starts another scan.
    mutating func set(listening: Bool, filtersDuplicates: Bool, at time: Timestamp) {
        listenedBefore = listened(at: time)
        since = time
        if isListening, self.filtersDuplicates {
            if filteredScans.count == Self.remembered { forgotten = filteredScans.removeFirst() }
            filteredScans.append((scan, listenedBefore))
        }
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
        // Too many scans ago to know: the shorter silence is the safer one.
        if let forgotten, heardIn <= forgotten.scan { return max(forgotten.end, heard) }
        return heard
    }
}
