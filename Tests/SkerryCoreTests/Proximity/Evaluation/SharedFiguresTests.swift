import Testing

@testable import SkerryCore

/// The figures of the reference implementation on recordings of others.
@Suite(.enabled(if: SharedData.isThere, "../shared/datasets is not there"))
struct SharedFiguresTests {
    @Test(arguments: distances) func distancesAndZonesAreTheReferences(_ expected: Distances) throws {
        let recordings = try SharedData.recordings(expected.file)
        let figures = try #require(DistanceFigures(recordings, profile: expected.profile))
        #expect(figures.confusion == expected.confusion)
        #expect(abs(figures.medianError - expected.median) < 0.001)
        #expect(abs(figures.meanError - expected.mean) < 0.001)
        #expect(abs(figures.logRMSE - expected.logRMSE) < 0.001)
        #expect(abs(figures.accuracy - expected.accuracy) < 0.0001)
        #expect(abs(figures.balancedAccuracy - expected.balanced) < 0.0001)
    }

    struct Distances: Sendable {
        let profile: Profile, file: String
        let median, mean, logRMSE, accuracy, balanced: Double
        let confusion: [[Int]]

        init(
            _ profile: Profile, _ file: String, median: Double, mean: Double, logRMSE: Double, accuracy: Double,
            balanced: Double, _ confusion: [[Int]]
        ) {
            (self.profile, self.file, self.confusion) = (profile, file, confusion)
            (self.median, self.mean, self.logRMSE) = (median, mean, logRMSE)
            (self.accuracy, self.balanced) = (accuracy, balanced)
        }
    }

    static let distances: [Distances] = [
        .init(
            .adaptive, "distance_herald_dwell", median: 0.5141, mean: 0.8665, logRMSE: 0.7100, accuracy: 0.6803,
            balanced: 0.6613, [[866, 811, 22], [266, 6413, 2535], [4, 324, 1151]]),
        .init(
            .adaptive, "distance_herald_walk", median: 0.6109, mean: 0.8443, logRMSE: 0.7086, accuracy: 0.5797,
            balanced: 0.5068, [[111, 305, 6], [190, 922, 245], [86, 299, 527]]),
        .init(
            .adaptive, "distance_sct_static", median: 0.5099, mean: 0.9188, logRMSE: 0.7268, accuracy: 0.6969,
            balanced: 0.6204, [[223, 154, 0], [81, 1253, 254], [2, 254, 237]]),
        .init(
            .adaptive, "distance_sct_move", median: 0.6325, mean: 1.0419, logRMSE: 0.6428, accuracy: 0.8034,
            balanced: 0.7547, [[0, 0, 0], [45, 1067, 69], [0, 236, 363]]),
        .init(
            .adaptive, "distance_tetam_track", median: 3.8047, mean: 4.2152, logRMSE: 0.7491, accuracy: 0.9020,
            balanced: 0.7999, [[0, 0, 0], [0, 254, 118], [1, 451, 4995]]),
        .init(
            .apple, "distance_herald_dwell", median: 0.5917, mean: 1.0287, logRMSE: 0.7310, accuracy: 0.7243,
            balanced: 0.6261, [[939, 749, 11], [370, 7237, 1607], [4, 676, 799]]),
        .init(
            .apple, "distance_herald_walk", median: 0.9320, mean: 1.1881, logRMSE: 0.9313, accuracy: 0.5180,
            balanced: 0.4457, [[112, 291, 19], [187, 929, 241], [54, 505, 353]]),
        .init(
            .apple, "distance_sct_static", median: 0.4725, mean: 0.8739, logRMSE: 0.7316, accuracy: 0.7254,
            balanced: 0.6183, [[225, 152, 0], [79, 1360, 149], [15, 280, 198]]),
        .init(
            .apple, "distance_sct_move", median: 0.5052, mean: 1.0431, logRMSE: 0.6865, accuracy: 0.7697,
            balanced: 0.6973, [[0, 0, 0], [49, 1085, 47], [2, 312, 285]]),
        .init(
            .apple, "distance_tetam_track", median: 3.5262, mean: 4.0160, logRMSE: 0.7214, accuracy: 0.8221,
            balanced: 0.8311, [[0, 0, 0], [0, 313, 59], [0, 976, 4471]]),
        .init(
            .altbeacon, "distance_herald_dwell", median: 0.6165, mean: 0.7449, logRMSE: 0.7227, accuracy: 0.7650,
            balanced: 0.5257, [[1104, 595, 0], [845, 8344, 25], [4, 1443, 32]]),
        .init(
            .altbeacon, "distance_herald_walk", median: 1.1324, mean: 1.2572, logRMSE: 1.1023, accuracy: 0.4563,
            balanced: 0.3577, [[103, 319, 0], [232, 1125, 0], [126, 786, 0]]),
        .init(
            .altbeacon, "distance_sct_static", median: 0.4529, mean: 0.8246, logRMSE: 0.7980, accuracy: 0.6953,
            balanced: 0.5339, [[257, 120, 0], [140, 1448, 0], [20, 469, 4]]),
        .init(
            .altbeacon, "distance_sct_move", median: 0.3699, mean: 1.1855, logRMSE: 0.7997, accuracy: 0.6242,
            balanced: 0.4704, [[0, 0, 0], [70, 1111, 0], [4, 595, 0]]),
        .init(
            .altbeacon, "distance_tetam_track", median: 6.1978, mean: 6.3813, logRMSE: 1.3325, accuracy: 0.2597,
            balanced: 0.5933, [[0, 0, 0], [4, 363, 5], [0, 4299, 1148]]),
    ]

