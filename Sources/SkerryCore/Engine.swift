/// Everything that is decided: what is near, which regions are entered and left. A plain value on virtual time.
///
/// Inputs are told to it in order of time; it never asks what time it is. What it decides is appended to `events`, the
/// one bus that all outputs read. At one instant the order is: exits that are due, the input's own event, the region
/// transitions it causes, ranging.
public struct Engine {
    /// What happened since the bus was last drained.
    public var events: [Event] = []
    /// The engine's clock; it never decreases. `nil` before the first record.
    public var now: Timestamp? { hasStarted ? moment : nil }

    /// So many events are let pile up on the bus before it must be drained.
    static let batch = 128

    let regions: [BeaconRegion]
    let profile: Profile
    private let defaultMeasuredPower: Int8
    private let wanted: EventKinds
    private let index: RegionIndex

    private var table: BeaconTable
    /// By slot of the table.
    private var estimators: [Estimator] = []
    /// By slot of the table, where exit times are learned.
    private var presences: [Presence] = []
    private var sources: [Source] = []
    /// By number of the region.
    private var states: [MonitoredState]
    private var undetermined: Int

    /// Time in which any source listened.
    private var anyListening: ScannerClock?
    private var schedule: RangingSchedule
    /// Whether anybody asks how near beacons are.
    private let estimates: Bool
    /// Whether exit times are learned.
    private let learnsPresence: Bool
    /// When any beacon was heard last.
    private var lastSighting = Timestamp.earliest
    /// Regions that lost a beacon since the last report and owe one without it.
    private var owedReports: Set<Int32> = []
    /// Nothing is due before this moment; the first record is.
    private(set) var nextDue = Timestamp.earliest
    private var hasStarted = false
    private var moment = Timestamp.earliest

    private struct Source {
        let name: String
        var clock: ScannerClock
        /// Before the last command, which may have been refused.
        var clockBefore: ScannerClock?
        var exits = ExitQueue()
        /// Slots whose silence says nothing until the next scan.
        var held: [UInt32] = []
    }

    private struct MonitoredState {
        var state = RegionState.unknown
        /// Tracks of the region that are known.
        var present = 0
    }

    /// - Parameters:
    ///   - regions: What to range and monitor.
    ///   - defaultMeasuredPower: dBm at 1 m for beacons whose own figure can't be one.
    ///   - wanted: Kinds of events that some output reads; nothing is computed for others.
    ///   - seed: For the hashes; it does not show in any event.
    public init(
        profile: Profile, regions: [BeaconRegion], defaultMeasuredPower: Int8 = -59, wanted: EventKinds, seed: UInt64
    ) {
        self.profile = profile
        self.regions = regions
        self.defaultMeasuredPower = defaultMeasuredPower
        self.wanted = wanted
        index = RegionIndex(regions)
        table = BeaconTable(seed: seed)
        states = [MonitoredState](repeating: MonitoredState(), count: regions.count)
        undetermined = regions.count { $0.isMonitored }
        estimates = wanted.contains(EventKinds(.ranging))
        learnsPresence = profile == .adaptive
        schedule = RangingSchedule(isWanted: estimates)
    }

    /// Names of the sources, by number.
    public var sourceNames: [String] { sources.map(\.name) }

    // MARK: Sources and time

    /// Adds a source that listens from now on.
    mutating func addSource(name: String, at time: Timestamp) -> SourceID {
        advance(to: time)
        let id = SourceID(rawValue: UInt16(sources.count))
        sources.append(Source(name: name, clock: ScannerClock(listeningSince: moment)))
        emit(time, id, .scanner(.listening, detail: nil))
        if anyListening == nil { anyListening = ScannerClock(listeningSince: moment) } else { updateAnyListening() }
        reschedule()
        return id
    }

    /// The scan of a source goes on or off.
    mutating func setScan(_ source: SourceID, listening: Bool, filtersDuplicates: Bool, at time: Timestamp) {
        advance(to: time)
        var clock = sources[Int(source.rawValue)].clock
        sources[Int(source.rawValue)].clockBefore = clock
        clock.set(listening: listening, filtersDuplicates: filtersDuplicates, at: moment)
        change(source, to: clock, at: time)
    }

