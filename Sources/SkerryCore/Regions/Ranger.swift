/// Makes the ranging reports: once a second, what is known of the beacons of each region.
struct Ranger {
    private let settings: ProximitySettings
    private let isWanted: Bool
    private var estimators: Estimators
    private(set) var schedule: RangingSchedule
    /// Regions that lost a beacon since the last report and owe one without it.
    private var owed: Set<Int> = []

    /// - Parameter isWanted: Whether anybody asks how near beacons are; if not, nothing is kept.
    init(_ settings: ProximitySettings, isWanted: Bool) {
        self.settings = settings
        self.isWanted = isWanted
        estimators = Estimators(settings)
        schedule = RangingSchedule(isWanted: isWanted)
    }

    // MARK: What is heard

    /// The first record.
    mutating func begin(at time: Timestamp) { schedule.begin(at: time) }

    /// A slot is taken by a beacon that was not known.
    mutating func begin(_ slot: Int) { if isWanted { estimators.begin(slot) } }

    /// Takes in a sighting.
    ///
    /// - Parameters:
    ///   - rssi: dBm, below zero; `nil` where the level is unknown.
    ///   - elapsed: Microseconds since the sighting before.
    @inline(__always)
    mutating func sight(_ slot: Int, rssi: Int8?, after elapsed: Int64, at time: Timestamp) {
        if isWanted { estimators.sight(slot, rssi: rssi, after: elapsed, at: time) }
    }

    /// There is something to report.
    mutating func arm(at time: Timestamp) { schedule.arm(at: time) }

    /// Reports that were due before `time` are left out.
    mutating func skip(to time: Timestamp) { schedule.skip(to: time) }

    /// A region lost a beacon.
    mutating func owe(_ region: Int) { owed.insert(region) }

    /// No beacon is known any more.
    mutating func removeAll() { estimators.removeAll() }

    // MARK: Reports

    /// The reports that are due, in order of the regions.
    ///
    /// - Parameters:
    ///   - isIdle: Whether no beacon was heard for so long that nothing new can be reported.
    ///   - clocks: By number of the source.
    mutating func report(
        at time: Timestamp, isIdle: Bool, _ table: inout BeaconTable, _ monitor: RegionMonitor,
        _ clocks: [ScannerClock]
    ) -> [Ranging] {
        schedule.reported(at: time)
        if owed.isEmpty, isIdle {
            schedule.stop()
            return []
        }
        var nearest: [Int: NearestBeacons] = [:]
        for region in owed { nearest[region] = NearestBeacons() }
        owed = []
        for slot in 0..<table.slots where table[slot].isKnown {
            guard clocks.count > 1 else {
                add(slot, table, monitor, clocks, time) { nearest[$0, default: NearestBeacons()].add($1) }
                continue
            }
            // One beacon as several sources hear it is one; the first of its tracks stands for all.
            let tracks = table.tracks(of: table[slot].identity, sources: clocks.count)
            guard tracks[0] == slot else { continue }
            var beacons: [Int: RangedBeacon] = [:]
            for slot in tracks {
                add(slot, table, monitor, clocks, time) { beacons[$0] = beacons[$0]?.nearer($1) ?? $1 }
            }
            for (region, beacon) in beacons { nearest[region, default: NearestBeacons()].add(beacon) }
        }
        for slot in 0..<table.slots { table[slot].beginInterval() }
        if monitor.present == 0 { schedule.stop() }
        return nearest.sorted { $0.key < $1.key }.map { region, nearest in
            let (beacons, omitted) = nearest.finish()
            return Ranging(region: region, beacons: beacons, omitted: omitted)
        }
    }

    /// Gives a track to each region that it is present in.
    @inline(__always)
    private mutating func add(
        _ slot: Int, _ table: borrowing BeaconTable, _ monitor: borrowing RegionMonitor, _ clocks: [ScannerClock],
        _ time: Timestamp, _ body: (Int, RangedBeacon) -> Void
    ) {
        let track = table[slot]
        var beacon: RangedBeacon?
        monitor.forEachRegion(of: track) { region in
            let known = beacon ?? ranged(track, slot, clocks[Int(track.source.rawValue)], time)
            beacon = known
            body(region, known)
        }
    }

    private mutating func ranged(_ track: Track, _ slot: Int, _ clock: ScannerClock, _ time: Timestamp) -> RangedBeacon
    {
        let isImplausible = track.measuredPower > -20
        let power = isImplausible ? settings.defaultMeasuredPower : track.measuredPower
        var ranged = RangedBeacon(
            identity: track.identity, proximity: .unknown, accuracy: nil, rssi: nil, samples: track.heardInInterval,
            lastSeen: track.lastSeen, measuredPower: power, hasImplausibleMeasuredPower: isImplausible)
        if track.levelsInInterval > 0 { ranged.rssi = Double(track.levelSum) / Double(track.levelsInInterval) }
        guard isCurrent(track, clock, time),
            let estimate = estimators.look(slot, measuredPower: Double(power), at: time)
        else { return ranged }
        ranged.accuracy = estimate.distance
        ranged.spread = estimate.spread
        ranged.proximity = estimate.proximity
        return ranged
    }

    /// Whether what is known of a beacon's distance still holds: heard in the interval; by the adaptive rules, silent for
    /// less than ten seconds of listening, or less than that in all while its source can't hear.
    private func isCurrent(_ track: Track, _ clock: ScannerClock, _ time: Timestamp) -> Bool {
        guard settings.profile == .adaptive, track.heardInInterval == 0 else { return track.heardInInterval > 0 }
        let hears = clock.isListening && !clock.isDeaf(at: time)
        let silence = hears ? clock.listened(at: time) - track.lastHeard : time - track.lastSeen
        return silence < min(Profile.patience, Int64(settings.timeout(track.presence).seconds * 1e6))
    }
}
