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
/// Source: measured on public recordings; docs/figures.md. In single precision: a million beacons may be
/// known, and the rounding is a thousandth of what the receiver rounds.
struct LevelFilter: BitwiseCopyable {
    private var fast: Float = 0
    private var slow: Float = 0
    private var fastWeight: Float = 0
    private var fastWeightSquared: Float = 0
    private var slowWeight: Float = 0
    private var variance: Float = 9
    private var varianceWeight: Float = 1

    /// Whether there was a sample.
    var hasLevel: Bool { fastWeight > 0 }

    /// Time passes. What was heard before counts less.
    ///
    /// - Parameter elapsed: Seconds, not negative.
    mutating func age(_ elapsed: Float) {
        guard hasLevel else { return }
        // Not to nothing: the ratio of the two is the error of what is known, and stays.
        let fastDecay = max(expf(-elapsed / 1.25), 1e-9 / fastWeight)
        fastWeight *= fastDecay
        fastWeightSquared *= fastDecay * fastDecay
        slowWeight *= expf(-elapsed / 40)
        varianceWeight *= expf(-elapsed / 10)
    }

    /// Takes in a sample, all time before it having passed.
    ///
    /// - Parameter rssi: dBm.
    mutating func add(_ rssi: Int8) {
        let sample = Float(rssi)
        guard hasLevel else {
            (fast, slow) = (sample, sample)
            (fastWeight, fastWeightSquared, slowWeight, varianceWeight) = (1, 1, 1, 1)
            return
        }
        let difference = sample - fast
        varianceWeight += 1
        variance += (min(difference * difference, 400) - variance) / (varianceWeight + 3)
        fastWeight += 1
        fastWeightSquared += 1
        fast += difference / fastWeight
        slowWeight += 1
        slow += (sample - slow) / slowWeight
        if abs(fast - slow) > 3 * standardError {
            slow = fast
            slowWeight = fastWeight
        }
    }

    private var standardError: Float { (max(variance, 1) * fastWeightSquared).squareRoot() / fastWeight }

    /// dBm; zero before the first sample.
    var level: Float {
        guard hasLevel else { return 0 }
        let significance = (abs(fast - slow) / standardError - 1) / 2
        return slow + min(max(significance, 0), 1) * (fast - slow)
    }
}
