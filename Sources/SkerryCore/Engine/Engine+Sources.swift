// Who can hear, and when: what the sources of advertisements say of themselves.
extension Engine {
    /// Adds a source that listens from now on.
    mutating func addSource(name: String, at time: Timestamp) -> SourceID {
        advance(to: time)
        let id = SourceID(rawValue: UInt16(scanners.add(name: name, at: moment)))
        tell(.listening, of: id, at: time)
        reschedule()
        return id
    }

    /// Adds a source that can't hear until it says that it listens.
    mutating func addIdleSource(name: String, at time: Timestamp) -> SourceID {
        advance(to: time)
        let id = SourceID(rawValue: UInt16(scanners.add(name: name, at: moment)))
        scanners.change(at: moment) { [moment] scanners in
            scanners[Int(id.rawValue)].clock.set(listening: false, filtersDuplicates: false, at: moment)
        }
        reschedule()
        return id
    }

    /// Adds a source of fixes and headings. It hears no advertisements, so it has no say in exits.
    mutating func addLocationSource(name: String) -> SourceID {
        SourceID(rawValue: UInt16(scanners.addSilent(name: name)))
    }

    /// What was told of a source last; `nil` where nothing was.
    func state(of source: SourceID) -> ScannerState? { scanners[Int(source.rawValue)].state }

    /// Whether a source hears and whoever it has heard would be heard again, so that silence says something.
    func tellsBySilence(_ source: SourceID) -> Bool {
        let clock = scanners[Int(source.rawValue)].clock
        return clock.isListening && !clock.filtersDuplicates
    }

    private mutating func tell(
        _ state: ScannerState, detail: String? = nil, of source: SourceID, at time: Timestamp
    ) {
        scanners[Int(source.rawValue)].state = state
        emit(time, source, .scanner(state, detail: detail))
    }

    /// Tells the states once more, for something that happened to all sources.
    mutating func tellStates(because detail: String, at time: Timestamp) {
        for number in scanners.indices {
            guard let state = scanners[number].state, state != .ended else { continue }
            emit(time, SourceID(rawValue: UInt16(number)), .scanner(state, detail: detail))
        }
    }

    /// The scan of a source goes on or off.
    mutating func setScan(_ source: SourceID, listening: Bool, filtersDuplicates: Bool, at time: Timestamp) {
        advance(to: time)
        var clock = settledClock(of: source)
        scanners[Int(source.rawValue)].clockBefore = clock
        clock.set(listening: listening, filtersDuplicates: filtersDuplicates, at: moment)
        change(source, to: clock, at: time)
    }

    /// A source has another state, as the one that runs it knows. What it has heard so far is forgotten only where it
    /// could not hear in between.
    mutating func change(
        _ source: SourceID, to state: ScannerState, detail: String?, filtersDuplicates: Bool, at time: Timestamp
    ) {
        advance(to: time)
        var clock = settledClock(of: source)
        // The scan of a deaf one is on. How long its silence counts is the clock's to say, also when a remedy is tried.
        let isListening = state == .listening || state == .deaf && clock.isListening
        if clock.isListening != isListening || clock.filtersDuplicates != filtersDuplicates {
            clock.set(listening: isListening, filtersDuplicates: filtersDuplicates, at: moment)
            replaceClock(of: source, by: clock)
        }
        tell(state, detail: detail, of: source, at: time)
        reschedule()
    }

    /// The clock of a source, with what another has listened for it.
    private mutating func settledClock(of source: SourceID) -> ScannerClock {
        if scanners[Int(source.rawValue)].standIn != nil { scanners.change(at: moment) { _ in } }
        return scanners[Int(source.rawValue)].clock
    }

    /// The last command for the scan of a source was refused: it has changed nothing.
    mutating func undoScan(_ source: SourceID, at time: Timestamp) {
        advance(to: time)
        guard let clock = scanners[Int(source.rawValue)].clockBefore else { return }
        scanners[Int(source.rawValue)].clockBefore = nil
        change(source, to: clock, at: time)
    }

    mutating func change(_ source: SourceID, to clock: ScannerClock, at time: Timestamp) {
        let number = Int(source.rawValue)
        let before = scanners[number].clock
        let wasSaidToBeDeaf = scanners[number].isSaidToBeDeaf
        replaceClock(of: source, by: clock)
        if before.isListening != clock.isListening || before.filtersDuplicates != clock.filtersDuplicates
            || wasSaidToBeDeaf
        {
            let detail = clock.filtersDuplicates ? "the controller filters duplicates" : nil
            tell(clock.isListening ? .listening : .paused, detail: detail, of: source, at: time)
        }
        reschedule()
    }

    /// It listens, or does not, or under another filter: what waited for that is judged anew.
    private mutating func replaceClock(of source: SourceID, by clock: ScannerClock) {
        let number = Int(source.rawValue)
        scanners.change(at: moment) { scanners in
            scanners[number].clock = clock
            scanners[number].isSaidToBeDeaf = false
        }
        var held = scanners[number].held
        scanners[number].held = ExitQueue()
        while let entry = held.popFirst() {
            if isPresent(Int(entry.slot), entry.generation, by: entry.rule) {
                queueExit(Int(entry.slot), by: entry.rule)
            }
        }
    }

    /// Something was heard, whatever it was.
    @inline(__always)
    mutating func hear(_ source: SourceID, at time: Timestamp) {
        if scanners[Int(source.rawValue)].clock.hear(at: moment) { endSilence(source, at: time) }
    }

    /// When anything was heard of a source last.
    func lastReport(of source: SourceID?) -> Timestamp {
        source.map { scanners[Int($0.rawValue)].clock.lastReport } ?? .earliest
    }

    /// Things were heard until `time`, with no silence between them.
    mutating func hear(_ source: SourceID?, until time: Timestamp) {
        if let source { scanners[Int(source.rawValue)].clock.hear(until: time) }
    }

    @inline(never)
    private mutating func endSilence(_ source: SourceID, at time: Timestamp) {
        if scanners[Int(source.rawValue)].isSaidToBeDeaf {
            scanners[Int(source.rawValue)].isSaidToBeDeaf = false
            tell(.listening, of: source, at: time)
        }
        if scanners[Int(source.rawValue)].standIn != nil { scanners.change(at: moment) { _ in } }
        reschedule()
    }

    /// Tells of scanners that hear nothing any more, and of those whose silence counts again.
    mutating func tellDeafness(at time: Timestamp) {
        for (number, isDeaf) in scanners.deafnessChanges(at: time) {
            let since = "nothing was heard for \((time - scanners[number].clock.lastReport) / .second) s"
            tell(
                isDeaf ? .deaf : .listening,
                detail: since + (isDeaf ? "; the exit times wait" : "; the silence counts again"),
                of: SourceID(rawValue: UInt16(number)), at: time)
        }
    }

    /// The source has nothing more to say; of one that has ended before, nothing more is told.
    mutating func endSource(_ source: SourceID) {
        guard let now, state(of: source) != .ended else { return }
        scanners.change(at: now) { scanners in
            scanners[Int(source.rawValue)].clock.set(listening: false, filtersDuplicates: false, at: now)
            scanners[Int(source.rawValue)].isSaidToBeDeaf = false
            scanners[Int(source.rawValue)].hasEnded = true
        }
        tell(.ended, of: source, at: now)
        reschedule()
    }
}