    /// The last command for the scan of a source was refused: it has changed nothing.
    mutating func undoScan(_ source: SourceID, at time: Timestamp) {
        advance(to: time)
        guard let clock = sources[Int(source.rawValue)].clockBefore else { return }
        sources[Int(source.rawValue)].clockBefore = nil
        change(source, to: clock, at: time)
    }

    private mutating func change(_ source: SourceID, to clock: ScannerClock, at time: Timestamp) {
        let number = Int(source.rawValue)
        let before = sources[number].clock
        sources[number].clock = clock
        if before.isListening != clock.isListening || before.filtersDuplicates != clock.filtersDuplicates {
            let detail = clock.filtersDuplicates ? "the controller filters duplicates" : nil
            emit(time, source, .scanner(clock.isListening ? .listening : .paused, detail: detail))
        }
        let held = sources[number].held
        sources[number].held = []
        for slot in held where table[Int(slot)].isKnown { queueExit(Int(slot)) }
        updateAnyListening()
        reschedule()
    }

    /// The source has nothing more to say.
    mutating func endSource(_ source: SourceID) {
        guard let now else { return }
        sources[Int(source.rawValue)].clock.set(listening: false, filtersDuplicates: false, at: now)
        emit(now, source, .scanner(.ended, detail: nil))
        updateAnyListening()
        reschedule()
    }

    /// Moves the clock. What falls due on the way happens, in order: exits up to and at `time`, ranging before it.
    ///
    /// - Returns: Whether the clock has come there; if not, so many events are on the bus that it must be drained first.
    @inline(__always)
    @discardableResult
    mutating func advance(to time: Timestamp) -> Bool {
        if time >= nextDue, !passDue(until: time) { return false }
        if time > moment { moment = time }
        return true
    }

    private mutating func start(at time: Timestamp) {
        hasStarted = true
        moment = time
        nextDue = .never
        schedule.begin(at: time)
    }

    /// The input ended: ranging that is due at this very moment still happens.
    mutating func finish() {
        guard let now, schedule.next == now else { return }
        report(at: now)
    }

    @inline(never)
    private mutating func passDue(until time: Timestamp) -> Bool {
        guard hasStarted else {
            start(at: time)
            return true
        }
        guard time > moment else { return true }
        while true {
            if events.count >= Self.batch { return false }
            let exit = nextExit()
            let determined = nextDetermined()
            let ranging = schedule.next
            if exit <= time, exit <= ranging, exit <= determined {
                moment = exit
                takeExits(at: exit)
            } else if determined <= time, determined <= ranging {
                moment = determined
                determineOutside(at: determined)
            } else if ranging < time {
                moment = ranging
                report(at: ranging)
            } else {
                nextDue = min(exit, min(determined, ranging.due(after: 1)))
                return true
            }
        }
    }

    private mutating func reschedule() { nextDue = moment }

    private mutating func updateAnyListening() {
        let listening = sources.contains { $0.clock.isListening }
        guard var clock = anyListening, clock.isListening != listening else { return }
        clock.set(listening: listening, filtersDuplicates: false, at: moment)
        anyListening = clock
    }

    // MARK: Beacons

    /// A beacon frame was heard.
    ///
    /// - Parameter time: The record's own time, which may lie before the engine's.
    @inline(__always)
    mutating func observe(
        _ beacon: Beacon, in structure: ADStructure, of reception: Reception,
        from source: SourceID, at time: Timestamp, statistics: inout Statistics
    ) {
        if wanted.contains(EventKinds.advertisement) {
            let advertisement = Advertisement(
                address: reception.address, addressType: reception.addressType, rssi: reception.rssi,
                pdu: reception.pdu, phy: reception.phy, beacon: beacon)
            if let extra = beacon.extra(in: structure) {
                events.append(Event(time: time, source: source, .advertisementWithExtra(advertisement, extra: extra)))
            } else {
                events.append(Event(time: time, source: source, .advertisement(advertisement)))
            }
        }
        statistics.count(beacon)
        if case .iBeacon(let frame) = beacon { sight(frame, rssi: reception.rssi, source, &statistics) }
    }

