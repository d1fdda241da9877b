/// Live scanning: what sources hear, told as it is heard, into one engine.
///
/// For a live run what `Replay` is for captures; without descriptors, and without clocks: it is told the time. Between two
/// settings of the clock, what happened in order is told in order.
///
/// A loop that was kept waiting finds packets of long ago, and more of them than it reads at once. What falls due by the time
/// that has passed since does so only with `advance`; until then the time is that of the last packet.
public struct Scan {
    /// The engine.
    public private(set) var engine: Engine
    /// What was counted so far.
    public private(set) var statistics: Statistics
    /// What happened since the last `drain`; times are the wall clock's.
    public private(set) var events: [Event] = []

    /// Records what is heard; `nil` where nothing is recorded. To be set before sources are added.
    public var recorder: BTSnoopWriter?

    private let version: String
    private let command: String
    private var clock: RunClock
    private var sources: [Source] = []
    private var places: GPSFeed?
    /// When the last packet was heard since `advance`; `nil` where none was.
    private var lastPacket: Timestamp?

    /// A source of advertisements.
    private struct Source {
        let id: SourceID
        let name: String
        let kind: String
        var receiver: Receiver
        // What its back end said last. The engine knows better: it hears the silence, and others' commands.
        var state: ScannerState?
        var detail: String?
        var filtersDuplicates = false
        var loss: LossAccount
    }

    /// A scan without sources yet.
    ///
    /// - Parameters:
    ///   - version: The program's version, for the first event.
    ///   - command: The subcommand, for the first event.
    ///   - clock: The time.
    ///   - seed: For the hashes; it does not show in any event.
    public init(engine: Engine, version: String, command: String, clock: RunClock, seed: UInt64) {
        self.engine = engine
        self.version = version
        self.command = command
        self.clock = clock
        statistics = Statistics(seed: seed, countsDistinct: engine.wanted.contains(EventKinds(.statistics)))
        statistics.scanners = ScannerStatistics()
        statistics.first = clock.now
        statistics.last = clock.now
    }

    // MARK: Time

    /// The engine's time.
    public var now: Timestamp { clock.now }
    /// Microseconds from the engine's time to the wall clock's.
    public var clockOffset: Int64 { clock.offset }

    /// When something falls due though nothing is heard, on the clock that never steps; `nil` where nothing does.
    public var deadline: Int64? {
        let due = [engine.nextDue, places?.due ?? .never].min()!
        return due == .never ? nil : clock.monotonic(of: due)
    }

    /// Sets the clocks, once before what happened until then is told; see `RunClock`.
    public mutating func setClock(monotonic: Int64, asleep: Int64 = 0, wall: Timestamp) {
        let slept = clock.slept
        let change = clock.set(monotonic: monotonic, asleep: asleep, wall: wall)
        let offset = clock.offset - (change ?? 0)
        if clock.slept > slept {
            skip(clock.slept - slept, offset, because: "this machine slept for")
            settleLosses()
        }
        guard let change else { return }
        statistics.timeJumps += 1
        collect(shiftedBy: offset)
        let setting = "set \(change > 0 ? "forward" : "back") by \(Self.seconds(abs(change)))"
        engine.tellStates(because: "the clock of this machine was \(setting)", at: present)
        collect()
    }

    /// The program could not run for so many microseconds, until now: what was on the air meanwhile may not have been heard.
    /// To be called after `setClock`.
    public mutating func stall(for span: Int64) {
        skip(span, clock.offset, because: "this program could not run for")
        // What was lost meanwhile was lost in a time that is skipped already.
        settleLosses()
    }

    /// Packets were lost after those that were told, since all was read or this was last called; see `LossAccount`.
    ///
    /// - Parameters:
    ///   - lost: Packets.
    ///   - channel: The sources that share them.
    public mutating func miss(_ lost: UInt64, of channel: [SourceID]) {
        guard lost > 0 else { return }
        let places = channel.map { place(of: $0) }
        let received = places.reduce(0) { $0 + sources[$1].loss.received }
        let share = Double(received) / (Double(received) + Double(lost))
        for place in places { sources[place].loss.lose(butFor: share, at: clock.now) }
        passOwed()
    }

    private mutating func settleLosses() {
        for place in sources.indices { sources[place].loss.settle(at: clock.now) }
    }

