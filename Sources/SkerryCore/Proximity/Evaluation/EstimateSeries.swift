private import Glibc

/// What a profile says of a recording, once a second.
struct EstimateSeries {
    private let profile: Profile
    /// At each tick of the recording.
    private(set) var estimates: [Profile.Estimate] = []
    /// How far away, on the scale on which thresholds are laid: dB below measured power for `adaptive`, whose zones
    /// work on levels, else the logarithm of metres.
    private(set) var positions: [Double] = []

    /// How far apart on that scale are places whose distances differ by a factor of 1.42 in what the profile shows.
    var separation: Double { profile == .adaptive ? 0.35 / 0.094 : 0.35 }

    init(_ recording: Recording, profile: Profile) {
        self.profile = profile
        var estimator = Estimator(profile)
        var next = 0
        for tick in recording.ticks {
            while next < recording.samples.count, recording.samples[next].time <= tick {
                estimator.add(recording.samples[next].rssi, at: recording.samples[next].time)
                next += 1
            }
            let power = recording.measuredPower
            guard let estimate = estimator.look(measuredPower: power, at: tick) else { continue }
            estimates.append(estimate)
            positions.append(profile == .adaptive ? power - estimate.level : log(max(estimate.distance, 1e-3)))
        }
    }

    /// Decides at each tick whether a position is beyond a threshold, as the profile decides about zones: `adaptive`
    /// waits for evidence, the others do not.
    func isBeyond(_ positions: some Sequence<Double>, _ threshold: Double) -> [Bool] {
        guard profile == .adaptive else { return positions.map { $0 > threshold } }
        let borders = ZoneTracker.Borders(near: -.infinity, far: threshold)
        var zone: ZoneTracker?
        return positions.map { position in
            // On the threshold is not beyond.
            let first = ZoneTracker.Borders(near: -.infinity, far: threshold.nextUp)
            if zone == nil { zone = ZoneTracker(position, borders: first) }
            zone!.look(position, after: 1, borders: borders)
            return zone!.proximity == .far
        }
    }
}
