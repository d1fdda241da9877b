/// A source of advertisements: when it could hear, and when what it heard will have been silent for too long.
struct Scanner {
    let name: String
    var clock: ScannerClock
    /// Before the last command, which may have been refused.
    var clockBefore: ScannerClock?
    var exits = ExitQueue()
    /// Tracks whose silence says nothing until the next scan.
    var held: [(slot: UInt32, rule: ExitRules.Rule)] = []
    /// Whether it was told that nothing is heard.
    var isSaidToBeDeaf = false

    init(name: String, listeningSince time: Timestamp) {
        self.name = name
        clock = ScannerClock(listeningSince: time)
    }

    /// When the first exit comes, if nothing more is heard.
    func nextExit(after now: Timestamp) -> Timestamp {
        exits.first.map { clock.moment(ofListened: $0.deadline, after: now) } ?? .never
    }

    /// When it may have to be told that nothing is heard, or that the silence counts again. Whether it must is seen then: by
    /// then more may have been heard.
    func nextDeafness(after now: Timestamp) -> Timestamp {
        guard clock.isListening else { return .never }
        let due = isSaidToBeDeaf ? clock.deafnessEnds : clock.lastReport.due(after: ScannerClock.patience)
        return due > now ? due : .never
    }
}