    /// Time that does not count as listened passes, as far as there is any.
    private mutating func passOwed() {
        while let before = engine.now, clock.now > before {
            let owing = sources.indices.filter { sources[$0].loss.owed > 0 }
            guard let least = owing.map({ sources[$0].loss.owed }).min() else { return }
            let span = min(least, clock.now - before)
            for place in owing { sources[place].loss.pay(span) }
            skip(span, clock.offset, owing, because: nil)
        }
    }

    /// A time in which nothing could be heard, after all that was told.
    ///
    /// - Parameters:
    ///   - places: Of the sources that could not; `nil` for all.
    ///   - reason: For an event; `nil` where numbers tell it.
    private mutating func skip(_ span: Int64, _ offset: Int64, _ places: [Int]? = nil, because reason: String?) {
        guard let before = engine.now else { return }
        for place in places ?? Array(sources.indices) where engine.tellsBySilence(sources[place].id) {
            for (isOn, moment) in [(false, before), (true, before + span)] {
                recorder?.setScan(place, isOn: isOn, filtersDuplicates: false, at: moment + offset)
            }
        }
        engine.sleep(for: span, places?.map { sources[$0].id })
        if let reason { engine.tellStates(because: "\(reason) \(Self.seconds(span))", at: before + span) }
        collect(shiftedBy: offset)
    }

    private static func seconds(_ span: Int64) -> String { "\((Double(span) / 1e5).rounded() / 10) s" }

    /// When that is which is no packet.
    private var present: Timestamp {
        guard let lastPacket else { return clock.now }
        return max(lastPacket, engine.now ?? lastPacket)
    }

    /// Lets happen what falls due until now. To be called once all that was heard until now was told.
    public mutating func advance() {
        lastPacket = nil
        settleLosses()
        if var feed = places {
            feed.advance(to: clock.now, offset: clock.offset, &engine)
            places = feed
        }
        advance(to: clock.now)
        collect()
    }

    private mutating func advance(to moment: Timestamp) {
        if let now = engine.now, moment > now, sources.contains(where: { $0.loss.owed > 0 }) { passOwed() }
        while !engine.advance(to: moment) { collect() }
    }

    /// Takes what the engine has said; its times become those of the wall clock.
    private mutating func collect() { collect(shiftedBy: clock.offset) }

    private mutating func collect(shiftedBy offset: Int64) {
        events += offset == 0 ? engine.events : engine.events.map { $0.shifted(by: offset) }
        engine.events.removeAll(keepingCapacity: true)
    }

    /// Forgets the events, once all outputs have them.
    public mutating func drain() { events.removeAll(keepingCapacity: true) }

    // MARK: Course

    /// The first event; sources that are known by now are named in it.
    public mutating func start() {
        let content = Start(
            version: version, command: command, profile: engine.settings.profile,
            sources: sources.map { ($0.name, $0.kind) } + (places.map { [($0.name, "gpsd")] } ?? []),
            regions: engine.regions, circles: engine.circles.circles)
        events.append(Event(time: clock.now + clock.offset, .start(content)))
        // A capture in which nothing was heard is one, too.
        recorder?.begin(at: clock.now + clock.offset)
        advance(to: clock.now)
    }

    /// Puts what was counted so far onto the bus.
    ///
    /// - Parameter scanners: What the sources counted themselves.
    public mutating func tellStatistics(_ scanners: ScannerStatistics) {
        collect()
        statistics.scanners = scanners
        statistics.recording = recorder?.statistics
        statistics.gps = places?.statistics
        events.append(Event(time: clock.now, .statistics(statistics)).shifted(by: clock.offset))
    }

    /// What the sources are doing, in a line for people: `hci0: listening, hci1: poweredOff`.
    public var summary: String {
        let states = sources.map { "\($0.name): \(engine.state(of: $0.id)?.rawValue ?? "starting")" }
        return states.isEmpty ? "no adapter yet" : states.joined(separator: ", ")
    }

    /// Ends the run: the last events go onto the bus. Packets that were not read any more may lie between the last one and now.
    public mutating func stop(_ scanners: ScannerStatistics) {
        if lastPacket == nil { advance() }
        for place in sources.indices { sources[place].receiver.finish(statistics: &statistics, engine: &engine) }
        tellStatistics(scanners)
    }

    // MARK: Sources of advertisements

    /// Adds a source, at any time. It can't hear until it is said to be listening.
    ///
    /// - Parameters:
    ///   - name: What events call it.
    ///   - kind: What it is, for the first event.
    public mutating func addSource(name: String, kind: String) -> SourceID {
        let id = engine.addIdleSource(name: name, at: clock.now)
        recorder?.addSource(name: name, at: clock.now + clock.offset)
        sources.append(
            Source(
                id: id, name: name, kind: kind, receiver: Receiver(name: name, source: id),
                loss: LossAccount(at: clock.now)))
        return id
    }

