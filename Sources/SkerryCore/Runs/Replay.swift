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

    private let version: String
    private let command: String
    private var streams: [CaptureStream] = []
    private var receivers: [Receiver] = []
    private var logs: [GPSLogPlayer] = []
    private var failedLogs = 0
    private var inputs: [Input] = []
    /// Numbers of the inputs, in the order of equal times.
    private var order: [Int] = []
    private var hasStarted = false
    /// What was wrong before the first record; `start` is the first event all the same.
    private var faultsBeforeStart: [Event] = []
    private var hasFinished = false

    /// Faults of one input that become events; beyond, they are only counted.
    private static let reportedFaults = 16

    /// How far an input has come.
    private struct Input {
        /// Which it is, by its place among its kind.
        enum Kind {
            case capture(Int)
            case log(Int)
        }

        let kind: Kind
        let name: String
        /// Place among equal times.
        var rank = 0
        /// When the next record comes on the engine's clock; `nil` before it was looked for, and at the end.
        var due: Timestamp?
        /// The next record's own time.
        var nextTime: Timestamp?
        /// The first record's own time.
        var firstTime: Timestamp?
        var faults = 0
        var isDone = false
        /// Whether it has nothing more for now.
        var isPaused = false
        var hasEnded = false
        /// Of a log: its times were seen to lie near those of a capture, or it was told that they do not.
        var isCompared = false
    }

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
        receivers.append(Receiver(name: stream.name))
        streams.append(stream)
        return add(Input(kind: .capture(streams.count - 1), name: stream.name))
    }

    /// Adds a log of a receiver.
    ///
    /// - Parameter offset: Microseconds to add to all its times.
    /// - Returns: Its number.
    @discardableResult
    public mutating func add(_ log: GPSLog, offset: Int64 = 0) -> Int {
        logs.append(GPSLogPlayer(log, offset: offset, source: engine.addLocationSource(name: log.name)))
        return add(Input(kind: .log(logs.count - 1), name: log.name))
    }

    private mutating func add(_ input: Input) -> Int {
        inputs.append(input)
        // By the bytes of the name: the order in which inputs were added does not show.
        order = inputs.indices.sorted { a, b in
            let (mine, its) = (inputs[a].name.utf8, inputs[b].name.utf8)
            return mine.elementsEqual(its) ? a < b : mine.lexicographicallyPrecedes(its)
        }
        for (rank, number) in order.enumerated() { inputs[number].rank = rank }
        return inputs.count - 1
    }

    /// Passes bytes to an input; see `CaptureStream.supply`.
    public mutating func supply<Failure: Error>(
        input: Int, _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        switch inputs[input].kind {
        case .capture(let place): try unsafe streams[place].supply(read)
        case .log(let place): try unsafe logs[place].log.supply(read)
        }
    }

    /// Goes on with an input whose end was only that of the moment.
    public mutating func resume(input: Int) {
        inputs[input].isPaused = false
        switch inputs[input].kind {
        case .capture(let place): streams[place].resume()
        case .log(let place): logs[place].log.resume()
        }
    }

    /// An input that is followed has no more bytes for now: the others do not wait for it until it is resumed.
    public mutating func pause(input: Int) { inputs[input].isPaused = true }

    /// Ends an input that could not be read further.
    public mutating func fail(input: Int, _ reason: String) {
        report(.unreadable, reason, of: input)
        switch inputs[input].kind {
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
        streams.reduce(0) { $0 + $1.position } + logs.reduce(0) { $0 + $1.log.position }
    }

    /// Forgets the events on the bus, once all outputs have them.
    public mutating func drain() { engine.events.removeAll(keepingCapacity: true) }

    /// Plays on until something must happen outside.
    ///
    /// - Parameter limit: Records after this moment wait.
    public mutating func run(until limit: Timestamp = .latest) -> Step {
        if hasFinished { return .finished }
        while true {
            for input in order where inputs[input].due == nil && !inputs[input].isDone && !inputs[input].isPaused {
                if let step = look(input) { return step }
            }
            let next = earliest(except: nil)
            if next == nil, inputs.contains(where: { !$0.isDone }) { return .allPaused }
            if !hasStarted { start() }
            guard let input = next, let due = inputs[input].due else {
                finish()
                return .finished
            }
            if due > limit {
                if engine.now != nil { engine.advance(to: limit) }
                return engine.events.isEmpty ? .reachedLimit(next: due) : .hasEvents
            }
            play(input, until: limit)
            if engine.events.count >= Engine.batch { return .hasEvents }
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
        switch inputs[input].kind {
        case .capture(let place): look(input, capture: place)
        case .log(let place): look(input, log: place)
        }
    }

    private mutating func look(_ input: Int, capture: Int) -> Step? {
        while true {
            switch streams[capture].next() {
            case .record(let record):
                found(input, due: max(record.time, streams[capture].clock.now), time: record.time)
                return nil
            case .needsBytes: return .needsBytes(input: input)
            case .damaged(let what): report(.damaged, what, of: input)
            case .ended(let fault):
                finish(input, fault)
                return nil
            }
        }
    }

    private mutating func look(_ input: Int, log: Int) -> Step? {
        while true {
            switch logs[log].next() {
            case .due(let due, let time):
                found(input, due: due, time: time)
                return nil
            case .needsBytes: return .needsBytes(input: input)
            case .damaged(let what): report(.damaged, what, of: input)
            case .ended(let fault):
                finish(input, fault)
                return nil
            }
        }
    }

    private mutating func found(_ input: Int, due: Timestamp, time: Timestamp) {
        inputs[input].due = due
        inputs[input].nextTime = time
        if inputs[input].firstTime == nil { inputs[input].firstTime = time }
    }

    private mutating func finish(_ input: Int, _ fault: (name: Fault.Name, message: String)?) {
        if let fault { report(fault.name, fault.message, of: input) }
        inputs[input].isDone = true
        // While others go on, this one has nothing more to say; the last one ends with the run.
        if hasStarted, inputs.contains(where: { !$0.isDone }) { end(input) }
    }

    private mutating func end(_ input: Int) {
        inputs[input].hasEnded = true
        if case .capture(let place) = inputs[input].kind {
            receivers[place].finish(statistics: &statistics, engine: &engine)
        } else {
            compare(input)
        }
    }

    /// Plays what was found of an input; of a capture, up to where another input's next record comes.
    private mutating func play(_ input: Int, until limit: Timestamp) {
        switch inputs[input].kind {
        case .capture(let place):
            var bound = limit
            if let other = earliest(except: input), let itsTurn = inputs[other].due {
                bound = min(bound, inputs[input].rank < inputs[other].rank ? itsTurn : itsTurn + -1)
            }
            inputs[input].due = nil
            streams[place].play(until: bound, to: &receivers[place], statistics: &statistics, engine: &engine)
        case .log(let place):
            // While a capture goes on, the log may still come near it.
            if !inputs[input].isCompared, !isAnyCaptureOn || mismatch(input, isOpen: true) == nil { compare(input) }
            guard logs[place].play(to: &engine), let time = inputs[input].nextTime else { return }
            inputs[input].due = nil
            statistics.note(records: 0, last: time)
        }
    }

    /// The input whose record comes next.
    private func earliest(except excluded: Int?) -> Int? {
        var best: Int?
        for input in inputs.indices where inputs[input].due != nil && input != excluded {
            guard let found = best else {
                best = input
                continue
            }
            let (mine, its) = (inputs[input], inputs[found])
            if (mine.due!, mine.rank) < (its.due!, its.rank) { best = input }
        }
        return best
    }

    private mutating func start() {
        hasStarted = true
        statistics.files = inputs.count
        statistics.first = earliest(except: nil).flatMap { inputs[$0].nextTime }
        let content = Start(
            version: version, command: command, profile: engine.settings.profile,
            sources: order.map { (inputs[$0].name, kind(of: $0)) }, regions: engine.regions,
            circles: engine.circles.circles)
        engine.events.append(Event(time: statistics.first, .start(content)))
        engine.events += faultsBeforeStart
        faultsBeforeStart = []
        // A capture of 20 years is not to be expected: what is off by 1,024 weeks can be told before all is read.
        for input in order where mismatch(input, isOpen: false)?.offset != nil { compare(input, isOpen: false) }
    }

    private func kind(of input: Int) -> String {
        switch inputs[input].kind {
        case .capture(let place): streams[place].kind ?? ""
        case .log(let place): logs[place].log.kind.rawValue
        }
    }

    private mutating func report(_ name: Fault.Name, _ what: String, of input: Int) {
        if case .capture = inputs[input].kind { statistics.containerErrors += 1 }
        inputs[input].faults += 1
        guard inputs[input].faults <= Self.reportedFaults else { return }
        tell(name, what, of: input)
    }

    private mutating func tell(_ name: Fault.Name, _ what: String, of input: Int) {
        let (domain, source): (Fault.Domain, SourceID?) =
            switch inputs[input].kind {
            case .capture(let place): (.capture, receivers[place].firstSource)
            case .log(let place): (.gps, logs[place].source)
            }
        let fault = Fault(
            domain: domain, name: name, message: "\(inputs[input].name): \(what)",
            isRecoverable: name == .damaged || name == .clockMismatch)
        let event = Event(time: engine.now ?? statistics.first, source: source, .error(fault))
        if hasStarted { engine.events.append(event) } else { faultsBeforeStart.append(event) }
    }

    // MARK: Logs far from the captures

    private var isAnyCaptureOn: Bool {
        inputs.contains { if case .capture = $0.kind { !$0.isDone } else { false } }
    }

    /// How far the present time of a log is from the captures; `nil` where it is near one, and of a capture.
    ///
    /// - Parameter isOpen: Whether what has not ended may go on for ever.
    private func mismatch(_ input: Int, isOpen: Bool) -> ClockMismatch? {
        guard case .log = inputs[input].kind, let time = inputs[input].nextTime else { return nil }
        let spans = inputs.compactMap { capture -> ClosedRange<Timestamp>? in
            guard case .capture(let place) = capture.kind, let first = capture.firstTime else { return nil }
            return first...(isOpen && !capture.isDone ? .latest : max(first, streams[place].clock.now))
        }
        return ClockMismatch(time, spans)
    }

    /// Tells of a log whose times are far from those of the captures. It plays all the same, at its own times.
    private mutating func compare(_ input: Int, isOpen: Bool = true) {
        guard !inputs[input].isCompared else { return }
        inputs[input].isCompared = true
        if let mismatch = mismatch(input, isOpen: isOpen) { tell(.clockMismatch, mismatch.message, of: input) }
    }

    private mutating func finish() {
        hasFinished = true
        engine.finish()
        for input in order where !inputs[input].hasEnded { end(input) }
        if !logs.isEmpty {
            var gps = GPSStatistics()
            for player in logs {
                gps.add(player.log.lineCounts, player.log.counts)
                gps.headingsWithoutTime += player.withoutTime
            }
            gps.errors += failedLogs
            statistics.gps = gps
        }
        engine.events.append(Event(time: statistics.last, .statistics(statistics)))
    }
}
