/// What a profile is worth on a file of labelled recordings. Which figures there are follows from what the recordings
/// say.
public struct Evaluation: Sendable {
    /// What was measured.
    public let profile: Profile
    /// Recordings of the file.
    public let sessions: Int
    /// Adverts in them.
    public let adverts: Int
    /// Where distances are known.
    public let distance: DistanceFigures?
    /// Where a beacon lay still at a known distance.
    public let flaps: FlapFigures?
    /// Where a beacon was moved away after 30 s and back after 60 s.
    public let reaction: ReactionFigures?
    /// Where a beacon went through a doorway.
    public let doorway: DoorwayFigures?
    /// Where a beacon was present all the time.
    public let presence: [PresenceFigures]

    /// Measures.
    public init(_ recordings: [Recording], profile: Profile) {
        self.profile = profile
        sessions = recordings.count
        adverts = recordings.reduce(0) { $0 + $1.samples.count }
        distance = DistanceFigures(recordings, profile: profile)
        flaps = FlapFigures(recordings, profile: profile)
        reaction = ReactionFigures(recordings, profile: profile)
        doorway = DoorwayFigures(recordings, profile: profile)
        presence = PresenceFigures.all(recordings, profile: profile)
    }

    /// Whether there is no figure at all.
    public var isEmpty: Bool {
        distance == nil && flaps == nil && reaction == nil && doorway == nil && presence.isEmpty
    }
}
