/// How often the zone of a beacon that lies still changes, in the worst case: the border lies at the median of what the
/// profile itself shows.
public struct FlapFigures: Equatable, Sendable {
    /// Changes.
    public private(set) var changes = 0
    /// Hours that were watched.
    public private(set) var hours = 0.0

    /// Changes in an hour.
    public var perHour: Double { Double(changes) / hours }

    /// Seconds in which an estimator may settle.
    private static let settling = 10

    /// `nil` where no recording has one distance from beginning to end and lasts 22 seconds.
    init?(_ recordings: [Recording], profile: Profile) {
        for recording in recordings where recording.hasDistances && recording.moves.isEmpty {
            let series = EstimateSeries(recording, profile: profile)
            guard series.positions.count >= 22 else { continue }
            let settled = Array(series.positions.dropFirst(Self.settling))
            changes += series.isBeyond(settled, settled.median!).changes.count
            hours += Double(settled.count) / 3600
        }
        guard hours > 0 else { return nil }
    }
}

extension [Bool] {
    /// Where a value is not that before.
    var changes: [Int] { indices.dropFirst().filter { self[$0] != self[$0 - 1] } }
}
