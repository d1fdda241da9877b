/// Which circular regions are entered and left: every circle's state, and the fixes that change it.
///
/// A change wants `confirmations` fixes in a row, each with its whole accuracy on the other side of the border. Who
/// drives straight through between two fixes enters and leaves at the second. A circle of which nothing is known is
/// determined by the first fix that says anything; that is no entry.
///
/// Circles that are at rest, outside and far away, cost nothing: an index finds those that a fix comes near.
struct CircleMonitor {
    /// Metres by which a geodesic of the longest line rises above the straight line between its ends.
    private static let rise = 1.0

    /// What is monitored.
    let circles: [CircularRegion]
    private let settings: CircleSettings
    /// `nil` where there are no circles.
    private var index: CircleIndex?
    /// By number of the circle.
    private var current: [RegionState]
    /// Circles of which nothing is known, by rising number.
    private var undetermined: [Int32]
    /// Circles that are not at rest, by rising number.
    private var watches: [CircleWatch] = []
    /// By number of the circle.
    private var isWatched: [Bool]
    private var rising = RisingTime()
    /// The last fix that is good enough for all circles: of every circle at rest the last that said it is outside.
    private var previous: TrackPoint?
    /// When the states become unknown if no fix comes, on the clock of `moment`s; `nil` where they don't.
    private(set) var due: Timestamp?
    /// Changes of states so far, also of those that are not told.
    private(set) var changes: UInt64 = 0

    /// - Precondition: The settings allow each circle, and no two have the same name.
    init(_ circles: [CircularRegion], settings: CircleSettings = CircleSettings()) {
        precondition(circles.allSatisfy(settings.allows))
        self.circles = circles
        self.settings = settings
        if !circles.isEmpty {
            index = CircleIndex(
                circles.enumerated().map { number, region in
                    CircleIndex.Entry(
                        circle: Int32(number), centre: GeocentricPoint(region.centre),
                        reach: region.radius + region.margin(horizontalAccuracy: .infinity))
                })
        }
        current = Array(repeating: .unknown, count: circles.count)
        undetermined = circles.indices.map(Int32.init)
        isWatched = Array(repeating: false, count: circles.count)
    }

    // MARK: States

    /// The state of a circle.
    func state(of circle: Int) -> RegionState { current[circle] }

    /// All states by name of the circle, to be kept for the next run. What is set makes no change known; circles that
    /// are left out are not determined, and names of other circles are passed over.
    var states: [String: RegionState] {
        get { Dictionary(zip(circles.map(\.name), current)) { $1 } }
        set {
            forgetStates()
            undetermined = []
            for (circle, region) in circles.enumerated() {
                switch newValue[region.name] ?? .unknown {
                case .unknown: undetermined.append(Int32(circle))
                case .inside: watch(CircleWatch(circle, .inside, agreed: nil))
                case .outside: current[circle] = .outside
                }
            }
        }
    }

    private mutating func forgetStates() {
        current = Array(repeating: .unknown, count: circles.count)
        isWatched = Array(repeating: false, count: circles.count)
        undetermined = circles.indices.map(Int32.init)
        watches = []
        previous = nil
        due = nil
    }

    /// The clock of `moment`s begins: states that were set grow old from now on.
    mutating func begin(at moment: Timestamp) {
        guard let staleness = settings.staleness, current.contains(where: { $0 != .unknown }) else { return }
        due = moment.due(after: Int64(staleness * 1e6))
    }

    /// Tells what falls due until this moment: after a long silence, no state is known any more.
    mutating func advance(to moment: Timestamp) -> [RegionTransition] {
        guard let due, due <= moment else { return [] }
        let evidence = CircleEvidence(distance: nil, horizontalAccuracy: nil, confirmations: 0, crossedAt: nil)
        let changes = circles.indices.filter { current[$0] != .unknown }.map { circle in
            RegionTransition(
                region: circle, transition: .determined, state: .unknown, from: current[circle], reason: .silence,
                evidence: .circle(evidence))
        }
        self.changes += UInt64(changes.count)
        forgetStates()
        return changes
    }

    // MARK: Fixes

