/// When ranging reports are due: at the first record and whole seconds, while there is something to report.
struct RangingSchedule {
    private let isWanted: Bool
    private var base = Timestamp.never
    private var lastReport: Timestamp?
    /// The next report; the end of time while none is due.
    private(set) var next = Timestamp.never
    /// Since when no source can hear; `nil` while one can.
    var deafSince: Timestamp?
    private var isSuspended = false

    init(isWanted: Bool) { self.isWanted = isWanted }

    mutating func begin(at time: Timestamp) { base = time }

    /// A beacon became known.
    mutating func beaconKnown(at time: Timestamp) {
        isSuspended = false
        if next == .never { arm(at: time) }
    }

    /// A source listens again.
    mutating func resume(at time: Timestamp, hasBeacons: Bool) {
        deafSince = nil
        isSuspended = false
        if hasBeacons, next == .never { arm(at: time) }
    }

    mutating func reported(at time: Timestamp) {
        lastReport = time
        next = time.due(after: .second)
    }

    /// Nothing to report.
    mutating func stop() { next = .never }

    /// Nothing has been heard for so long that reports would only repeat themselves.
    mutating func suspend() {
        isSuspended = true
        next = .never
    }

    /// The first whole second at or after `time` that had no report.
    private mutating func arm(at time: Timestamp) {
        guard isWanted else { return }
        let elapsed = time - base
        var seconds = max(1, (elapsed + .second - 1) / .second)
        if let lastReport, base + seconds * .second <= lastReport { seconds += 1 }
        next = base.due(after: seconds * .second)
    }
}
