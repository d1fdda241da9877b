private import Glibc

/// How far the distances and zones that a profile shows are from the truth.
public struct DistanceFigures: Equatable, Sendable {
    /// Moments at which both are known, a second apart.
    public private(set) var count = 0
    /// The median of |estimate - truth|, metres.
    public private(set) var medianError = 0.0
    /// The mean of |estimate - truth|, metres.
    public private(set) var meanError = 0.0
    /// The root of the mean square of ln(estimate / truth): 0.7 is a factor of two.
    public private(set) var logRMSE = 0.0
    /// How often each true zone (row) was shown as each zone (column): immediate, near, far.
    public private(set) var confusion = [[Int]](repeating: [0, 0, 0], count: 3)

    /// `nil` where no recording has distances and lasts a second.
    init?(_ recordings: [Recording], profile: Profile) {
        var errors: [Double] = []
        var squares = 0.0
        for recording in recordings where recording.hasDistances {
            let series = EstimateSeries(recording, profile: profile)
            for (estimate, truth) in zip(series.estimates, recording.distances) {
                errors.append(abs(estimate.distance - truth))
                let ratio = log(max(estimate.distance, 1e-3) / truth)
                squares += ratio * ratio
                let zone = truth < 0.5 ? 0 : truth < 3 ? 1 : 2
                confusion[zone][Int(estimate.proximity.rawValue)] += 1
            }
        }
        guard let median = errors.median, let mean = errors.mean else { return nil }
        count = errors.count
        medianError = median
        meanError = mean
        logRMSE = (squares / Double(count)).squareRoot()
    }

    /// The share of moments at which the zone is right.
    public var accuracy: Double { Double((0..<3).reduce(0) { $0 + confusion[$1][$1] }) / Double(count) }

    /// For each zone the share of its moments at which it is shown; `nil` for a zone that did not occur.
    public var recalls: [Double?] {
        (0..<3).map { zone in
            let total = confusion[zone].reduce(0, +)
            return total > 0 ? Double(confusion[zone][zone]) / Double(total) : nil
        }
    }

    /// The mean of the recalls: every zone counts the same, however often it occurred.
    public var balancedAccuracy: Double { recalls.compactMap(\.self).mean! }
}
