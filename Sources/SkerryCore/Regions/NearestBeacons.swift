/// The nearest beacons of a report, of any number.
struct NearestBeacons {
    private var beacons: [RangedBeacon] = []
    private var omitted = 0
    /// Beyond it nothing need be kept.
    private var farthest: RangedBeacon?

    mutating func add(_ beacon: RangedBeacon) {
        if let farthest, !beacon.isNearer(than: farthest) {
            omitted += 1
            return
        }
        beacons.append(beacon)
        if beacons.count == 2 * Ranging.limit { cut() }
    }

    /// Nearest first, and how many are left out.
    func finish() -> (beacons: [RangedBeacon], omitted: Int) {
        var whole = self
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
