/// Plays captures and logs of receivers on a virtual clock, merged by time.
///
/// A state machine without descriptors: `run` says what it needs, the caller supplies bytes. Several inputs are merged
/// by engine time, then by name, then by number of record; the order in which they were added does not show.
public struct Replay {
    /// What must happen before `run` is called again.
    public enum Step: Equatable {
        /// More bytes of this input, by number.
        case needsBytes(input: Int)
        /// No input has anything for now; some must be resumed.
        case allPaused
        /// The bus holds events to drain.
        case hasEvents
        /// Nothing more before this moment; only where a limit was given.
        case reachedLimit(next: Timestamp)
        /// The last event is on the bus.
        case finished
    }

    /// The engine, with the bus.
    public private(set) var engine: Engine
    /// What was counted so far.
    public private(set) var statistics: Statistics

    /// What to look into, sentences for people that belong to no moment of the run; there once it has finished.
    public private(set) var advice: [String] = []

    private let version: String
    private let command: String
    private var captures: [CapturePlayer] = []
    private var logs: [GPSLogPlayer] = []
    private var failedLogs = 0
    private var schedule = ReplaySchedule()
    private var hasStarted = false
    /// What was wrong before the first record; `start` is the first event all the same.
    private var faultsBeforeStart: [Event] = []
    private var hasFinished = false

    /// Faults of one input that become events; beyond, they are only counted.
    private static let reportedFaults = 16

    /// A replay without inputs yet.
    ///
    /// - Parameters:
    ///   - version: The program's version, for the first event.
    ///   - command: The subcommand, for the first event.
    ///   - seed: For the hashes; it does not show in any event.
    public init(engine: Engine, version: String, command: String, seed: UInt64) {
        self.engine = engine
        self.version = version
        self.command = command
        statistics = Statistics(seed: seed, countsDistinct: engine.wanted.contains(EventKinds(.statistics)))
    }

    /// Adds a capture that was recognised. All inputs must be added before the first `run`.
    ///
    /// - Returns: Its number.
    @discardableResult
    public mutating func add(_ stream: CaptureStream) -> Int {
        captures.append(CapturePlayer(stream))
        return schedule.add(.init(.capture(captures.count - 1), name: stream.name))
    }

    /// Adds a log of a receiver.
    ///
    /// - Parameter offset: Microseconds to add to all its times.
    /// - Returns: Its number.
    @discardableResult
    public mutating func add(_ log: GPSLog, offset: Int64 = 0) -> Int {
        logs.append(GPSLogPlayer(log, offset: offset, source: engine.addLocationSource(name: log.name)))
        return schedule.add(.init(.log(logs.count - 1), name: log.name))
    }

    /// Passes bytes to an input; see `CaptureStream.supply`.
    public mutating func supply<Failure: Error>(
        input: Int, _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        switch schedule.inputs[input].kind {
        case .capture(let place): try unsafe captures[place].stream.supply(read)
        case .log(let place): try unsafe logs[place].log.supply(read)
        }
    }

    /// Goes on with an input whose end was only that of the moment.
    public mutating func resume(input: Int) {
        schedule.inputs[input].isPaused = false
        switch schedule.inputs[input].kind {
        case .capture(let place): captures[place].stream.resume()
        case .log(let place): logs[place].log.resume()
        }
    }

    /// An input that is followed has no more bytes for now: the others do not wait for it until it is resumed.
    public mutating func pause(input: Int) { schedule.inputs[input].isPaused = true }

    /// Ends an input that could not be read further.
    public mutating func fail(input: Int, _ reason: String) {
        report(.unreadable, reason, of: input)
        switch schedule.inputs[input].kind {
        case .capture: finish(input, nil)
        case .log(let place):
            failedLogs += 1
            logs[place].log.end()
        }
    }

    /// Tells of something that went wrong around the replay. Nothing comes behind the statistics.
    public mutating func report(_ fault: Fault) {
        let event = Event(time: engine.now ?? statistics.first, .error(fault))
        let place = hasFinished ? max(0, engine.events.count - 1) : engine.events.count
        if hasStarted { engine.events.insert(event, at: place) } else { faultsBeforeStart.append(event) }
    }