    /// Takes a fix.
    ///
    /// One without a time, with an accuracy that is negative or not finite, or not newer than the last one says
    /// nothing. After a correction of the receiver's clock (`RisingTime`), no confirmations are left from before.
    ///
    /// - Parameter moment: Now, on the clock of `due`, which does not go back.
    /// - Returns: What changed, in order of the circles; `region` is the circle's number.
    mutating func observe(_ fix: Fix, at moment: Timestamp) -> [RegionTransition] {
        guard let time = fix.time, fix.horizontalAccuracy >= 0, fix.horizontalAccuracy.isFinite else {
            return []
        }
        var changes = advance(to: moment)
        switch rising.observe(time) {
        case .newer: break
        case .overtaken: return changes
        case .corrected: forgetFixes()
        }
        due = settings.staleness.map { moment.due(after: Int64($0 * 1e6)) }
        let point = TrackPoint(fix, at: time)
        watchCircles(near: point)
        let determined = changes.count
        determine(by: point, &changes)
        let changed = changes.count
        judge(point, &changes)
        if determined < changed, changed < changes.count { changes[determined...].sort(by: Self.isEarlier) }
        if point.horizontalAccuracy <= CircularRegion.accuracyForAll { previous = point }
        return changes
    }

    private mutating func forgetFixes() {
        previous = nil
        for number in watches.indices { watches[number].forgetFixes() }
    }

    /// By number of the circle; of one circle, the entry before the exit.
    private static func isEarlier(_ a: RegionTransition, _ b: RegionTransition) -> Bool {
        a.region != b.region ? a.region < b.region : a.transition == .enter && b.transition == .exit
    }

    private mutating func watch(_ watch: CircleWatch) {
        watches.append(watch)
        isWatched[watch.circle] = true
        current[watch.circle] = watch.state
    }

    /// Circles at rest whose state the fix, or the line to it, may change are at rest no more.
    private mutating func watchCircles(near point: TrackPoint) {
        var start = point
        if settings.trustsLines, let previous, point.uncertainty(ofLineFrom: previous) != nil { start = previous }
        var near: [Int] = []
        index?.forEach(nearLineFrom: start.geocentric, to: point.geocentric, margin: Self.rise) { circle, distance in
            guard current[circle] == .outside, !isWatched[circle] else { return }
            let (region, accuracy) = (circles[circle], point.horizontalAccuracy)
            guard region.accepts(horizontalAccuracy: accuracy),
                distance <= region.radius + region.margin(horizontalAccuracy: accuracy) + Self.rise
            else { return }
            near.append(circle)
        }
        guard !near.isEmpty else { return }
        for circle in near { watch(CircleWatch(circle, .outside, agreed: previous.flatMap { agreed($0, circle) })) }
        watches.sort { $0.circle < $1.circle }
    }

    /// A fix and its distance, if it says that a circle is outside.
    private func agreed(_ point: TrackPoint, _ circle: Int) -> (TrackPoint, distance: Double)? {
        let region = circles[circle]
        let distance = point.coordinate.distance(to: region.centre)
        let said = region.state(distance: distance, horizontalAccuracy: point.horizontalAccuracy)
        return said == .outside ? (point, distance) : nil
    }

    /// Lets watched circles judge a fix, and those that are at rest then go.
    private mutating func judge(_ point: TrackPoint, _ changes: inout [RegionTransition]) {
        var kept = 0
        for number in watches.indices {
            let circle = watches[number].circle
            let region = circles[circle]
            if region.accepts(horizontalAccuracy: point.horizontalAccuracy) {
                watches[number].observe(point, region, settings, changes: &changes)
                if current[circle] != watches[number].state { self.changes += 1 }
                current[circle] = watches[number].state
            }
            if watches[number].isAtRest {
                isWatched[circle] = false
            } else {
                watches.swapAt(kept, number)
                kept += 1
            }
        }
        watches.removeLast(watches.count - kept)
    }

    /// Circles of which nothing was known: the first fix that says something sets the state.
    private mutating func determine(by point: TrackPoint, _ changes: inout [RegionTransition]) {
        guard !undetermined.isEmpty else { return }
        var left: [Int32] = []
        var isWatchAdded = false
        for number in undetermined {
            let circle = Int(number)
            let (region, accuracy) = (circles[circle], point.horizontalAccuracy)
            guard region.accepts(horizontalAccuracy: accuracy) else {
                left.append(number)
                continue
            }
            let distance = point.coordinate.distance(to: region.centre)
            let said = region.state(distance: distance, horizontalAccuracy: accuracy)
            guard said != .unknown else {
                left.append(number)
                continue
            }
            let evidence = CircleEvidence(distance: distance, horizontalAccuracy: accuracy, confirmations: 1)
            changes.append(
                RegionTransition(
                    region: circle, transition: .determined, state: said, from: .unknown, reason: .location,
                    evidence: .circle(evidence)))
            current[circle] = said
            self.changes += 1
            if said == .inside { watch(CircleWatch(circle, .inside, agreed: nil)) }
            isWatchAdded = isWatchAdded || said == .inside
        }
        undetermined = left
        if isWatchAdded { watches.sort { $0.circle < $1.circle } }
    }
}
