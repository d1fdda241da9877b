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

    let settings: ProximitySettings
    private let wanted: EventKinds
    /// Whether some event that is wanted depends on which beacons are known and since when.
    private let tracksBeacons: Bool

    private var table: BeaconTable
    var monitor: RegionMonitor
    private var ranger: Ranger
    /// By number of the source.
    private var scanners = Scanners()
    /// When any beacon was heard last.
    private var lastSighting = Timestamp.earliest
    /// Nothing is due before this moment; the first record is.
    private(set) var nextDue = Timestamp.earliest
    private var hasStarted = false
    private(set) var moment = Timestamp.earliest
    /// Where the device is and points.
    var location: LocationTracker
    /// Circular regions; their numbers in events follow those of the beacon regions.
    var circles: CircleMonitor
    /// Until when an earlier run knew what was restored of it; `nil` where nothing was.
    var restoredFrom: Timestamp?

    /// - Parameters:
    ///   - settings: The profile, and what the site has set of it.
    ///   - regions: What to range and monitor, with at most seven different exit times of their own.
    ///   - circles: What is monitored on the ground, by `circleSettings`, which must allow each.
    ///   - location: What the user says about location and heading.
    ///   - wanted: Kinds of events that some output reads; nothing is computed for others.
    ///   - seed: For the hashes; it does not show in any event.
    public init(
        settings: ProximitySettings, regions: [BeaconRegion], circles: [CircularRegion] = [],
        circleSettings: CircleSettings = CircleSettings(), location: LocationSettings = LocationSettings(),
        wanted: EventKinds, seed: UInt64
    ) {
        self.settings = settings
        self.location = LocationTracker(location)
        self.circles = CircleMonitor(circles, settings: circleSettings)
        self.wanted = wanted
        tracksBeacons = !wanted.isDisjoint(with: .ofKnownBeacons)
        table = BeaconTable(seed: seed)
        monitor = RegionMonitor(regions)
        ranger = Ranger(settings, isWanted: wanted.contains(EventKinds(.ranging)))
    }

    /// What is ranged and monitored.
    var regions: [BeaconRegion] { monitor.regions }

    /// Names of the sources, by number.
    public var sourceNames: [String] { scanners.names }

    // MARK: Sources

    /// Adds a source that listens from now on.
    mutating func addSource(name: String, at time: Timestamp) -> SourceID {
        advance(to: time)
        let id = SourceID(rawValue: UInt16(scanners.add(name: name, at: moment)))
        emit(time, id, .scanner(.listening, detail: nil))
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

    /// The scan of a source goes on or off.
    mutating func setScan(_ source: SourceID, listening: Bool, filtersDuplicates: Bool, at time: Timestamp) {
        advance(to: time)
        var clock = scanners[Int(source.rawValue)].clock
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
        var clock = scanners[Int(source.rawValue)].clock
        let isListening = state == .listening
        if clock.isListening != isListening || clock.filtersDuplicates != filtersDuplicates {
            clock.set(listening: isListening, filtersDuplicates: filtersDuplicates, at: moment)
            replaceClock(of: source, by: clock)
        }
        emit(time, source, .scanner(state, detail: detail))
        reschedule()
    }

    /// The last command for the scan of a source was refused: it has changed nothing.
    mutating func undoScan(_ source: SourceID, at time: Timestamp) {
        advance(to: time)
        guard let clock = scanners[Int(source.rawValue)].clockBefore else { return }
        scanners[Int(source.rawValue)].clockBefore = nil
        change(source, to: clock, at: time)
    }

    private mutating func change(_ source: SourceID, to clock: ScannerClock, at time: Timestamp) {
        let number = Int(source.rawValue)
        let before = scanners[number].clock
        let wasSaidToBeDeaf = scanners[number].isSaidToBeDeaf
        replaceClock(of: source, by: clock)
        if before.isListening != clock.isListening || before.filtersDuplicates != clock.filtersDuplicates
            || wasSaidToBeDeaf
        {
            let detail = clock.filtersDuplicates ? "the controller filters duplicates" : nil
            emit(time, source, .scanner(clock.isListening ? .listening : .paused, detail: detail))
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
            emit(time, source, .scanner(.listening, detail: nil))
        }
        reschedule()
    }

    /// Tells of scanners that hear nothing any more, and of those whose silence counts again.
    private mutating func tellDeafness(at time: Timestamp) {
        for (number, isDeaf) in scanners.deafnessChanges(at: time) {
            let since = "nothing was heard for \((time - scanners[number].clock.lastReport) / .second) s"
            emit(
                time, SourceID(rawValue: UInt16(number)),
                isDeaf
                    ? .scanner(.deaf, detail: "\(since); the exit times wait")
                    : .scanner(.listening, detail: "\(since); the silence counts again"))
        }
    }

    /// The source has nothing more to say.
    mutating func endSource(_ source: SourceID) {
        guard let now else { return }
        scanners.change(at: now) { scanners in
            scanners[Int(source.rawValue)].clock.set(listening: false, filtersDuplicates: false, at: now)
            scanners[Int(source.rawValue)].isSaidToBeDeaf = false
        }
        emit(now, source, .scanner(.ended, detail: nil))
        reschedule()
    }

    // MARK: Time

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
        ranger.begin(at: time)
        tellRestored()
    }

    /// The input ended: ranging that is due at this very moment still happens.
    mutating func finish() {
        guard let now, ranger.schedule.next == now else { return }
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
            let deafness = scanners.nextDeafness(after: moment)
            let exit = scanners.nextExit(after: moment)
            let determined = nextDetermined()
            let ranging = ranger.schedule.next
            let stale = circles.due ?? .never
            let first = min(min(deafness, stale), min(exit, determined))
            if first <= time, first <= ranging {
                moment = first
                if deafness == first {
                    tellDeafness(at: first)
                } else if exit == first {
                    takeExits(at: first)
                } else if determined == first {
                    determineOutside(at: first)
                } else {
                    tell(circles.advance(to: first))
                }
            } else if ranging < time {
                moment = ranging
                report(at: ranging)
            } else {
                // What is heard until then may bring an exit forward.
                let earliest = min(scanners.earliestExit(after: moment), earliestDetermined())
                nextDue = min(min(deafness, stale), earliest, ranging.due(after: 1))
                return true
            }
        }
    }

    mutating func reschedule() { nextDue = moment }

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
            let extra = beacon.extra(in: structure)
            if extra != nil || location.settings.geotags {
                let geotag = location.settings.geotags ? location.geotag(at: moment) : nil
                let content = Event.Content.annotatedAdvertisement(advertisement, extra: extra, geotag: geotag)
                events.append(Event(time: time, source: source, content))
            } else {
                events.append(Event(time: time, source: source, .advertisement(advertisement)))
            }
        }
        statistics.count(beacon)
        guard case .iBeacon(let frame) = beacon else { return }
        if tracksBeacons {
            sight(frame, rssi: reception.rssi, source, &statistics)
        } else {
            statistics.note(frame.identity)
        }
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
        scanners[number].clock.sight(slot, at: now)
        let isFirst = !table[slot].isKnown
        // A level that can't be one enters no filter.
        let level = rssi.flatMap { $0 < 0 ? $0 : nil }
        let elapsed = now - table[slot].lastSeen
        let listened = scanners.listened(number, at: now)
        table[slot].hear(frame, rssi: level, at: now, listened: listened, scan: scanners[number].clock.scan)
        ranger.sight(slot, rssi: level, after: elapsed, at: now)
        lastSighting = now
        if isFirst {
            arrive(slot, by: monitor.rules(of: table[slot].matches))
        } else if !table[slot].exited.isEmpty {
            arrive(slot, by: table[slot].exited)
        } else {
            if ranger.schedule.next == .never { rearm() }
            // What was learned may shorten the time that is queued; a longer one is found when that comes.
            if settings.learnsExitTimes,
                listened + exitTime(slot, by: ExitRules.ofProfile) < table[slot].queuedDeadline
            {
                queueExit(slot, by: ExitRules.ofProfile)
            }
        }
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
                matches: monitor.matches(identity), lastSeen: moment))
        ranger.begin(slot)
        return slot
    }

    /// A track is present by these rules: their exits are queued, its regions may be entered.
    private mutating func arrive(_ slot: Int, by rules: ExitRules.Set) {
        table[slot].exited = []
        for rule in monitor.rules.all where rules.contains(ExitRules.Set(rule)) { queueExit(slot, by: rule) }
        let track = table[slot]
        for region in monitor.arrive(track.matches, by: rules) {
            let timeout = timeout(slot, by: monitor.rules[region])
            transit(
                region, .enter, to: .inside, by: track.identity, reason: .advertisement,
                BeaconEvidence(
                    lastSeen: track.lastSeen, silence: 0, timeout: timeout.microseconds, basis: timeout.basis,
                    samples: track.presence.sightings, listening: 1))
        }
        rearm()
    }

    private mutating func rearm() {
        ranger.arm(at: moment)
        nextDue = min(nextDue, ranger.schedule.next)
    }

    // MARK: Exits

    /// The silence after which a track has gone by a rule.
    private func timeout(_ slot: Int, by rule: ExitRules.Rule) -> Presence.Timeout {
        rule == ExitRules.ofProfile
            ? settings.timeout(table[slot].presence)
            : Presence.Timeout(seconds: Double(monitor.rules.times[Int(rule)]) / 1e6, basis: .region)
    }

    /// Microseconds of listened silence after which a track has gone by a rule.
    @inline(__always)
    private func exitTime(_ slot: Int, by rule: ExitRules.Rule) -> Int64 { timeout(slot, by: rule).microseconds }

    private func isPresent(_ slot: Int, _ generation: UInt8, by rule: ExitRules.Rule) -> Bool {
        table.isKnown(slot, generation) && !table[slot].exited.contains(ExitRules.Set(rule))
    }

    private mutating func queueExit(_ slot: Int, by rule: ExitRules.Rule) {
        queue(slot, rule, deadline: table[slot].lastHeard + exitTime(slot, by: rule))
    }

    private mutating func queue(_ slot: Int, _ rule: ExitRules.Rule, deadline: Int64) {
        let number = Int(table[slot].source.rawValue)
        if rule == ExitRules.ofProfile { table[slot].queuedDeadline = deadline }
        scanners[number].exits.push(
            ExitQueue.Entry(deadline: deadline, slot: UInt32(slot), rule: rule, generation: table.generation(slot)))
        if hasStarted { nextDue = min(nextDue, scanners.earliestMoment(number, ofListened: deadline, after: moment)) }
    }

    /// What a deadline that has come means. It only says that the beacon was silent when it was set.
    private enum Due {
        /// Of a beacon that is no longer known, or set anew since.
        case outdated
        /// Not before this moment of listened time.
        case later(Int64)
        /// Its silence says nothing.
        case held
        /// Silent for the whole exit time.
        case gone
        /// Gone before, and no longer remembered.
        case forgotten
    }

    private func judge(_ entry: ExitQueue.Entry, of number: Int, listened: Int64) -> Due {
        let slot = Int(entry.slot)
        guard table.isKnown(slot, entry.generation) else { return .outdated }
        let track = table[slot]
        let isOfProfile = entry.rule == ExitRules.ofProfile
        if isOfProfile, track.queuedDeadline != entry.deadline { return .outdated }
        let hasExited = track.exited.contains(ExitRules.Set(entry.rule))
        if hasExited, !isOfProfile { return .outdated }
        guard let begins = scanners[number].clock.silenceBegins(heard: track.lastHeard, scan: track.scan) else {
            return .held
        }
        let deadline = begins + (hasExited ? settings.memory : exitTime(slot, by: entry.rule))
        if deadline > listened { return .later(deadline) }
        return hasExited ? .forgotten : .gone
    }

    /// Takes all deadlines that are due at this moment.
    private mutating func takeExits(at time: Timestamp) {
        var gone: [(slot: Int, rule: ExitRules.Rule)] = []
        for number in scanners.indices where scanners[number].clock.isListening || scanners[number].standIn != nil {
            let listened = scanners.listened(number, at: time)
            while let first = scanners[number].exits.first, first.deadline <= listened {
                scanners[number].exits.popFirst()
                switch judge(first, of: number, listened: listened) {
                case .outdated: break
                case .later(let deadline): queue(Int(first.slot), first.rule, deadline: deadline)
                case .held: hold(first, number)
                case .gone: gone.append((Int(first.slot), first.rule))
                case .forgotten: forget(Int(first.slot))
                }
            }
        }
        if !gone.isEmpty { leave(twins(of: gone, at: time) + gone, reason: .silence, at: time) }
    }

    /// Its silence says nothing until the next scan; the one heard longest ago comes first.
    private mutating func hold(_ entry: ExitQueue.Entry, _ number: Int) {
        var entry = entry
        entry.deadline = table[Int(entry.slot)].lastHeard
        scanners[number].held.push(entry)
    }

    /// Who can't hear has no say: what a listening source has lost, a deaf one does not keep. They come first, so that
    /// the one that listened is seen to decide.
    private func twins(
        of gone: [(slot: Int, rule: ExitRules.Rule)], at time: Timestamp
    ) -> [(slot: Int, rule: ExitRules.Rule)] {
        let deaf = scanners.indices.filter { !scanners.hears($0, at: time) }
        guard !deaf.isEmpty else { return [] }
        var twins: [(slot: Int, rule: ExitRules.Rule)] = []
        for (slot, rule) in gone {
            for number in deaf {
                let twin = table.find(table[slot].identity, SourceID(rawValue: UInt16(number)))
                if let twin, twin != slot { twins.append((twin, rule)) }
            }
        }
        return twins
    }

    /// Tracks are gone by rules: their regions that have no other are left, and who has gone by all is only remembered.
    private mutating func leave(
        _ gone: [(slot: Int, rule: ExitRules.Rule)], reason: RegionTransition.Reason, at time: Timestamp
    ) {
        var left: [(region: Int, slot: Int)] = []
        for (slot, rule) in gone {
            guard table[slot].exited.insert(ExitRules.Set(rule)).inserted else { continue }
            monitor.depart(table[slot].matches, by: rule) { region, isLeft in
                ranger.owe(region)
                if isLeft { left.append((region, slot)) }
            }
        }
        for (region, slot) in left.sorted(by: { $0.region < $1.region }) {
            transit(
                region, .exit, to: .outside, by: table[slot].identity, reason: reason,
                silence(of: slot, by: monitor.rules[region], at: time))
        }
        let wholly = gone.filter { table[$0.slot].exited == monitor.rules(of: table[$0.slot].matches) }
        for slot in Set(wholly.map(\.slot)).sorted() { remember(slot) }
        rearm()
    }

    /// What the exit of a track rests on.
    private func silence(of slot: Int, by rule: ExitRules.Rule, at time: Timestamp) -> BeaconEvidence {
        let track = table[slot]
        let number = Int(track.source.rawValue)
        let listened = scanners.listened(number, at: time)
        let begins = scanners[number].clock.silenceBegins(heard: track.lastHeard, scan: track.scan) ?? track.lastHeard
        let elapsed = time - track.lastSeen
        let timeout = timeout(slot, by: rule)
        return BeaconEvidence(
            lastSeen: track.lastSeen, silence: listened - begins, timeout: timeout.microseconds, basis: timeout.basis,
            samples: track.presence.sightings,
            listening: elapsed > 0 ? Double(listened - track.lastHeard) / Double(elapsed) : 1)
    }

    /// A track has gone. What was learned of it is kept while its silence could still prove to be a gap.
    private mutating func remember(_ slot: Int) {
        let deadline = table[slot].lastHeard + settings.memory
        guard deadline > scanners.listened(Int(table[slot].source.rawValue), at: moment) else { return forget(slot) }
        queue(slot, ExitRules.ofProfile, deadline: deadline)
    }

    private mutating func forget(_ slot: Int) {
        table.remove(slot)
        if table.slots == 0 { ranger.removeAll() }
    }

    /// Makes room: the beacon whose exit would come first goes now.
    private mutating func evict() {
        while true {
            let waiting = scanners.indices.filter { scanners[$0].exits.first != nil }
            let next = waiting.min {
                scanners[$0].exits.first!.deadline - scanners.listened($0, at: moment)
                    < scanners[$1].exits.first!.deadline - scanners.listened($1, at: moment)
            }
            guard let number = next, let first = scanners[number].exits.popFirst() else { break }
            switch judge(first, of: number, listened: first.deadline) {
            case .outdated: break
            case .later(let deadline): queue(Int(first.slot), first.rule, deadline: deadline)
            case .held: hold(first, number)
            case .gone, .forgotten: return evict(Int(first.slot))
            }
        }
        // Only beacons whose silence says nothing are left.
        for number in scanners.indices {
            while let entry = scanners[number].held.popFirst() {
                if table.isKnown(Int(entry.slot), entry.generation) { return evict(Int(entry.slot)) }
            }
        }
    }

    private mutating func evict(_ slot: Int) {
        let present = monitor.rules(of: table[slot].matches).subtracting(table[slot].exited)
        let rules = monitor.rules.all.filter { present.contains(ExitRules.Set($0)) }
        let generation = table.generation(slot)
        leave(rules.map { (slot, $0) }, reason: .capacity, at: moment)
        if table.isKnown(slot, generation) { forget(slot) }
    }

    // MARK: Regions

    /// Listened time by which a region with a rule is outside if no beacon of it was heard.
    private func firstExitTime(_ rule: ExitRules.Rule) -> Int64 {
        rule == ExitRules.ofProfile ? settings.firstExitTime : monitor.rules.times[Int(rule)]
    }

    /// When a region is found to be outside, if nothing more is heard.
    private func nextDetermined() -> Timestamp {
        undeterminedTimes.reduce(.never) { min($0, scanners.moment(ofListenedByAny: $1, after: moment)) }
    }

    /// Before this moment no region can be found to be outside.
    private func earliestDetermined() -> Timestamp {
        undeterminedTimes.reduce(.never) { min($0, scanners.earliestMoment(ofListenedByAny: $1, after: moment)) }
    }

    private var undeterminedTimes: [Int64] { monitor.rules.all.filter(monitor.isUndetermined).map(firstExitTime) }

    /// A whole exit time of listening without a beacon: who is not inside, or only was in an earlier run, is outside.
    private mutating func determineOutside(at time: Timestamp) {
        let (listened, share) = scanners.listenedByAny(at: time)
        let due = monitor.rules.all.filter { firstExitTime($0) <= listened }
        for region in due.flatMap(monitor.undetermined).sorted() {
            let rule = monitor.rules[region]
            transit(
                region, monitor.state(of: region) == .inside ? .exit : .determined, to: .outside, by: nil,
                reason: .silence,
                BeaconEvidence(
                    lastSeen: nil, silence: listened, timeout: firstExitTime(rule),
                    basis: rule == ExitRules.ofProfile ? .profile : .region, samples: 0, listening: share))
        }
    }

    private mutating func transit(
        _ region: Int, _ transition: RegionTransition.Transition, to state: RegionState, by: BeaconIdentity?,
        reason: RegionTransition.Reason, _ evidence: BeaconEvidence
    ) {
        let from = monitor.change(region, to: state)
        emit(
            moment, nil,
            .region(
                RegionTransition(
                    region: region, transition: transition, state: state, from: from, by: by, reason: reason,
                    evidence: .beacon(evidence), geotag: location.geotag(at: moment))))
    }

    // MARK: The bus

    private mutating func report(at time: Timestamp) {
        // Beacons that are known but not heard, because nothing can be heard or duplicates are filtered, would be
        // reported for ever.
        let longest = max(settings.profile.exitTime, settings.memory, monitor.rules.times.max()!)
        let reports = ranger.report(
            at: time, isIdle: time - lastSighting > longest, &table, monitor, scanners.clocks)
        let geotag = location.settings.geotags ? location.geotag(at: time) : nil
        for var ranging in reports {
            ranging.geotag = geotag
            emit(time, nil, .ranging(ranging))
        }
    }

    mutating func emit(_ time: Timestamp, _ source: SourceID?, _ content: Event.Content) {
        let event = Event(time: time, source: source, content)
        if wanted.contains(EventKinds(event.kind)) { events.append(event) }
    }
}
