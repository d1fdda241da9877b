/// A log of a receiver within a replay: its own clock, and the way of what it says into the engine.
struct GPSLogPlayer {
    var log: GPSLog
    /// What events name as its source.
    let source: SourceID
    /// Microseconds that are added to all its times.
    let offset: Int64
    private var found: LocationSource.Output?
    private var clock = Timestamp.earliest
    /// Readings of a compass before the log told any time; they have no place among the events.
    private(set) var headingsWithoutTime = 0
    /// Fixes of the same kind.
    private var fixesWithoutTime = 0
    /// Whether it has told a time.
    private var hasTime = false

    init(_ log: GPSLog, offset: Int64, source: SourceID) {
        self.log = log
        self.offset = offset
        self.source = source
    }

    /// Looks for what comes next; `play` plays it.
    mutating func next() -> PlayerStep {
        while true {
            switch log.next() {
            case .output(let output):
                guard let time = output.time.map({ $0 + offset }) else {
                    if case .fix = output { fixesWithoutTime += 1 } else { headingsWithoutTime += 1 }
                    continue
                }
                hasTime = true
                found = output
                return .due(max(time, clock), time: time)
            case .needsBytes: return .needsBytes
            case .damaged(let what): return .damaged(what)
            case .ended(let fault): return .ended(fault)
            }
        }
    }

    /// Why nothing of the log was played though something was in it, for people; `nil` where something was. Live, what tells
    /// no time has that of its arrival; a log of it does not say when it came.
    var timelessness: String? {
        let met = [(fixesWithoutTime, "fix", "fixes"), (headingsWithoutTime, "heading", "headings")].filter { $0.0 > 0 }
        guard !hasTime, !met.isEmpty else { return nil }
        let what = met.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: " and ")
        return "it tells no time at all, so its \(what) can't be played; "
            + "record it with a receiver beside, whose reports do"
    }

    /// Tells the engine what was found.
    ///
    /// - Returns: Whether it could. What falls due on the way may fill the bus; then it waits.
    mutating func play(to engine: inout Engine) -> Bool {
        guard let output = found, let time = output.time.map({ $0 + offset }) else { return true }
        guard engine.advance(to: max(time, clock)) else { return false }
        clock = max(time, clock)
        found = nil
        switch output {
        case .fix(var fix, _):
            fix.time = time
            engine.observe(fix, from: source, at: time)
        case .compass(let reading, _, let device, _):
            engine.observe(reading, device: device, from: source, at: time)
        case .locationUnknown: engine.losePlace(source, at: time)
        }
        return true
    }
}
