/// A circle whose state the next fix may change wherever it lies: one that is inside, near which the last fixes were, or
/// whose change wants confirming.
///
/// A fix says inside where the whole of its accuracy lies in the circle, outside where none of it does, else nothing.
/// What says nothing, or what the state says already, ends a series of confirmations.
struct CircleWatch {
    /// So many fixes near a circle, and who goes through is no fast mover whose way must be guessed.
    private static let mostBetween = 8

    /// The circle's number.
    let circle: Int
    /// Inside or outside.
    private(set) var state: RegionState
    /// The last fix that said what the state says and is good enough for every circle, and its distance to the centre.
    private var agreed: (point: TrackPoint, distance: Double)?
    /// The fixes since then, of a circle that is outside.
    private var since: [TrackPoint] = []
    /// The fixes in a row that said the opposite: how many, and of the first its time and distance.
    private var pending: (count: Int, time: Timestamp, distance: Double)?
    /// Whether nothing but a fix near the circle can change the state.
    private(set) var isAtRest = false

    /// A circle whose state is known.
    ///
    /// - Parameter agreed: The last fix, if it said what the state says.
    init(_ circle: Int, _ state: RegionState, agreed: (TrackPoint, distance: Double)?) {
        self.circle = circle
        self.state = state
        self.agreed = agreed
    }

    /// Takes a fix that is good enough for the circle.
    mutating func observe(
        _ point: TrackPoint, _ region: CircularRegion, _ settings: CircleSettings,
        changes: inout [RegionTransition]
    ) {
        let distance = point.coordinate.distance(to: region.centre)
        isAtRest = false
        let said = region.state(distance: distance, horizontalAccuracy: point.horizontalAccuracy)
        if said != .outside, state == .outside, since.count <= Self.mostBetween { since.append(point) }
        if said == state {
            if said == .outside, settings.trustsLines { pass(through: region, to: point, distance, &changes) }
            agree(point, distance)
        } else if said == .unknown {
            pending = nil
        } else {
            let first = pending.map { ($0.time, $0.distance) } ?? (point.time, distance)
            let count = (pending?.count ?? 0) + 1
            pending = (count, first.0, first.1)
            guard count >= settings.confirmations, Double(point.time - first.0) / 1e6 >= settings.dwell else { return }
            let evidence = CircleEvidence(
                distance: distance, horizontalAccuracy: point.horizontalAccuracy, confirmations: count,
                crossedAt: crossing(of: region, before: first))
            change(to: said, region, evidence, &changes)
            agreed = nil
            agree(point, distance)
        }
    }

    /// The clock of the receiver was corrected: what it said before is not before what it says now.
    mutating func forgetFixes() {
        agreed = nil
        since = []
        pending = nil
    }

    private mutating func agree(_ point: TrackPoint, _ distance: Double) {
        if point.horizontalAccuracy <= CircularRegion.accuracyForAll {
            agreed = (point, distance)
            isAtRest = state == .outside
        }
        since = []
        pending = nil
    }

    /// When the border was crossed, if the distance changed evenly between the last fix on one side and the first on
    /// the other.
    private func crossing(of region: CircularRegion, before first: (time: Timestamp, distance: Double)) -> Timestamp? {
        guard let agreed else { return nil }
        let gap = Double(first.time - agreed.point.time)
        guard gap <= TrackPoint.longestGap * 1e6 else { return nil }
        let share = (region.radius - agreed.distance) / (first.distance - agreed.distance)
        return agreed.point.time + Int64(share * gap)
    }

    /// Both ends of a line lie outside. If it leads through the circle all the same, the circle was entered and left.
    private mutating func pass(
        through region: CircularRegion, to point: TrackPoint, _ distance: Double, _ changes: inout [RegionTransition]
    ) {
        guard let agreed, since.count <= Self.mostBetween,
            let uncertainty = point.uncertainty(ofLineFrom: agreed.point, by: since)
        else { return }
        let length = agreed.point.coordinate.distance(to: point.coordinate)
        guard length > 0,
            let crossing = LineCrossing(
                radius: region.radius, start: agreed.distance, end: distance, length: length),
            crossing.nearest + uncertainty <= region.radius
        else { return }
        let (begin, gap) = (agreed.point.time, Double(point.time - agreed.point.time))
        let worse = max(agreed.point.horizontalAccuracy, point.horizontalAccuracy)
        var evidence = CircleEvidence(
            distance: crossing.nearest, horizontalAccuracy: worse, confirmations: 2,
            crossedAt: begin + Int64(crossing.entry * gap))
        change(to: .inside, region, evidence, &changes)
        evidence.distance = distance
        evidence.horizontalAccuracy = point.horizontalAccuracy
        evidence.crossedAt = begin + Int64(crossing.exit * gap)
        change(to: .outside, region, evidence, &changes)
    }

    private mutating func change(
        to new: RegionState, _ region: CircularRegion, _ evidence: CircleEvidence, _ changes: inout [RegionTransition]
    ) {
        if new == .inside ? region.notifyOnEntry : region.notifyOnExit {
            changes.append(
                RegionTransition(
                    region: circle, transition: new == .inside ? .enter : .exit, state: new, from: state,
                    reason: .location, evidence: .circle(evidence)))
        }
        state = new
    }
}
