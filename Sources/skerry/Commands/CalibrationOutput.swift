import SkerryCore
import SkerryIO

/// Gathers the levels of the iBeacons that are heard.
struct CalibrationOutput: Output, ~Copyable {
    /// What was heard of one.
    struct Heard {
        var levels = Calibration.Levels()
        /// dBm at 1 m as the beacon claims it.
        var claimed: Int8
    }

    /// Beacons that are kept; more would change nothing.
    static let limit = 1000

    /// Which are wanted.
    let region: BeaconRegion
    private(set) var heard: [BeaconIdentity: Heard] = [:]

    init(_ region: BeaconRegion) { self.region = region }

    mutating func write(_ events: [Event], sources: [String]) {
        for event in events {
            guard let advertisement = event.advertisement, let time = event.time,
                case .iBeacon(let frame) = advertisement.beacon, region.contains(frame.identity)
            else { continue }
            guard heard.count < Self.limit || heard[frame.identity] != nil else { continue }
            heard[frame.identity, default: Heard(claimed: frame.measuredPower)].claimed = frame.measuredPower
            // Levels from 0 up are made up.
            guard let rssi = advertisement.rssi, rssi < 0 else { continue }
            heard[frame.identity]!.levels.add(rssi, at: time)
        }
    }

    func flush() {}
}
