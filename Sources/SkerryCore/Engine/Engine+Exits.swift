// What was not heard: beacons go, and regions are left.
extension Engine {
    /// The silence after which a track has gone by a rule.
    func timeout(_ slot: Int, by rule: ExitRules.Rule) -> Presence.Timeout {
        rule == ExitRules.ofProfile
            ? settings.timeout(table[slot].presence)
            : Presence.Timeout(seconds: Double(monitor.rules.times[Int(rule)]) / 1e6, basis: .region)
    }

    /// Microseconds of listened silence after which a track has gone by a rule.
    @inline(__always)
    func exitTime(_ slot: Int, by rule: ExitRules.Rule) -> Int64 { timeout(slot, by: rule).microseconds }

    func isPresent(_ slot: Int, _ generation: UInt8, by rule: ExitRules.Rule) -> Bool {
        table.isKnown(slot, generation) && !table[slot].exited.contains(ExitRules.Set(rule))
    }

    mutating func queueExit(_ slot: Int, by rule: ExitRules.Rule) {
        queue(slot, rule, deadline: table[slot].lastHeard + exitTime(slot, by: rule))
    }

    mutating func queue(_ slot: Int, _ rule: ExitRules.Rule, deadline: Int64) {
        let number = Int(table[slot].source.rawValue)
        if rule == ExitRules.ofProfile { table[slot].queuedDeadline = deadline }
        scanners[number].exits.push(
            ExitQueue.Entry(deadline: deadline, slot: UInt32(slot), rule: rule, generation: table.generation(slot)))
        if scanners[number].exits.isOvergrown { removeOutdatedExits(of: number) }
        if hasStarted { nextDue = min(nextDue, scanners.earliestMoment(number, ofListened: deadline, after: moment)) }
    }

    private mutating func removeOutdatedExits(of number: Int) {
        // Taken out, so that it can be changed while all else is asked.
        var exits = ExitQueue()
        swap(&exits, &scanners[number].exits)
        exits.removeAll(where: isOutdated)
        scanners[number].exits = exits
    }

    /// Whether an entry is of a beacon that is no longer known or has exited, or was replaced by another.
    private func isOutdated(_ entry: ExitQueue.Entry) -> Bool {
        let slot = Int(entry.slot)
        guard table.isKnown(slot, entry.generation) else { return true }
        if entry.rule == ExitRules.ofProfile { return table[slot].queuedDeadline != entry.deadline }
        return table[slot].exited.contains(ExitRules.Set(entry.rule))
    }

    /// What a deadline that has come means. It only says that the beacon was silent when it was set.
    private enum Due {
        /// Nothing any more.
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
        guard !isOutdated(entry) else { return .outdated }
        let slot = Int(entry.slot)
        let track = table[slot]
        let hasExited = track.exited.contains(ExitRules.Set(entry.rule))
        guard let begins = scanners[number].clock.silenceBegins(heard: track.lastHeard, scan: track.scan) else {
            return .held
        }
        let deadline = begins + (hasExited ? settings.memory : exitTime(slot, by: entry.rule))
        if deadline > listened { return .later(deadline) }
        return hasExited ? .forgotten : .gone
    }

    /// Takes all deadlines that are due at this moment.
    mutating func takeExits(at time: Timestamp) {
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

    /// What a listening source has heard and lost, one that can't hear does not keep. What only that one has heard waits
    /// for it, but not for ever (`Scanners.longestAbsence`). They come first, so that the one that listened is seen to decide.
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
        for slot in Set(wholly.map(\.slot)).sorted() {
            if reason == .capacity { forget(slot) } else { remember(slot) }
        }
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
        guard table.slots == 0 else { return }
        ranger.removeAll()
        for number in scanners.indices {
            scanners[number].exits = ExitQueue()
            scanners[number].held = ExitQueue()
        }
    }

    /// Makes room: the beacon whose exit would come first goes now.
    mutating func evict() {
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

    mutating func evict(_ slot: Int) {
        let present = monitor.rules(of: table[slot].matches).subtracting(table[slot].exited)
        let rules = monitor.rules.all.filter { present.contains(ExitRules.Set($0)) }
        let generation = table.generation(slot)
        leave(rules.map { (slot, $0) }, reason: .capacity, at: moment)
        if table.isKnown(slot, generation) { forget(slot) }
    }
}
