/// Everything that is decided: what is near, which regions are entered and left. A plain value on virtual time.
///
/// Inputs are told to it in order of time; it never asks what time it is. What it decides is appended to `events`, the
/// one bus that all outputs read. At one instant the order is: exits that are due, the input's own event, the region
/// transitions it causes, ranging.
public struct Engine {
    /// What happened since the bus was last drained.
    public internal(set) var events: [Event] = []
    /// The engine's clock; it never decreases. `nil` before the first record.
    public var now: Timestamp? { hasStarted ? moment : nil }

    /// So many events are let pile up on the bus before it must be drained; 1 where any may be the last one that is wanted.
    public var batch = 128

    let settings: ProximitySettings
    let wanted: EventKinds
    /// Whether some event that is wanted depends on which beacons are known and since when.
    let tracksBeacons: Bool

    var table: BeaconTable
    var monitor: RegionMonitor
    var ranger: Ranger
    /// By number of the source.
    var scanners = Scanners()
    /// When any beacon was heard last.
    var lastSighting = Timestamp.earliest
    /// Nothing is due before this moment; the first record is.
    var nextDue = Timestamp.earliest
    var hasStarted = false
    var moment = Timestamp.earliest
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

    /// The machine slept for so many microseconds, or sources could not hear: nothing was heard and nothing reported, and no
    /// beacon is the more gone. Places grew old.
    ///
    /// - Parameter sources: Those that could not hear; `nil` for all.
    mutating func sleep(for span: Int64, _ sources: [SourceID]? = nil) {
        guard hasStarted else { return }
        scanners.sleep(from: moment, for: span, sources?.map { Int($0.rawValue) } ?? Array(scanners.indices))
        moment = moment + span
        ranger.skip(to: moment)
        tell(circles.advance(to: moment))
        reschedule()
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
            if events.count >= batch { return false }
            let deafness = scanners.nextDeafness(after: moment)
            let exit = scanners.nextExit(after: moment)
            let determined = nextDetermined()
            let ranging = ranger.schedule.next
            let stale = circles.due ?? .never
            let absence = scanners.nextAbsence(after: moment)
            let first = min(min(deafness, stale), min(exit, determined), absence)
            if first <= time, first <= ranging {
                moment = first
                if deafness == first {
                    tellDeafness(at: first)
                } else if exit == first {
                    takeExits(at: first)
                } else if determined == first {
                    determineOutside(at: first)
                } else if absence == first {
                    scanners.change(at: first) { _ in }
                } else {
                    tell(circles.advance(to: first))
                }
            } else if ranging < time {
                moment = ranging
                report(at: ranging)
            } else {
                // What is heard until then may bring an exit forward.
                let earliest = min(scanners.earliestExit(after: moment), earliestDetermined())
                nextDue = min(min(deafness, stale), min(earliest, absence), ranging.due(after: 1))
                return true
            }
        }
    }

    mutating func reschedule() { nextDue = moment }

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