    /// Bytes of all inputs passed so far.
    public var position: UInt64 {
        captures.reduce(0) { $0 + $1.stream.position } + logs.reduce(0) { $0 + $1.log.position }
    }

    /// Forgets the events on the bus, once all outputs have them.
    public mutating func drain() { engine.events.removeAll(keepingCapacity: true) }

    /// Plays on until something must happen outside.
    ///
    /// - Parameter limit: Records after this moment wait.
    public mutating func run(until limit: Timestamp = .latest) -> Step {
        if hasFinished { return .finished }
        while true {
            for input in schedule.order where schedule.inputs[input].isWanted {
                if let step = look(input) { return step }
            }
            let next = schedule.earliest()
            if next == nil, schedule.isAnyOn { return .allPaused }
            if !hasStarted { start() }
            guard let input = next, let due = schedule.inputs[input].due else {
                finish()
                return .finished
            }
            if due > limit {
                if engine.now != nil { engine.advance(to: limit) }
                return engine.events.isEmpty ? .reachedLimit(next: due) : .hasEvents
            }
            play(input, until: limit)
            if engine.events.count >= engine.batch { return .hasEvents }
        }
    }

    /// Ends the replay here: the last events go onto the bus.
    public mutating func stop() {
        if hasFinished { return }
        if !hasStarted { start() }
        finish()
    }

    /// Looks for an input's next record.
    ///
    /// - Returns: What must happen first; `nil` when the record is there or the input has ended.
    private mutating func look(_ input: Int) -> Step? {
        while true {
            let step =
                switch schedule.inputs[input].kind {
                case .capture(let place): captures[place].next()
                case .log(let place): logs[place].next()
                }
            switch step {
            case .due(let due, let time):
                schedule.inputs[input].found(due: due, time: time)
                return nil
            case .needsBytes: return .needsBytes(input: input)
            case .damaged(let what): report(.damaged, what, of: input)
            case .ended(let fault):
                finish(input, fault)
                return nil
            }
        }
    }

    private mutating func finish(_ input: Int, _ fault: (name: Fault.Name, message: String)?) {
        if let fault { report(fault.name, fault.message, of: input) }
        schedule.inputs[input].isDone = true
        // While others go on, this one has nothing more to say; the last one ends with the run.
        if hasStarted, schedule.isAnyOn { end(input) }
    }

    private mutating func end(_ input: Int) {
        schedule.inputs[input].hasEnded = true
        if case .capture(let place) = schedule.inputs[input].kind {
            captures[place].finish(&statistics, &engine)
        } else {
            compare(input)
        }
        if case .log(let place) = schedule.inputs[input].kind, let why = logs[place].timelessness {
            tell(.timeUnknown, why, of: input)
        }
    }

    /// Plays what was found of an input; of a capture, up to where another input's next record comes.
    private mutating func play(_ input: Int, until limit: Timestamp) {
        switch schedule.inputs[input].kind {
        case .capture(let place):
            let bound = schedule.turn(of: input, until: limit)
            schedule.inputs[input].due = nil
            captures[place].play(until: bound, &statistics, to: &engine)
        case .log(let place):
            // While a capture goes on, the log may still come near it.
            if !schedule.inputs[input].isCompared, !schedule.isAnyCaptureOn || mismatch(input, isOpen: true) == nil {
                compare(input)
            }
            guard logs[place].play(to: &engine), let time = schedule.inputs[input].nextTime else { return }
            schedule.inputs[input].due = nil
            statistics.note(records: 0, last: time)
        }
    }

