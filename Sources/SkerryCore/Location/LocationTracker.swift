/// What is known of the place and of the direction, and what of it is worth an event.
///
/// The filters only say what becomes an event; geotags and guidance rest on all that is known.
struct LocationTracker {
    let settings: LocationSettings
    // As last known, with the moment of the measurement.
    private var fix: (fix: Fix, moment: Timestamp)?
    private var heading: (heading: Heading, moment: Timestamp)?
    /// The last fix of an earlier run. It is told with its age, but shows no way.
    private var earlierFix: (fix: Fix, moment: Timestamp)?
    private var filter: LocationFilter
    private var guidance: Guidance?
    private var compasses: [(source: SourceID, device: String?, compass: Compass)] = []

    /// More compasses than anybody has; what comes beyond counts as the last one.
    private static let mostCompasses = 64
    /// Microseconds; what a receiver dates further back was measured when it came: its clock is wrong.
    private static let oldest = 86_400 * Int64.second

    init(_ settings: LocationSettings) {
        self.settings = settings
        filter = settings.filter
        guidance = settings.destination.map { Guidance(to: $0, arrivalRadius: settings.arrivalRadius) }
    }

    /// The last fix, of this run or an earlier one, with the moment of its measurement.
    var lastKnown: (fix: Fix, moment: Timestamp)? { fix ?? earlierFix }

    /// Takes up the last fix of an earlier run, which has a time.
    mutating func restore(_ fix: Fix) { earlierFix = fix.time.map { (fix, $0) } }

    /// The engine's clock begins. A fix of an earlier run that lies ahead is of another clock, and nothing is known of its
    /// age.
    mutating func begin(at moment: Timestamp) {
        if let earlierFix, earlierFix.moment > moment { self.earlierFix = nil }
    }

    /// Takes in a fix.
    ///
    /// - Parameters:
    ///   - time: When it was measured.
    ///   - now: The engine's clock.
    /// - Returns: Whether it is worth an event.
    mutating func observe(_ fix: Fix, measured time: Timestamp, at now: Timestamp) -> Bool {
        self.fix = (fix, Self.moment(of: time, now))
        return filter.passes(fix, at: now)
    }

    /// Takes in a reading of a compass, which has its declination from the last fix.
    mutating func observe(
        _ reading: CompassReading, device: String?, from source: SourceID, measured time: Timestamp, at now: Timestamp
    ) -> Compass.Outcome {
        let place = compass(device, source)
        let outcome = compasses[place].compass.observe(
            reading, at: time, position: lastKnown?.fix.coordinate,
            altitude: lastKnown?.fix.ellipsoidalAltitude)
        if let latest = outcome.latest { heading = (latest, Self.moment(of: time, now)) }
        return outcome
    }

    /// The way to the destination from the last place; `nil` without either.
    ///
    /// - Parameter isWorthTelling: Whether what led to it is; arrival always is.
    mutating func guide(isWorthTelling: Bool) -> Guidance.Step? {
        guard let fix = fix?.fix else { return nil }
        // A heading without an accuracy is not to be used.
        let known = heading.flatMap { $0.heading.headingAccuracy == nil ? nil : $0.heading.trueHeading }
        let step = guidance?.observe(
            position: fix.coordinate, horizontalAccuracy: fix.horizontalAccuracy, trueHeading: known)
        return step.flatMap { isWorthTelling || $0.isArrival ? $0 : nil }
    }

    /// Where the device is; `nil` where nothing is known.
    func geotag(at now: Timestamp) -> Geotag? {
        guard lastKnown != nil || heading != nil else { return nil }
        return Geotag(
            location: lastKnown.map { ($0.fix, max(now - $0.moment, 0)) },
            heading: heading.map { ($0.heading, max(now - $0.moment, 0)) })
    }

    private static func moment(of time: Timestamp, _ now: Timestamp) -> Timestamp {
        now - time <= oldest ? time : now
    }

    private mutating func compass(_ device: String?, _ source: SourceID) -> Int {
        if let known = compasses.firstIndex(where: { $0.source == source && $0.device == device }) { return known }
        if compasses.count < Self.mostCompasses { compasses.append((source, device, Compass(settings.compass))) }
        return compasses.count - 1
    }
}
