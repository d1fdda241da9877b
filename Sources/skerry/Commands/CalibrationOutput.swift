import SkerryCore
import SkerryIO

/// Gathers the levels of the iBeacons that are heard.
struct CalibrationOutput: Output, ~Copyable {
    /// What was heard of one.
    struct Heard {
        var levels = Calibration.Levels()
        /// dBm at 1 m as the beacon claims it.
        var claimed: Int8
        /// Frames, also those without a level.
        var count = 0
    }

    /// Beacons that are kept, and those that are wanted beside them.
    static let limit = 1000

    /// Which are wanted.
    let region: BeaconRegion
    private(set) var heard: [BeaconIdentity: Heard] = [:]
    /// Those of them that are wanted.
    var wanted: [BeaconIdentity: Heard] { heard.filter { region.contains($0.key) } }

    init(_ region: BeaconRegion) { self.region = region }

    mutating func write(_ events: [Event], sources: [String]) {
        for event in events {
            guard let advertisement = event.advertisement, let time = event.time,
                case .iBeacon(let frame) = advertisement.beacon
            else { continue }
            let isKept = heard.count < Self.limit || heard[frame.identity] != nil
            guard isKept || region.uuid != nil && heard.count < 2 * Self.limit && region.contains(frame.identity) else {
                continue
            }
            heard[frame.identity, default: Heard(claimed: frame.measuredPower)].claimed = frame.measuredPower
            heard[frame.identity]!.count += 1
            // Levels from 0 up are made up.
            guard let rssi = advertisement.rssi, rssi < 0 else { continue }
            heard[frame.identity]!.levels.add(rssi, at: time)
        }
    }

    func flush() {}
}