    private mutating func start() {
        hasStarted = true
        statistics.files = schedule.inputs.count
        statistics.first = schedule.earliest().flatMap { schedule.inputs[$0].nextTime }
        let content = Start(
            version: version, command: command, profile: engine.settings.profile,
            sources: schedule.order.map { (schedule.inputs[$0].name, kind(of: $0)) }, regions: engine.regions,
            circles: engine.circles.circles)
        engine.events.append(Event(time: statistics.first, .start(content)))
        engine.events += faultsBeforeStart
        faultsBeforeStart = []
        // A capture of 20 years is not to be expected: what is off by 1,024 weeks can be told before all is read.
        for input in schedule.order where mismatch(input, isOpen: false)?.offset != nil {
            compare(input, isOpen: false)
        }
    }

    private func kind(of input: Int) -> String {
        switch schedule.inputs[input].kind {
        case .capture(let place): captures[place].stream.kind ?? ""
        case .log(let place): logs[place].log.kind.rawValue
        }
    }

    private mutating func report(_ name: Fault.Name, _ what: String, of input: Int) {
        if case .capture = schedule.inputs[input].kind { statistics.containerErrors += 1 }
        schedule.inputs[input].faults += 1
        guard schedule.inputs[input].faults <= Self.reportedFaults else { return }
        tell(name, what, of: input)
    }

    private mutating func tell(_ name: Fault.Name, _ what: String, of input: Int) {
        let (domain, source): (Fault.Domain, SourceID?) =
            switch schedule.inputs[input].kind {
            case .capture(let place): (.capture, captures[place].source)
            case .log(let place): (.gps, logs[place].source)
            }
        let fault = Fault(
            domain: domain, name: name, message: "\(schedule.inputs[input].name): \(what)",
            isRecoverable: [.damaged, .clockMismatch, .timeUnknown].contains(name))
        let event = Event(time: engine.now ?? statistics.first, source: source, .error(fault))
        if hasStarted { engine.events.append(event) } else { faultsBeforeStart.append(event) }
    }

    // MARK: Logs far from the captures

    /// How far the present time of a log is from the captures; `nil` where it is near one, and of a capture.
    ///
    /// - Parameter isOpen: Whether what has not ended may go on for ever.
    private func mismatch(_ input: Int, isOpen: Bool) -> ClockMismatch? {
        guard case .log = schedule.inputs[input].kind, let time = schedule.inputs[input].nextTime else { return nil }
        return ClockMismatch(time, captureSpans(isOpen: isOpen))
    }

    /// From the first to the last time of each capture that has any.
    private func captureSpans(isOpen: Bool) -> [ClosedRange<Timestamp>] {
        schedule.inputs.compactMap { capture in
            guard case .capture(let place) = capture.kind, let first = capture.firstTime else { return nil }
            return first...(isOpen && !capture.isDone ? .latest : max(first, captures[place].now))
        }
    }

    /// Which logs share no moment with a capture. One that is further off is told so in an event, too.
    private func missedOverlaps() -> [String] {
        let spans = captureSpans(isOpen: false)
        return schedule.order.compactMap { input in
            guard case .log(let place) = schedule.inputs[input].kind, let span = schedule.inputs[input].span else {
                return nil
            }
            return MissedOverlap(span, spans)?.message(of: logs[place].log.name, applied: logs[place].offset)
        }
    }

    /// Tells of a log whose times are far from those of the captures. It plays all the same, at its own times.
    private mutating func compare(_ input: Int, isOpen: Bool = true) {
        guard !schedule.inputs[input].isCompared else { return }
        schedule.inputs[input].isCompared = true
        if let mismatch = mismatch(input, isOpen: isOpen) { tell(.clockMismatch, mismatch.message, of: input) }
    }

    private mutating func finish() {
        hasFinished = true
        engine.finish()
        advice = missedOverlaps()
        for input in schedule.order where !schedule.inputs[input].hasEnded { end(input) }
        if !logs.isEmpty {
            var gps = GPSStatistics()
            for player in logs {
                gps.add(player.log.lineCounts, player.log.counts)
                gps.headingsWithoutTime += player.headingsWithoutTime
            }
            gps.errors += failedLogs
            statistics.gps = gps
        }
        engine.events.append(Event(time: statistics.last, .statistics(statistics)))
    }
}
