/// A source of advertisements: when it could hear, and when what it heard will have been silent for too long.
struct Scanner {
    let name: String
    var clock: ScannerClock
    /// Before the last command, which may have been refused.
    var clockBefore: ScannerClock?
    /// While it can't hear and is not waited for, another listens for it.
    var standIn: StandIn?
    /// Since when it does not listen; `nil` where it does.
    var absentSince: Timestamp?
    /// It was told to have ended, and has not listened since.
    var hasEnded = false
    var exits = ExitQueue()
    /// Entries of tracks whose silence says nothing until the next scan, by when they were heard.
    var held = ExitQueue()
    /// Whether it was told that nothing is heard.
    var isSaidToBeDeaf = false
    /// What was told of it last; `nil` where nothing was.
    var state: ScannerState?

    /// A scanner that listens for another, and its listened time when that began.
    struct StandIn {
        var number: Int
        var begin: Int64
    }

    init(name: String, listeningSince time: Timestamp) {
        self.name = name
        clock = ScannerClock(listeningSince: time)
    }

    /// When it may have to be told that nothing is heard, or that the silence counts again. Whether it must is seen then: by
    /// then more may have been heard.
    func nextDeafness(after now: Timestamp) -> Timestamp {
        guard clock.isListening else { return .never }
        let due = isSaidToBeDeaf ? clock.deafnessEnds : clock.lastReport.due(after: ScannerClock.patience)
        return due > now ? due : .never
    }
}
