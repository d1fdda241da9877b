/// The nearest beacons of a report, of any number.
struct NearestBeacons {
    /// Whether a beacon may come twice, as two sources hear it.
    private let hasTwins: Bool
    private var beacons: [RangedBeacon] = []
    private var omitted = 0
    /// Beyond it nothing need be kept.
    private var farthest: RangedBeacon?

    init(hasTwins: Bool) { self.hasTwins = hasTwins }

    mutating func add(_ beacon: RangedBeacon) {
        if let farthest, !beacon.isNearer(than: farthest) {
            omitted += 1
            return
        }
        beacons.append(beacon)
        // Where a beacon comes twice, all are wanted to tell when it was heard last.
        if !hasTwins, beacons.count == 2 * Ranging.limit { cut() }
    }

    /// Nearest first, and how many are left out.
    func finish() -> (beacons: [RangedBeacon], omitted: Int) {
        var whole = self
        if hasTwins { whole.beacons = RangedBeacon.nearestOfEach(beacons) }
        whole.cut()
        return (whole.beacons, whole.omitted)
    }

    private mutating func cut() {
        beacons.sort { $0.isNearer(than: $1) }
        guard beacons.count > Ranging.limit else { return }
        omitted += beacons.count - Ranging.limit
        beacons.removeLast(beacons.count - Ranging.limit)
        farthest = beacons.last
    }
}