    @inline(__always)
    private mutating func sight(_ frame: IBeacon, rssi: Int8?, _ source: SourceID, _ statistics: inout Statistics) {
        let now = moment
        let number = Int(source.rawValue)
        let slot: Int
        if let known = table.find(frame.identity, source) {
            slot = known
        } else {
            slot = becomeKnown(frame, source, &statistics)
        }
        let listened = sources[number].clock.listened(at: now)
        if learnsPresence, table[slot].samples > 0 {
            presences[slot].sight(after: Double(listened - table[slot].lastHeard) / 1e6)
        }
        let isFirst = table[slot].hear(
            frame, rssi: rssi, at: now, listened: listened,
            scan: sources[number].clock.scan)
        if let rssi, rssi < 0, estimates { estimators[slot].add(rssi, at: now) }
        lastSighting = now
        if isFirst { enter(slot) } else if estimates, schedule.next == .never { rearm() }
        // What was learned may shorten the time that is queued; a longer one is found when that comes.
        if learnsPresence, !isFirst, listened + exitTime(slot) < table[slot].queuedDeadline { queueExit(slot) }
    }

    @inline(never)
    private mutating func becomeKnown(_ frame: IBeacon, _ source: SourceID, _ statistics: inout Statistics) -> Int {
        let identity = frame.identity
        statistics.note(identity)
        if table.count == BeaconTable.limit {
            evict()
            statistics.evicted += 1
        }
        let slot = table.insert(
            Track(
                identity: identity, source: source, measuredPower: frame.measuredPower,
                matches: index.matches(identity), lastSeen: moment))
        // What nobody asks for is not kept: a crowd of strangers costs its identities alone.
        if estimates { estimators.set(Estimator(profile), at: slot) }
        if learnsPresence { presences.set(Presence(), at: slot) }
        return slot
    }

    /// The first sighting of a track: its exit is queued, its regions may be entered.
    private mutating func enter(_ slot: Int) {
        queueExit(slot)
        rearm()
        let track = table[slot]
        var entered: [Int] = []
        index.forEachRegion(of: track.matches) { region in
            states[region].present += 1
            if regions[region].isMonitored, states[region].state != .inside { entered.append(region) }
        }
        for region in entered.sorted() {
            transit(
                region, .enter, to: .inside, by: track.identity, reason: .advertisement,
                RegionTransition.Evidence(
                    lastSeen: track.lastSeen, silence: 0, timeout: exitTime(slot), samples: track.samples,
                    listening: 1))
        }
    }

    private mutating func rearm() {
        schedule.arm(at: moment)
        nextDue = min(nextDue, schedule.next)
    }

    // MARK: Exits

    /// Microseconds of listened silence after which a track has gone.
    private func exitTime(_ slot: Int) -> Int64 {
        learnsPresence ? Int64(presences[slot].timeout * 1e6) : profile.exitTime
    }

    private mutating func queueExit(_ slot: Int) {
        let source = Int(table[slot].source.rawValue)
        let deadline = table[slot].lastHeard + exitTime(slot)
        table[slot].queuedDeadline = deadline
        sources[source].exits.push(ExitQueue.Entry(deadline: deadline, slot: UInt32(slot)))
        nextDue = min(nextDue, exitMoment(deadline, source))
    }

    /// When a deadline in listened time comes, if the source goes on listening.
    private func exitMoment(_ deadline: Int64, _ source: Int) -> Timestamp {
        let clock = sources[source].clock
        guard clock.isListening, let now else { return .never }
        return now.due(after: max(0, deadline - clock.listened(at: now)))
    }

    private func nextExit() -> Timestamp {
        var earliest = Timestamp.never
        for source in sources.indices {
            if let first = sources[source].exits.first { earliest = min(earliest, exitMoment(first.deadline, source)) }
        }
        return earliest
    }

    /// Takes all deadlines that are due at this moment. A deadline only says that the beacon was silent when it was
    /// set; who was heard since gets a new one.
    private mutating func takeExits(at time: Timestamp) {
        var gone: [Int] = []
        for source in sources.indices {
            let listened = sources[source].clock.listened(at: time)
            while let first = sources[source].exits.first, first.deadline <= listened,
                sources[source].clock.isListening
            {
                sources[source].exits.popFirst()
                let slot = Int(first.slot)
                guard table[slot].isKnown, table[slot].queuedDeadline == first.deadline else { continue }
                let begins = sources[source].clock.silenceBegins(heard: table[slot].lastHeard, scan: table[slot].scan)
                if let begins, begins + exitTime(slot) <= listened {
                    gone.append(slot)
                } else if let begins {
                    let deadline = begins + exitTime(slot)
                    table[slot].queuedDeadline = deadline
                    sources[source].exits.push(ExitQueue.Entry(deadline: deadline, slot: first.slot))
                } else {
                    sources[source].held.append(first.slot)
                }
            }
        }
        // Who can't hear has no say: what a listening source has lost, a deaf one does not keep.
        let deaf = sources.indices.filter { !sources[$0].clock.isListening }
        if !deaf.isEmpty {
            var others: Set<Int> = []
            for slot in gone {
                for source in deaf {
                    let other = table.find(table[slot].identity, SourceID(rawValue: UInt16(source)))
                    if let other { others.insert(other) }
                }
            }
            gone += others.subtracting(gone).sorted()
        }
        leave(gone, reason: .silence, at: time)
    }

