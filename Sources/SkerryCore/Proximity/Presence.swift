private import Glibc

/// How long a beacon may be silent before it has gone, learned from its own gaps.
///
/// Gaps are taken as exponential with a rate that is itself Gamma distributed; then the probability that a beacon which
/// is present stays silent longer than s is (b / (b + s))^a (Lomax). With g seconds of gap at each further sighting:
///
///     a = a·(1 - 1/40) + 1        b = b·(1 - 1/40) + g        m = max(m·2^(-g/600), g)
///     timeout = clamp(max(b·(α^(-1/a) - 1), 2·m), 8, 120),  α = 10⁻⁴
///     fewer than 5 sightings: clamp(timeout, 15, 30)
struct Presence {
    private var shape = 3.0
    private var scale = 3.0
    private var longestGap = 0.0
    private var sightings: UInt32 = 1

    /// A further sighting.
    ///
    /// - Parameter gap: Seconds of listened time since the one before.
    mutating func sight(after gap: Double) {
        let memory = 1 - 1.0 / 40
        sightings &+= 1
        shape = shape * memory + 1
        scale = scale * memory + gap
        longestGap = max(longestGap * exp2(-gap / 600), gap)
    }

    /// Seconds.
    var timeout: Double {
        let improbable = scale * (pow(1e-4, -1 / shape) - 1)
        let timeout = min(max(max(improbable, 2 * longestGap), 8), 120)
        return sightings < 5 ? min(max(timeout, 15), 30) : timeout
    }
}
