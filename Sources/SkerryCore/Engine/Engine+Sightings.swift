// What was heard: beacons become known, and regions are entered.
extension Engine {
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

    mutating func rearm() {
        ranger.arm(at: moment)
        nextDue = min(nextDue, ranger.schedule.next)
    }
}
