private import Glibc

/// What a profile says of a recording, once a second.
struct EstimateSeries {
    private let profile: Profile
    /// At each tick of the recording.
    private(set) var estimates: [Estimate] = []
    /// How far away, on the scale on which thresholds are laid: dB below measured power for `adaptive`, whose zones
    /// work on levels, else the logarithm of metres.
    private(set) var positions: [Double] = []

    /// How far apart on that scale are places whose distances differ by a factor of 1.42 in what the profile shows.
    var separation: Double { profile == .adaptive ? 0.35 / 0.094 : 0.35 }

    init(_ recording: Recording, profile: Profile) {
        self.profile = profile
        var estimators = Estimators(ProximitySettings(profile: profile))
        estimators.begin(0)
        var next = 0
        var last = recording.samples[0].time
        for tick in recording.ticks {
            while next < recording.samples.count, recording.samples[next].time <= tick {
                let sample = recording.samples[next]
                estimators.sight(0, rssi: sample.rssi, after: sample.time - last, at: sample.time)
                last = sample.time
                next += 1
            }
            let power = recording.measuredPower
            guard let estimate = estimators.look(0, measuredPower: power, at: tick) else { continue }
            estimates.append(estimate)
            positions.append(profile == .adaptive ? power - estimate.level : log(max(estimate.distance, 1e-3)))
        }
    }

    /// Decides at each tick whether a position is beyond a threshold, as the profile decides about zones: `adaptive`
    /// waits for evidence, the others do not.
    func isBeyond(_ positions: some Sequence<Double>, _ threshold: Double) -> [Bool] {
        guard profile == .adaptive else { return positions.map { $0 > threshold } }
        let borders = ZoneBorders(near: -.infinity, far: Float(threshold))!
        // On the threshold is not beyond.
        let first = ZoneBorders(near: -.infinity, far: Float(threshold).nextUp)!
        var zone = ZoneTracker()
        return positions.map { position in
            if zone.proximity == .unknown { zone.look(Float(position), after: 1, borders: first) }
            zone.look(Float(position), after: 1, borders: borders)
            return zone.proximity == .far
        }
    }
}
