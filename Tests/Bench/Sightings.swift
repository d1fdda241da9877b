/// What the adaptive profile does with sightings: 1,000 beacons, each heard twice a second and looked at once a second.
///
/// - Returns: Sightings.
func runProximity() -> Int {
    let (beacons, seconds) = (1000, 1000)
    let settings = ProximitySettings(profile: .adaptive)
    var estimators = Estimators(settings)
    var presences = [Presence](repeating: Presence(), count: beacons)
    for slot in 0..<beacons {
        estimators.begin(slot)
        presences[slot].sight()
    }
    var (time, checksum, number) = (Timestamp(seconds: 1_700_000_000, microseconds: 0), 0.0, 0)
    for _ in 0..<seconds {
        for _ in 0..<2 {
            time = time + 500_000
            for slot in 0..<beacons {
                number += 1
                estimators.sight(slot, rssi: Int8(truncatingIfNeeded: -60 - number * 7 % 13), after: 500_000, at: time)
                presences[slot].sight(after: 0.5)
                checksum += settings.timeout(presences[slot]).seconds
            }
        }
        for slot in 0..<beacons { checksum += estimators.look(slot, measuredPower: -59, at: time)?.distance ?? 0 }
    }
    guard checksum.isFinite else { fatalError("no number") }
    return number
}