    /// Beacons are gone: forgets them, and leaves the regions that have no other.
    private mutating func leave(_ slots: [Int], reason: RegionTransition.Reason, at time: Timestamp) {
        var left: [(region: Int, slot: Int)] = []
        for slot in slots {
            index.forEachRegion(of: table[slot].matches) { region in
                states[region].present -= 1
                owedReports.insert(Int32(region))
                if states[region].present == 0, regions[region].isMonitored { left.append((region, slot)) }
            }
        }
        for (region, slot) in left.sorted(by: { $0.region < $1.region }) {
            let track = table[slot]
            let clock = sources[Int(track.source.rawValue)].clock
            let begins = clock.silenceBegins(heard: track.lastHeard, scan: track.scan) ?? track.lastHeard
            let elapsed = time - track.lastSeen
            transit(
                region, .exit, to: .outside, by: track.identity, reason: reason,
                RegionTransition.Evidence(
                    lastSeen: track.lastSeen, silence: clock.listened(at: time) - begins, timeout: exitTime(slot),
                    samples: track.samples,
                    listening: elapsed > 0
                        ? Double(clock.listened(at: time) - track.lastHeard) / Double(elapsed) : 1))
        }
        for slot in slots {
            table.remove(slot)
            if estimates { estimators[slot] = Estimator(profile) }
        }
        if table.slots == 0 {
            estimators = []
            presences = []
        }
        rearm()
    }

    /// Makes room: the beacon whose exit would come first goes now.
    private mutating func evict() {
        while true {
            let waiting = sources.indices.filter { sources[$0].exits.first != nil }
            let next = waiting.min {
                sources[$0].exits.first!.deadline - sources[$0].clock.listened(at: moment)
                    < sources[$1].exits.first!.deadline - sources[$1].clock.listened(at: moment)
            }
            guard let source = next, let first = sources[source].exits.popFirst() else { break }
            let slot = Int(first.slot)
            guard table[slot].isKnown, table[slot].queuedDeadline == first.deadline else { continue }
            let begins = sources[source].clock.silenceBegins(heard: table[slot].lastHeard, scan: table[slot].scan)
            guard let begins else {
                sources[source].held.append(first.slot)
                continue
            }
            let deadline = begins + exitTime(slot)
            guard deadline > first.deadline else { return leave([slot], reason: .capacity, at: moment) }
            table[slot].queuedDeadline = deadline
            sources[source].exits.push(ExitQueue.Entry(deadline: deadline, slot: first.slot))
        }
        // Only beacons whose silence says nothing are left.
        for source in sources.indices where !sources[source].held.isEmpty {
            sources[source].held.swapAt(0, sources[source].held.count - 1)
            return leave([Int(sources[source].held.removeLast())], reason: .capacity, at: moment)
        }
    }

    // MARK: Regions

    private func nextDetermined() -> Timestamp {
        guard undetermined > 0, let clock = anyListening, clock.isListening, let now else { return .never }
        return now.due(after: max(0, profile.exitTime - clock.listened(at: now)))
    }

    /// A whole exit time of listening without a beacon: who is not inside is outside.
    private mutating func determineOutside(at time: Timestamp) {
        for region in regions.indices where states[region].state == .unknown && regions[region].isMonitored {
            transit(
                region, .determined, to: .outside, by: nil, reason: .silence,
                RegionTransition.Evidence(
                    lastSeen: nil, silence: profile.exitTime, timeout: profile.exitTime, samples: 0, listening: 1))
        }
        undetermined = 0
    }

