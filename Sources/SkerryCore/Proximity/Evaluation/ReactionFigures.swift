/// How long a move takes to show: 30 s at one place, 30 s at one farther away, then back at the first.
///
/// The threshold lies half-way between what the profile itself shows at the two places. A move has shown when the new
/// side holds for 5 s. Where the profile sees the places less than a factor of 1.42 apart, nothing can be timed.
public struct ReactionFigures: Equatable, Sendable {
    /// Recordings of this kind.
    public private(set) var recordings = 0
    /// Seconds until the way there shows, one for each recording whose places are told apart; 30 where it never does.
    public private(set) var away: [Double] = []
    /// The same of the way back.
    public private(set) var back: [Double] = []

    /// Seconds.
    public var meanAway: Double? { away.mean }
    /// Seconds within which nine of ten show.
    public var p90Away: Double? { away.quantile(0.9) }
    /// Seconds.
    public var meanBack: Double? { back.mean }

    /// `nil` where no recording is of this kind.
    init?(_ recordings: [Recording], profile: Profile) {
        for recording in recordings where Self.isMove(recording) {
            self.recordings += 1
            let series = EstimateSeries(recording, profile: profile)
            // The first tick is second 1.
            let positions = series.positions
            guard let near = Array(positions[11..<29]).median, let far = Array(positions[44..<59]).median,
                far - near >= series.separation
            else { continue }
            let isFar = series.isBeyond(positions, (near + far) / 2)
            away.append(Self.delay(isFar[29..<59]))
            back.append(Self.delay(isFar[59...].map { !$0 }[...]))
        }
        guard self.recordings > 0 else { return nil }
    }

    private static func isMove(_ recording: Recording) -> Bool {
        let moves = recording.moves
        guard recording.hasDistances, moves.count == 2, recording.length >= 60 else { return false }
        let places = ([0] + moves).map { recording.samples[$0].distance! }
        let times = moves.map { recording.samples[$0].seconds - recording.samples[0].seconds }
        return places[0] < places[1] && places[2] < places[1] && abs(times[0] - 30) <= 2 && abs(times[1] - 60) <= 2
    }

    private static func delay(_ hasMoved: ArraySlice<Bool>) -> Double {
        let first = hasMoved.indices.first { !hasMoved[$0..<min($0 + 5, hasMoved.endIndex)].contains(false) }
        return first.map { Double($0 - hasMoved.startIndex) } ?? 30
    }
}
