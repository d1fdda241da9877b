/// How well the two sides of a doorway are told apart.
///
/// The threshold is learned on the first half of a recording and tried on the second. Receivers that hear both sides
/// alike, with less than 6 dB between their medians, are left out.
public struct DoorwayFigures: Equatable, Sendable {
    /// Times the beacon really changed the side.
    public private(set) var crossings = 0
    /// Of these, how often no change showed from 5 s before to 15 s after.
    public private(set) var missed = 0
    /// Changes that showed without a crossing.
    public private(set) var extraChanges = 0
    /// Hours that were watched.
    public private(set) var hours = 0.0
    /// Seconds from a crossing to its change; below 0 where it showed before.
    public private(set) var delays: [Double] = []

    /// Seconds.
    public var medianDelay: Double? { delays.median }
    /// Changes without a crossing in an hour.
    public var extraChangesPerHour: Double { Double(extraChanges) / hours }

    /// `nil` where no recording has both sides in its first half.
    init?(_ recordings: [Recording], profile: Profile) {
        for recording in recordings { watch(recording, profile) }
        guard hours > 0 else { return nil }
    }

    private mutating func watch(_ recording: Recording, _ profile: Profile) {
        func levels(_ label: Recording.Label) -> [Double] {
            recording.samples.filter { $0.label == label }.map { Double($0.rssi) }
        }
        guard let inside = levels(.inside).median, let outside = levels(.outside).median, abs(inside - outside) >= 6
        else { return }
        let truth = recording.heard.map { recording.samples[$0].label == .outside }
        let half = truth.count / 2
        let series = EstimateSeries(recording, profile: profile)
        func learned(_ side: Bool) -> Double? {
            zip(series.positions, truth).prefix(half).filter { $0.1 == side }.map(\.0).median
        }
        guard let insidePosition = learned(false), let outsidePosition = learned(true) else { return }
        let sign: Double = outsidePosition < insidePosition ? -1 : 1
        let threshold = sign * (insidePosition + outsidePosition) / 2
        let shown = series.isBeyond(series.positions.dropFirst(half).map { sign * $0 }, threshold)
        compare(shown, Array(truth.dropFirst(half)))
    }

    private mutating func compare(_ shown: [Bool], _ truth: [Bool]) {
        hours += Double(shown.count) / 3600
        let changes = shown.changes
        var used: Set<Int> = []
        for crossing in truth.changes {
            crossings += 1
            let change = changes.first {
                (crossing - 5...crossing + 15).contains($0) && shown[$0] == truth[crossing] && !used.contains($0)
            }
            if let change {
                used.insert(change)
                delays.append(Double(change - crossing))
            } else {
                missed += 1
            }
        }
        extraChanges += changes.count - used.count
    }
}