    @Test(arguments: flaps) func flapsAreTheReferences(_ profile: Profile, _ file: String, changes: Int, hours: Double)
        throws
    {
        let figures = try #require(FlapFigures(try SharedData.recordings(file), profile: profile))
        #expect(figures.changes == changes)
        #expect(abs(figures.hours - hours) < 0.0001)
    }

    static let flaps: [(Profile, String, Int, Double)] = [
        (.adaptive, "presence_tetam_static", 15, 7.9264),
        (.adaptive, "distance_sct_static", 138, 0.4467),
        (.apple, "presence_tetam_static", 5250, 7.9264),
        (.apple, "distance_sct_static", 219, 0.4467),
        (.altbeacon, "presence_tetam_static", 3708, 7.9264),
        (.altbeacon, "distance_sct_static", 244, 0.4467),
    ]

    @Test(arguments: reactions) func reactionsAreTheReferences(_ expected: Reaction) throws {
        let recordings = try SharedData.recordings(expected.file)
        let figures = try #require(ReactionFigures(recordings, profile: expected.profile))
        #expect([figures.away.count, figures.recordings] == [expected.separable, expected.recordings])
        let (away, p90, back) = (figures.meanAway ?? -1, figures.p90Away ?? -1, figures.meanBack ?? -1)
        #expect(abs(away - expected.away) < 0.0001)
        #expect(abs(p90 - expected.p90) < 0.01)
        #expect(abs(back - expected.back) < 0.0001)
    }

    struct Reaction: Sendable {
        let profile: Profile, file: String
        let away, p90, back: Double
        let separable, recordings: Int

        init(
            _ profile: Profile, _ file: String, away: Double, p90: Double, back: Double, _ separable: Int,
            of recordings: Int
        ) {
            (self.profile, self.file, self.separable, self.recordings) = (profile, file, separable, recordings)
            (self.away, self.p90, self.back) = (away, p90, back)
        }
    }

    static let reactions: [Reaction] = [
        .init(.adaptive, "distance_sct_move", away: 2.0000, p90: 3.00, back: 2.4167, 12, of: 20),
        .init(.adaptive, "distance_tetam_move", away: 2.7826, p90: 4.80, back: 2.8696, 23, of: 27),
        .init(.apple, "distance_sct_move", away: 3.6429, p90: 5.70, back: 5.0000, 14, of: 20),
        .init(.apple, "distance_tetam_move", away: 5.6000, p90: 7.00, back: 5.4400, 25, of: 27),
        .init(.altbeacon, "distance_sct_move", away: 8.0833, p90: 9.00, back: 12.2500, 12, of: 20),
        .init(.altbeacon, "distance_tetam_move", away: 10.6522, p90: 12.00, back: 10.3043, 23, of: 27),
    ]

    @Test(arguments: doorways)
    func crossingsAreTheReferences(_ profile: Profile, missed: Int, crossings: Int, delay: Double, extra: Double) throws
    {
        let figures = try #require(DoorwayFigures(try SharedData.recordings("zone_sal_door"), profile: profile))
        #expect([figures.missed, figures.crossings] == [missed, crossings])
        #expect(figures.medianDelay == delay)
        #expect(abs(figures.extraChangesPerHour - extra) < 0.0001)
    }

