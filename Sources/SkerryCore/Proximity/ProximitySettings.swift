/// A profile, and what a site may set of it.
public struct ProximitySettings: Equatable, Sendable {
    /// The rules.
    public var profile: Profile
    /// dBm at 1 m for beacons whose own figure can't be one, -128 to -20.
    public var defaultMeasuredPower: Int8 = -59
    /// dB that this receiver hears more than the one with which measured powers were measured, -40 to 40; taken from levels.
    public var receiverGain = 0.0
    /// Exponent of the path loss at this site, above 0; `nil`: the fitted distances. Of `adaptive` only.
    public var pathLossExponent: Double?
    /// Where zones meet. Of `adaptive` only.
    public var zoneBorders = ZoneBorders.standard
    /// Seconds between which learned exit times are kept. Of `adaptive` only.
    public var exitTimes = 8.0...120

    /// The profile as it comes.
    public init(profile: Profile) { self.profile = profile }

    /// How levels become distances.
    var distanceModel: DistanceModel {
        switch profile {
        case .adaptive: pathLossExponent.map(DistanceModel.pathLoss) ?? .fitted
        case .apple: .pathLoss(exponent: 2)
        case .altbeacon: .altBeaconCurve
        }
    }

    /// Whether exit times are learned.
    var learnsExitTimes: Bool { profile == .adaptive }

    /// The silence that means an exit.
    func timeout(_ presence: Presence) -> Presence.Timeout {
        guard learnsExitTimes else {
            return Presence.Timeout(seconds: Double(profile.exitTime) / 1e6, basis: .profile)
        }
        let timeout = presence.timeout
        if timeout.seconds < exitTimes.lowerBound {
            return Presence.Timeout(seconds: exitTimes.lowerBound, basis: .minimum)
        }
        if timeout.seconds > exitTimes.upperBound {
            return Presence.Timeout(seconds: exitTimes.upperBound, basis: .maximum)
        }
        return timeout
    }

    /// Microseconds for which a beacon that has exited is remembered: so long a silence can still have been a gap.
    var memory: Int64 { learnsExitTimes ? Int64(exitTimes.upperBound * 1e6) : 0 }

    /// Microseconds of silence after which a region is outside of which no beacon was heard yet.
    var firstExitTime: Int64 {
        let seconds = Double(profile.exitTime) / 1e6
        guard learnsExitTimes else { return profile.exitTime }
        return Int64(min(max(seconds, exitTimes.lowerBound), exitTimes.upperBound) * 1e6)
    }
}