    /// A source has another state.
    ///
    /// - Parameters:
    ///   - detail: Why, and what to do, for people.
    ///   - filtersDuplicates: Whether a beacon is heard only once in a scan.
    public mutating func change(
        _ source: SourceID, to state: ScannerState, detail: String? = nil, filtersDuplicates: Bool = false
    ) {
        let place = place(of: source)
        let known = sources[place]
        guard known.state != state || known.detail != detail || known.filtersDuplicates != filtersDuplicates else {
            return
        }
        sources[place].state = state
        sources[place].detail = detail
        sources[place].filtersDuplicates = filtersDuplicates
        let now = present
        recorder?.setScan(
            place, isOn: state == .listening || state == .deaf, filtersDuplicates: filtersDuplicates,
            at: now + clock.offset)
        advance(to: now)
        engine.change(source, to: state, detail: detail, filtersDuplicates: filtersDuplicates, at: now)
        collect()
    }

    /// The scan of a source that listens was switched off and on again, which nobody need know: a controller that filters
    /// duplicates reports every beacon anew.
    public mutating func renew(_ source: SourceID) {
        let known = sources[place(of: source)]
        guard known.state == .listening else { return }
        advance(to: present)
        engine.setScan(source, listening: true, filtersDuplicates: known.filtersDuplicates, at: present)
        collect()
    }

    /// A packet between host and controller.
    ///
    /// - Parameters:
    ///   - packet: Events tell what was heard. Commands are to be told only where others send them: they tell what can be.
    ///   - stamp: When the kernel had it, on the wall clock; `nil` for now.
    public mutating func receive(_ packet: HCIPacket, from source: SourceID, stamp: Timestamp? = nil) {
        let moment = stamp.map(clock.moment(ofWall:)) ?? clock.now
        advance(to: moment)
        lastPacket = moment
        statistics.note(records: 1, last: moment)
        let place = place(of: source)
        sources[place].loss.receive()
        recorder?.record(packet, from: place, at: moment + clock.offset)
        sources[place].receiver.receive(packet, at: moment, statistics: &statistics, engine: &engine)
        if engine.events.count >= engine.batch { collect() }
    }

    /// AD structures that somebody else has from the controller.
    public mutating func hear(
        _ data: RawSpan, address: DeviceAddress, addressType: AddressType, rssi: Int8?, from source: SourceID
    ) {
        advance(to: clock.now)
        lastPacket = clock.now
        statistics.note(records: 1, last: clock.now)
        let place = place(of: source)
        recorder?.record(
            data, address: address, addressType: addressType, rssi: rssi, from: place, at: clock.now + clock.offset)
        let reception = Reception(address: address, addressType: addressType, rssi: rssi)
        sources[place].receiver.receive(
            data, of: reception, at: clock.now, statistics: &statistics, engine: &engine)
        if engine.events.count >= engine.batch { collect() }
    }

    /// Something of the outside world went wrong.
    public mutating func report(_ fault: Fault, from source: SourceID? = nil) {
        advance(to: present)
        engine.emit(present, source, .error(fault))
        collect()
    }

    /// What is to be said of hearing though there is no source yet.
    public mutating func tell(_ state: ScannerState, _ detail: String) {
        advance(to: present)
        engine.emit(present, nil, .scanner(state, detail: detail))
        collect()
    }

    private func place(of source: SourceID) -> Int { sources.firstIndex { $0.id == source }! }

    // MARK: gpsd

    /// Adds the gpsd that tells place and direction; at most one.
    public mutating func addGPSD(name: String) {
        places = GPSFeed(name: name, source: engine.addLocationSource(name: name))
    }

    /// A report of gpsd. To be told when all packets are.
    public mutating func receive(_ report: GPSDReport) {
        guard var feed = places else { return }
        advance(to: clock.now)
        feed.receive(report, at: clock.now, offset: clock.offset, &engine)
        places = feed
        collect()
    }

    /// gpsd came or went. To be told when all packets are.
    public mutating func receive(_ news: GPSDConnection.News) {
        guard var feed = places else { return }
        advance(to: clock.now)
        feed.receive(news, at: clock.now, offset: clock.offset, &engine)
        places = feed
        collect()
    }

    /// What the connection to gpsd counted so far.
    public mutating func count(_ lines: GPSDStream.Counts) { places?.lines = lines }
}
