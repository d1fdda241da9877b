/// The RSSI samples of the last seconds, and their mean.
///
/// Bounded: beyond 256 samples the oldest goes, whatever its age.
struct SampleWindow {
    private static let limit = 256

    private var samples: [(time: Timestamp, rssi: Int8)] = []
    private var first = 0
    private var sum: Int64 = 0

    mutating func add(_ rssi: Int8, at time: Timestamp) {
        if samples.count - first == Self.limit { dropFirst() }
        if first > 0, samples.count == samples.capacity {
            samples.removeFirst(first)
            first = 0
        }
        samples.append((time, rssi))
        sum += Int64(rssi)
    }

    /// The mean of what is younger than `length` microseconds, dBm; `nil` where there is nothing.
    mutating func mean(of length: Int64, at time: Timestamp) -> Double? {
        while first < samples.count, time - samples[first].time >= length { dropFirst() }
        let count = samples.count - first
        return count > 0 ? Double(sum) / Double(count) : nil
    }

    private mutating func dropFirst() {
        sum -= Int64(samples[first].rssi)
        first += 1
    }
}
