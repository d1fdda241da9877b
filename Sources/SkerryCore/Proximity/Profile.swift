/// How levels become distances and zones, and silence an exit: the rules of `--profile`.
public enum Profile: String, CaseIterable, Sendable {
    /// Two-scale level, CUSUM zones, learned exit times; README, "How well it works".
    case adaptive
    /// As Core Location is known to behave: mean of ten seconds, path loss of free space, exit after 30 s of silence.
    case apple
    /// As the AltBeacon library does by default: trimmed mean of 20 s, its curve, exit after 10 s.
    case altbeacon

    /// Microseconds of listened silence after which a beacon has gone of which nothing was learned.
    var exitTime: Int64 { self == .altbeacon ? 10 * .second : 30 * .second }

    /// The longest silence before an exit that can be learned, microseconds.
    var longestExitTime: Int64 { self == .adaptive ? 120 * .second : exitTime }

    /// Microseconds of silence for which an estimate is kept.
    var patience: Int64 { 10 * .second }

    /// What the profile shows of a beacon.
    struct Estimate: Equatable {
        /// dBm.
        var level: Double
        /// Metres.
        var distance: Double
        /// One standard deviation of the distance, as a factor to both sides; `nil` where the profile knows none.
        var spread: Double?
        /// The zone.
        var proximity: Proximity
    }
}

/// The estimator of one beacon as one source hears it, by the rules of a profile.
struct Estimator {
    private let profile: Profile
    private var window = SampleWindow()
    /// Of the window, kept while nothing more is heard.
    private var windowLevel: Double?
    private var filter: LevelFilter?
    private var lastSample = Timestamp(microseconds: 0)
    private var zone: ZoneTracker?
    private var lastLook = Timestamp(microseconds: 0)

    init(_ profile: Profile) { self.profile = profile }

    /// Takes in a usable sample.
    ///
    /// - Parameter rssi: dBm, below zero.
    mutating func add(_ rssi: Int8, at time: Timestamp) {
        guard profile == .adaptive else { return window.add(rssi, at: time) }
        if filter == nil {
            filter = LevelFilter(first: rssi)
        } else {
            filter!.add(rssi, after: max(0, Double(time - lastSample) / 1e6))
        }
        lastSample = time
    }

    /// How near the beacon is now; `nil` while no usable sample was heard. To be asked once a second.
    ///
    /// - Parameter measuredPower: dBm at 1 m, with the receiver's gain added.
    mutating func look(measuredPower: Double, at time: Timestamp) -> Profile.Estimate? {
        switch profile {
        case .adaptive:
            guard let level = filter?.level else { return nil }
            let z = measuredPower - level
            if zone == nil {
                zone = ZoneTracker(z, borders: ZoneTracker.Borders())
            } else {
                zone!.look(z, after: Double(time - lastLook) / 1e6, borders: ZoneTracker.Borders())
            }
            lastLook = time
            let distance = DistanceModel.fitted.distance(measuredPower: measuredPower, level: level)
            return Profile.Estimate(
                level: level, distance: distance, spread: DistanceModel.fittedSpread, proximity: zone!.proximity)
        case .apple:
            window.keep(10 * .second, at: time)
            windowLevel = window.mean ?? windowLevel
            return estimate(.pathLoss(exponent: 2), measuredPower)
        case .altbeacon:
            window.keep(20 * .second, at: time)
            windowLevel = window.trimmedMean ?? windowLevel
            return estimate(.altBeaconCurve, measuredPower)
        }
    }

    private func estimate(_ model: DistanceModel, _ power: Double) -> Profile.Estimate? {
        guard let level = windowLevel else { return nil }
        let distance = model.distance(measuredPower: power, level: level)
        return Profile.Estimate(
            level: level, distance: distance, spread: nil,
            proximity: distance < 0.5 ? .immediate : distance < 3 ? .near : .far)
    }
}