    static let doorways: [(Profile, Int, Int, Double, Double)] = [
        (.adaptive, 6, 73, 3.0, 38.0634),
        (.apple, 13, 73, 5.0, 26.0434),
        (.altbeacon, 38, 73, 10.0, 30.0501),
    ]

    @Test(arguments: presences) func exitsAreTheReferences(_ expected: Presences) throws {
        let figures = PresenceFigures.all(try SharedData.recordings(expected.file), profile: expected.profile)
        #expect(figures.map(\.loss) == PresenceFigures.Loss.allCases)
        #expect(figures.map(\.falseExits) == expected.exits)
        for (figure, delay) in zip(figures, expected.delays) {
            #expect(abs((figure.medianDelay ?? -1) - delay[0]) < 0.0002, "\(figure.loss)")
            #expect(abs((figure.p90Delay ?? -1) - delay[1]) < 0.0002, "\(figure.loss)")
        }
    }

    struct Presences: Sendable {
        let profile: Profile, file: String
        /// For each kind of loss.
        let exits: [Int]
        /// Median and that of nine of ten.
        let delays: [[Double]]

        init(_ profile: Profile, _ file: String, exits: [Int], delays: [[Double]]) {
            (self.profile, self.file, self.exits, self.delays) = (profile, file, exits, delays)
        }
    }

    static let presences: [Presences] = [
        .init(
            .adaptive, "presence_tetam_static", exits: [0, 0, 0, 2, 36, 23, 24],
            delays: [
                [7.7735, 10.6038], [8.0732, 15.2613], [14.4309, 27.3967], [56.6783, 99.0036], [30.4841, 54.8111],
                [52.3994, 94.7949], [14.7119, 56.5966],
            ]),
        .init(
            .adaptive, "presence_itag", exits: [1, 1, 1, 1, 9, 2, 11],
            delays: [
                [15.0744, 31.6513], [18.6021, 36.0492], [34.4093, 55.9994], [105.9588, 118.0391], [30.6172, 59.4688],
                [53.2654, 96.4308], [26.4699, 95.3156],
            ]),
        .init(
            .adaptive, "presence_sal", exits: [1, 1, 1, 1, 4, 6, 2],
            delays: [
                [8.0, 19.5564], [8.0, 19.6143], [8.0, 19.4607], [12.8815, 24.9599], [21.9299, 49.9308],
                [27.0413, 53.9861], [8.1517, 19.129],
            ]),
        .init(
            .apple, "presence_tetam_static", exits: [0, 0, 0, 59, 18, 61, 26],
            delays: [
                [29.686, 29.939], [29.5595, 29.914], [29.0645, 29.852], [25.881, 29.393], [29.642, 29.93],
                [28.573, 29.812], [29.032, 29.886],
            ]),
        .init(
            .apple, "presence_itag", exits: [2, 3, 5, 64, 8, 23, 30],
            delays: [
                [29.367, 29.8624], [28.974, 29.7588], [27.939, 29.643], [22.679, 28.863], [29.3005, 29.8148],
                [27.237, 29.5346], [28.3585, 29.716],
            ]),
        .init(
            .apple, "presence_sal", exits: [0, 0, 0, 0, 0, 1, 0],
            delays: [
                [29.9, 30.0], [29.9, 30.0], [29.8, 29.9333], [29.2, 29.8333], [29.9, 30.0], [29.7, 29.9333],
                [29.6333, 30.0],
            ]),
        .init(
            .altbeacon, "presence_tetam_static", exits: [0, 2, 51, 852, 146, 331, 438],
            delays: [
                [9.686, 9.939], [9.56, 9.914], [9.072, 9.852], [6.9775, 9.551], [9.659, 9.934], [8.826, 9.8375],
                [9.2595, 9.895],
            ]),
        .init(
            .altbeacon, "presence_itag", exits: [25, 51, 138, 295, 75, 184, 150],
            delays: [
                [9.371, 9.8654], [9.007, 9.7673], [8.272, 9.655], [6.1655, 9.3239], [9.332, 9.8388], [7.9045, 9.5854],
                [8.922, 9.7848],
            ]),
        .init(
            .altbeacon, "presence_sal", exits: [1, 1, 1, 3, 6, 16, 1],
            delays: [
                [9.9, 10.0], [9.9, 10.0], [9.8, 9.9333], [9.2, 9.8333], [9.9, 10.0], [9.7333, 9.9333], [9.6667, 10.0],
            ]),
    ]
}
