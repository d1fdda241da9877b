/// When ranging reports are due: at whole seconds from the first record on, while there is something to report.
struct RangingSchedule {
    private let isWanted: Bool
    private var base = Timestamp.never
    private var lastReport: Timestamp?
    /// The next report; `never` while none is due.
    private(set) var next = Timestamp.never

    init(isWanted: Bool) { self.isWanted = isWanted }

    /// The first record.
    mutating func begin(at time: Timestamp) { base = time }

    /// There is something to report again: the next report comes at the first whole second at or after `time` that had
    /// none.
    mutating func arm(at time: Timestamp) {
        guard isWanted, next == .never else { return }
        var seconds = max(1, (time - base + .second - 1) / .second)
        if let lastReport, base + seconds * .second <= lastReport { seconds += 1 }
        next = base.due(after: seconds * .second)
    }

    /// A report was made.
    mutating func reported(at time: Timestamp) {
        lastReport = time
        next = time.due(after: .second)
    }

    /// What was due before `time` is left out.
    mutating func skip(to time: Timestamp) {
        guard next < time else { return }
        next = .never
        arm(at: time)
    }

    /// There is nothing to report, or nothing new.
    mutating func stop() { next = .never }
}
