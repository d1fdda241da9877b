/// The measured power of a beacon, from its levels at one metre: sorted, a tenth dropped at each end, the mean of the rest
/// (the procedure of Apple's sample AirLocate 1.1).
public struct Calibration: Equatable, Sendable {
    /// The fewest samples.
    public static let fewestSamples = 20
    /// Seconds in which it must have been heard at least.
    public static let shortestSpan = 10.0
    /// dB of standard deviation at most. Of people carrying phones at a fixed distance, 19 in 20 recordings have less.
    public static let greatestDeviation = 8.0

    /// Why levels calibrate nothing.
    public enum Refusal: Error, Equatable {
        /// So few samples.
        case tooFewSamples(Int)
        /// So few seconds.
        case tooShort(Double)
        /// So much standard deviation, dB.
        case tooMuchSpread(Double)
    }

    /// What was heard of a beacon, of any number of samples.
    public struct Levels: Sendable {
        /// A longer pause does not count as time in which it was heard, microseconds.
        private static let longestPause = 5 * Int64.second

        /// How often each level was heard: -1 dBm first.
        fileprivate var counts = [Int](repeating: 0, count: 128)
        fileprivate var microseconds: Int64 = 0
        private var last: Timestamp?

        /// Nothing was heard yet.
        public init() {}

        /// The mean of all, dBm; `nil` where there is none.
        public var mean: Double? { counts.contains { $0 > 0 } ? Calibration.mean(counts, dropping: 0).mean : nil }

        /// Takes in a sample.
        ///
        /// - Parameter rssi: dBm, below zero.
        public mutating func add(_ rssi: Int8, at time: Timestamp) {
            counts[-1 - Int(rssi)] += 1
            if let last, 0...Self.longestPause ~= time - last { microseconds += time - last }
            last = time
        }
    }

    /// Samples with a usable level.
    public let samples: Int
    /// Seconds in which it was heard, without pauses of more than five.
    public let span: Double
    /// dBm.
    public let measuredPower: Double
    /// Standard deviation of all samples, dB.
    public let deviation: Double

    /// - Parameter levels: At one metre.
    public init(_ levels: Levels) throws(Refusal) {
        samples = levels.counts.reduce(0, +)
        guard samples >= Self.fewestSamples else { throw .tooFewSamples(samples) }
        span = Double(levels.microseconds) / 1e6
        guard span >= Self.shortestSpan else { throw .tooShort(span) }
        let (mean, square) = Self.mean(levels.counts, dropping: 0)
        deviation = max(0, square - mean * mean).squareRoot()
        guard deviation <= Self.greatestDeviation else { throw .tooMuchSpread(deviation) }
        measuredPower = Self.mean(levels.counts, dropping: samples / 10).mean
    }

    /// The means of the levels and of their squares, without so many samples at each end.
    private static func mean(_ counts: [Int], dropping dropped: Int) -> (mean: Double, square: Double) {
        var rest = counts
        for order in [Array(rest.indices), rest.indices.reversed()] {
            var left = dropped
            for place in order where left > 0 {
                let taken = min(left, rest[place])
                rest[place] -= taken
                left -= taken
            }
        }
        let number = Double(rest.reduce(0, +))
        let sums = rest.indices.reduce(into: (0.0, 0.0)) { sums, place in
            let level = -1 - Double(place)
            sums.0 += Double(rest[place]) * level
            sums.1 += Double(rest[place]) * level * level
        }
        return (sums.0 / number, sums.1 / number)
    }
}
