/// The measured power of a beacon, from its levels at one metre: sorted, a tenth dropped at each end, the mean of the rest
/// (the procedure of Apple's sample AirLocate 1.1).
public struct Calibration: Equatable, Sendable {
    /// The fewest samples.
    public static let fewestSamples = 20
    /// Seconds that they must span at least.
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

    /// Samples with a usable level.
    public let samples: Int
    /// Seconds from the first to the last.
    public let span: Double
    /// dBm.
    public let measuredPower: Double
    /// Standard deviation of all samples, dB.
    public let deviation: Double

    /// - Parameter levels: When and how strong it was heard at one metre, dBm, in order of time.
    public init(_ levels: [(time: Timestamp, rssi: Int8)]) throws(Refusal) {
        samples = levels.count
        guard samples >= Self.fewestSamples else { throw .tooFewSamples(samples) }
        span = Double(levels[samples - 1].time - levels[0].time) / 1e6
        guard span >= Self.shortestSpan else { throw .tooShort(span) }
        let sorted = levels.map { Double($0.rssi) }.sorted()
        let mean = sorted.reduce(0, +) / Double(samples)
        deviation = (sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(samples)).squareRoot()
        guard deviation <= Self.greatestDeviation else { throw .tooMuchSpread(deviation) }
        let middle = sorted.dropFirst(samples / 10).dropLast(samples / 10)
        measuredPower = middle.reduce(0, +) / Double(middle.count)
    }
}
