/// Plays captures on a virtual clock, merged by time.
///
/// A state machine without descriptors: `run` says what it needs, the caller supplies bytes. Several captures are merged
/// by engine time, then by name, then by number of record; the order in which they were added does not show.
public struct Replay {
    /// What must happen before `run` is called again.
    public enum Step: Equatable {
        /// More bytes of this capture, by number.
        case needsBytes(capture: Int)
        /// No capture has anything for now; some must be resumed.
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
    private var progress: [Progress] = []
    /// Numbers of the captures, in the order of equal times.
    private var order: [Int] = []
    private var hasStarted = false
    /// What was wrong before the first record; `start` is the first event all the same.
    private var faultsBeforeStart: [Event] = []
    private var hasFinished = false

    /// Faults of one capture that become events; beyond, they are only counted.
    private static let reportedFaults = 16

    private struct Progress {
        /// Place among equal times.
        var rank = 0
        /// When the next record comes on the engine's clock; `nil` before it was looked for, and at the end.
        var due: Timestamp?
        /// The next record's own time.
        var nextTime: Timestamp?
        var faults = 0
        var isDone = false
        /// Whether it has nothing more for now.
        var isPaused = false
        var hasEnded = false
    }

    /// A replay without captures yet.
    ///
    /// - Parameters:
    ///   - version: The program's version, for the first event.
    ///   - command: The subcommand, for the first event.
    ///   - seed: For the hashes; it does not show in any event.
    public init(engine: Engine, version: String, command: String, seed: UInt64) {
        self.engine = engine
        self.version = version
        self.command = command
        statistics = Statistics(seed: seed)
    }

    /// Adds a capture that was recognised. All must be added before the first `run`.
    ///
    /// - Returns: Its number.
    @discardableResult
    public mutating func add(_ stream: CaptureStream) -> Int {
        receivers.append(Receiver(name: stream.name))
        streams.append(stream)
        progress.append(Progress())
        // By the bytes of the name: the order in which captures were added does not show.
        order = streams.indices.sorted { a, b in
            let (mine, its) = (streams[a].name.utf8, streams[b].name.utf8)
            return mine.elementsEqual(its) ? a < b : mine.lexicographicallyPrecedes(its)
        }
        for (rank, capture) in order.enumerated() { progress[capture].rank = rank }
        return streams.count - 1
    }

    /// Passes bytes to a capture; see `CaptureStream.supply`.
    public mutating func supply<Failure: Error>(
        capture: Int, _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        try unsafe streams[capture].supply(read)
    }

    /// Goes on with a capture whose end was only that of the moment.
    public mutating func resume(capture: Int) {
        streams[capture].resume()
        progress[capture].isPaused = false
    }

    /// Ends a capture that could not be read further.
    public mutating func fail(capture: Int, _ reason: String) {
        report(.unreadable, reason, of: capture)
        finish(capture)
    }

    /// A capture that is followed has no more bytes for now: the others do not wait for it until it is resumed.
    public mutating func pause(capture: Int) { progress[capture].isPaused = true }

    /// Bytes of all captures passed so far.
    public var position: UInt64 { streams.reduce(0) { $0 + $1.position } }

    /// Forgets the events on the bus, once all outputs have them.
    public mutating func drain() { engine.events.removeAll(keepingCapacity: true) }

    /// Plays on until something must happen outside.
    ///
    /// - Parameter limit: Records after this moment wait.
    public mutating func run(until limit: Timestamp = .latest) -> Step {
        if hasFinished { return .finished }
        while true {
            for capture in order
            where progress[capture].due == nil && !progress[capture].isDone
                && !progress[capture].isPaused
            {
                if let step = look(capture) { return step }
            }
            let next = earliest(except: nil)
            if next == nil, progress.contains(where: { !$0.isDone }) { return .allPaused }
            if !hasStarted { start() }
            guard let capture = next, let due = progress[capture].due else {
                finish()
                return .finished
            }
            if due > limit {
                if engine.now != nil { engine.advance(to: limit) }
                return engine.events.isEmpty ? .reachedLimit(next: due) : .hasEvents
            }
            // Until another capture's next record comes, this one has the floor.
            var bound = limit
            if let other = earliest(except: capture), let itsTurn = progress[other].due {
                bound = min(bound, progress[capture].rank < progress[other].rank ? itsTurn : itsTurn + -1)
            }
            progress[capture].due = nil
            streams[capture].play(
                until: bound, to: &receivers[capture], statistics: &statistics, engine: &engine)
            if engine.events.count >= Engine.batch { return .hasEvents }
        }
    }

    /// Ends the replay here: the last events go onto the bus.
    public mutating func stop() {
        if hasFinished { return }
        if !hasStarted { start() }
        finish()
    }

    /// Looks for a capture's next record.
    ///
    /// - Returns: What must happen first; `nil` when the record is there or the capture has ended.
    private mutating func look(_ capture: Int) -> Step? {
        while true {
            switch streams[capture].next() {
            case .record(let record):
                progress[capture].due = max(record.time, streams[capture].clock.now)
                progress[capture].nextTime = record.time
                return nil
            case .needsBytes: return .needsBytes(capture: capture)
            case .damaged(let what): report(.damaged, what, of: capture)
            case .ended(let fault):
                if let fault { report(fault.name, fault.message, of: capture) }
                finish(capture)
                return nil
            }
        }
    }

    /// A capture has nothing more to say. While others go on, that is told; the last one ends with the run.
    private mutating func finish(_ capture: Int) {
        progress[capture].isDone = true
        if hasStarted, progress.contains(where: { !$0.isDone }) { end(capture) }
    }

    private mutating func end(_ capture: Int) {
        progress[capture].hasEnded = true
        receivers[capture].finish(statistics: &statistics, engine: &engine)
    }

    /// The capture whose record comes next.
    private func earliest(except excluded: Int?) -> Int? {
        var best: Int?
        for capture in progress.indices where progress[capture].due != nil && capture != excluded {
            guard let found = best else {
                best = capture
                continue
            }
            let (mine, its) = (progress[capture], progress[found])
            if (mine.due!, mine.rank) < (its.due!, its.rank) { best = capture }
        }
        return best
    }

    private mutating func start() {
        hasStarted = true
        statistics.files = streams.count
        statistics.first = earliest(except: nil).flatMap { progress[$0].nextTime }
        let content = Start(
            version: version, command: command, profile: engine.settings.profile,
            sources: order.map { (streams[$0].name, streams[$0].kind ?? "") }, regions: engine.regions)
        engine.events.append(Event(time: statistics.first, .start(content)))
        engine.events += faultsBeforeStart
        faultsBeforeStart = []
    }

    private mutating func report(_ name: Fault.Name, _ what: String, of capture: Int) {
        statistics.containerErrors += 1
        progress[capture].faults += 1
        guard progress[capture].faults <= Self.reportedFaults else { return }
        let fault = Fault(
            domain: .capture, name: name, message: "\(streams[capture].name): \(what)",
            isRecoverable: name == .damaged)
        let event = Event(time: engine.now, source: receivers[capture].firstSource, .error(fault))
        if hasStarted { engine.events.append(event) } else { faultsBeforeStart.append(event) }
    }

    private mutating func finish() {
        hasFinished = true
        engine.finish()
        for capture in order where !progress[capture].hasEnded { end(capture) }
        engine.events.append(Event(time: statistics.last, .statistics(statistics)))
    }
}