    private mutating func transit(
        _ region: Int, _ transition: RegionTransition.Transition, to state: RegionState, by: BeaconIdentity?,
        reason: RegionTransition.Reason, _ evidence: RegionTransition.Evidence
    ) {
        let from = states[region].state
        if from == .unknown { undetermined -= 1 }
        states[region].state = state
        emit(
            moment, nil,
            .region(
                RegionTransition(
                    region: region, transition: transition, state: state, from: from, by: by, reason: reason,
                    evidence: evidence)))
    }

    // MARK: Ranging

    private var hasReports: Bool { table.count > 0 || !owedReports.isEmpty }

    private mutating func report(at time: Timestamp) {
        schedule.reported(at: time)
        // Beacons that are known but not heard, because nothing can be heard or duplicates are filtered, would be
        // reported for ever.
        if owedReports.isEmpty, time - lastSighting > profile.longestExitTime { return schedule.stop() }
        var entries: [(region: Int32, slot: Int32)] = []
        for slot in 0..<table.slots where table[slot].isKnown {
            index.forEachRegion(of: table[slot].matches) { entries.append((Int32($0), Int32(slot))) }
        }
        for region in owedReports { entries.append((region, -1)) }
        owedReports = []
        entries.sort { $0.region != $1.region ? $0.region < $1.region : $0.slot < $1.slot }
        var rest = entries[...]
        while let region = rest.first?.region {
            let mine = rest.prefix { $0.region == region }
            rest = rest.dropFirst(mine.count)
            emit(time, nil, .ranging(ranging(Int(region), mine.lazy.map { Int($0.slot) }.filter { $0 >= 0 }, time)))
        }
        for slot in 0..<table.slots {
            table[slot].heardInInterval = 0
            table[slot].levelsInInterval = 0
            table[slot].levelSum = 0
        }
        if !hasReports { schedule.stop() }
    }

    private mutating func ranging(_ region: Int, _ slots: some Sequence<Int>, _ time: Timestamp) -> Ranging {
        var beacons: [RangedBeacon] = []
        for slot in slots { beacons.append(ranged(slot, time)) }
        if sources.count > 1 { beacons = RangedBeacon.nearestOfEach(beacons) }
        beacons.sort { $0.isNearer(than: $1) }
        let omitted = max(0, beacons.count - Ranging.limit)
        if omitted > 0 { beacons.removeLast(omitted) }
        return Ranging(region: region, beacons: beacons, omitted: omitted)
    }

    private mutating func ranged(_ slot: Int, _ time: Timestamp) -> RangedBeacon {
        let track = table[slot]
        let isImplausible = track.measuredPower > -20
        let power = Double(isImplausible ? defaultMeasuredPower : track.measuredPower)
        var ranged = RangedBeacon(
            identity: track.identity, proximity: .unknown, accuracy: nil, rssi: nil, samples: track.heardInInterval,
            lastSeen: track.lastSeen, hasImplausibleMeasuredPower: isImplausible)
        if track.levelsInInterval > 0 { ranged.rssi = Double(track.levelSum) / Double(track.levelsInInterval) }
        guard isCurrent(track, slot, time), let estimate = estimators[slot].look(measuredPower: power, at: time) else {
            return ranged
        }
        ranged.accuracy = estimate.distance
        ranged.spread = estimate.spread
        ranged.proximity = estimate.proximity
        return ranged
    }

    /// Whether what is known of a beacon's distance still holds: heard in the interval; by the adaptive rules, silent for
    /// less than ten seconds of listening, or less than that in all while its source can't hear.
    private func isCurrent(_ track: Track, _ slot: Int, _ time: Timestamp) -> Bool {
        guard profile == .adaptive, track.heardInInterval == 0 else { return track.heardInInterval > 0 }
        let clock = sources[Int(track.source.rawValue)].clock
        let patience = min(profile.patience, exitTime(slot))
        let silence = clock.isListening ? clock.listened(at: time) - track.lastHeard : time - track.lastSeen
        return silence < patience
    }

    private mutating func emit(_ time: Timestamp, _ source: SourceID?, _ content: Event.Content) {
        let event = Event(time: time, source: source, content)
        if wanted.contains(EventKinds(event.kind)) { events.append(event) }
    }
}

extension Array {
    /// Puts an element at an index, which may be the end.
    fileprivate mutating func set(_ element: Element, at index: Int) {
        if index == count { append(element) } else { self[index] = element }
    }
}
