private import Glibc

/// How a level becomes a distance. All take dBm, measured powers from -128 to -20 and levels from -170 to 40, and give
/// metres, finite and not negative.
enum DistanceModel: Equatable {
    /// Log-distance path loss, 10^((measured power - level) / (10 n)) (Rappaport, Wireless Communications, 2nd edition,
    /// section 4.9.1).
    case pathLoss(exponent: Double)
    /// AltBeacon's curve on the ratio of level to measured power, with its library's default coefficients.
    case altBeaconCurve
    /// 1.21·10^(z/24.5), z measured power minus level: fitted on public recordings. It shrinks towards the distances
    /// that are met most; one standard deviation is a factor of two.
    case fitted

    /// One standard deviation of the distance, as a factor: 0.7 in ln(distance) for the fitted model on the recordings it
    /// was fitted on. That is 7.4 dB, which another exponent turns into another factor.
    var spread: Double? {
        switch self {
        case .fitted: exp(0.7)
        case .altBeaconCurve: nil
        case .pathLoss(let exponent): exp(0.7 / 0.094 * log(10) / (10 * exponent))
        }
    }

    /// Metres.
    func distance(measuredPower: Double, level: Double) -> Double {
        switch self {
        case .pathLoss(let exponent): return pow(10, (measuredPower - level) / (10 * exponent))
        case .altBeaconCurve:
            let ratio = max(0, level / measuredPower)
            return ratio < 1 ? pow(ratio, 10) : 0.42093 * pow(ratio, 6.9476) + 0.54992
        case .fitted: return exp(0.192 + 0.094 * (measuredPower - level))
        }
    }
}
