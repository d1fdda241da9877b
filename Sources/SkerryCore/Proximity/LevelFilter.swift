private import Glibc

/// The level of one beacon: two time-aware exponential means of RSSI in dB. The slow one is shown while the fast one
/// agrees with it; as their difference becomes significant, the fast one takes over.
///
/// With dt seconds since the sample before, r the sample, and weights that count past samples:
///
///     e  = r - fast                       fast time constant 1.25 s, slow 40 s, variance 10 s
///     Wv = Wv·exp(-dt/10) + 1             v    += (min(e², 400) - v) / (Wv + 3)
///     Wf = Wf·exp(-dt/1.25) + 1           fast += (r - fast) / Wf;    Wf2 = Wf2·exp(-2·dt/1.25) + 1
///     Ws = Ws·exp(-dt/40) + 1             slow += (r - slow) / Ws
///     se = √(max(v, 1)·Wf2) / Wf          |fast - slow| > 3·se: slow = fast, Ws = Wf
///     level = slow + clamp((|fast - slow| / se - 1) / 2, 0, 1)·(fast - slow)
///
/// Source: measured on public recordings; README, "How well it works".
struct LevelFilter {
    private var fast, slow: Double
    private var fastWeight = 1.0, fastWeightSquared = 1.0, slowWeight = 1.0
    private var variance = 9.0, varianceWeight = 1.0

    /// - Parameter rssi: The first sample, dBm.
    init(first rssi: Int8) {
        fast = Double(rssi)
        slow = fast
    }

    /// Takes in a further sample.
    ///
    /// - Parameters:
    ///   - rssi: dBm.
    ///   - elapsed: Seconds since the sample before, not negative.
    mutating func add(_ rssi: Int8, after elapsed: Double) {
        let sample = Double(rssi)
        let fastDecay = exp(-elapsed / 1.25)
        let difference = sample - fast
        varianceWeight = varianceWeight * exp(-elapsed / 10) + 1
        variance += (min(difference * difference, 400) - variance) / (varianceWeight + 3)
        fastWeight = fastWeight * fastDecay + 1
        fastWeightSquared = fastWeightSquared * fastDecay * fastDecay + 1
        fast += difference / fastWeight
        slowWeight = slowWeight * exp(-elapsed / 40) + 1
        slow += (sample - slow) / slowWeight
        if abs(fast - slow) > 3 * standardError {
            slow = fast
            slowWeight = fastWeight
        }
    }

    private var standardError: Double { (max(variance, 1) * fastWeightSquared).squareRoot() / fastWeight }

    /// dBm.
    var level: Double {
        let significance = (abs(fast - slow) / standardError - 1) / 2
        return slow + min(max(significance, 0), 1) * (fast - slow)
    }
}
