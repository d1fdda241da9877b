/// The RSSI samples of the last seconds.
///
/// Bounded: beyond 512 samples the oldest goes, whatever its age.
struct SampleWindow {
    private static let limit = 512

    private var samples: [(time: Timestamp, rssi: Int8)] = []

    mutating func add(_ rssi: Int8, at time: Timestamp) {
        if samples.count == Self.limit { samples.removeFirst() }
        samples.append((time, rssi))
    }

    /// Forgets what is as old as `length` microseconds or older.
    mutating func keep(_ length: Int64, at time: Timestamp) {
        let outdated = samples.prefix { time - $0.time >= length }.count
        if outdated > 0 { samples.removeFirst(outdated) }
    }

    /// The mean of all samples, dBm; `nil` where there are none.
    var mean: Double? { Self.mean(samples.map { Int($0.rssi) }[...]) }

    /// The mean without the strongest and the weakest tenth, and one more of each (AltBeacon's running average).
    var trimmedMean: Double? {
        let levels = samples.map { Int($0.rssi) }.sorted()
        guard levels.count > 2 else { return Self.mean(levels[...]) }
        let trimmed = levels.count / 10 + 1
        return Self.mean(levels[trimmed..<max(trimmed, levels.count - trimmed)])
    }

    private static func mean(_ levels: ArraySlice<Int>) -> Double? {
        levels.isEmpty ? nil : Double(levels.reduce(0, +)) / Double(levels.count)
    }
}
