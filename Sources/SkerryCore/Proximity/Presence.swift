private import Glibc

/// How long a beacon may be silent before it has gone, learned from its own gaps.
///
/// Gaps are taken as exponential with a rate that is itself Gamma distributed; then the probability that a beacon which
/// is present stays silent longer than s is (b / (b + s))^a (Lomax). With g seconds of gap at each further sighting:
///
///     a = a·(1 - 1/40) + 1        b = b·(1 - 1/40) + g        m = max(m·2^(-g/600), g)
///     timeout = max(b·(α^(-1/a) - 1), 2·m),  α = 10⁻⁴
///     fewer than 5 sightings: clamp(timeout, 15, 30)
///
/// a begins at 3 and depends on the number of sightings alone; b begins at 3.
struct Presence: BitwiseCopyable {
    private var scale: Float = 3
    private var longestGap: Float = 0
    /// Sightings since the beacon became known.
    private(set) var sightings: UInt32 = 0

    /// The silence that means an exit, and what it follows from.
    struct Timeout: Equatable {
        /// Seconds.
        var seconds: Double
        /// What it follows from.
        var basis: ExitBasis

        /// The same, rounded down.
        var microseconds: Int64 { Int64(seconds * 1e6) }
    }

    /// The first sighting.
    mutating func sight() { sightings = 1 }

    /// A further sighting.
    ///
    /// - Parameter gap: Seconds of listened time since the one before.
    mutating func sight(after gap: Float) {
        sightings &+= 1
        scale = scale * (1 - 1 / 40) + gap
        longestGap = max(gap > 0 ? longestGap * exp2f(-gap / 600) : longestGap, gap)
    }

    /// What was learned, before any bounds.
    var timeout: Timeout {
        let improbable = Double(scale) * Self.improbability[Int(min(sightings, UInt32(Self.improbability.count) - 1))]
        let remembered = 2 * Double(longestGap)
        let learned =
            improbable >= remembered
            ? Timeout(seconds: improbable, basis: .gaps) : Timeout(seconds: remembered, basis: .longestGap)
        guard sightings < 5 else { return learned }
        return Timeout(seconds: min(max(learned.seconds, 15), 30), basis: .fewSightings)
    }

    /// α^(-1/a) - 1 by number of sightings; a has come to its limit of 40 long before the last.
    private static let improbability: [Double] = {
        var shape = 3.0
        return (0...1024).map { sightings in
            if sightings > 1 { shape = shape * (1 - 1.0 / 40) + 1 }
            return pow(1e-4, -1 / shape) - 1
        }
    }()
}
