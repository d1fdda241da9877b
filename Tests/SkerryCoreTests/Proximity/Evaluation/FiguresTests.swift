import Testing

@testable import SkerryCore

@Suite struct FiguresTests {
    /// A recording of measured power -59 with an advert a second: seconds, RSSI, distance.
    static func recording(_ seconds: Range<Int>, _ sample: (Int) -> (rssi: Int8, distance: Double?)) -> Recording {
        let samples = seconds.map { second in
            let (rssi, distance) = sample(second)
            return Recording.Sample(
                time: Timestamp(seconds: Int64(second), microseconds: 0), rssi: rssi, distance: distance, label: nil,
                losses: 0)
        }
        return Recording(session: "s", measuredPower: -59, hasLosses: false, samples: samples)
    }

    @Test func ticksBeginASecondAfterTheFirstAdvert() {
        let recording = Self.recording(5..<9) { _ in (-60, nil) }
        #expect(recording.ticks.map(\.microseconds) == [6_000_000, 7_000_000, 8_000_000])
        #expect(recording.heard == [1, 2, 3])
        #expect(Self.recording(5..<6) { _ in (-60, nil) }.ticks.isEmpty)
    }

    @Test(arguments: [
        ([1, 1, 1, 3, 3, 3], false, [1, 1, 1, 3, 3]),
        ([1, 2, 3, 4, 4, 4], true, [1.667, 2.5, 3.5, 4, 4]),
        ([1, 3, 1, 1, 1, 1], true, [2.333, 2, 1, 1, 1]),
        ([2, 2, 2, 2, 2, 2], false, [2, 2, 2, 2, 2]),
    ])
    func whatWasWalkedIsInterpolated(_ distances: [Double], isWalked: Bool, truth: [Double]) {
        var recording = Self.recording(0..<6) { (-60, distances[$0]) }
        // Ticks lie half-way between the adverts from the second on.
        for index in 1..<6 { recording.samples[index].time = recording.samples[index].time + 500_000 }
        #expect(recording.isWalked == isWalked)
        #expect(recording.distances.map { ($0 * 1000).rounded() / 1000 } == truth)
    }

    @Test func quantilesAreInterpolated() {
        #expect([3, 1, 2].median == 2)
        #expect([4, 1, 3, 2].median == 2.5)
        #expect([0, 10].quantile(0.9) == 9)
        #expect([5].quantile(0.9) == 5)
        #expect([Double]().median == nil && [Double]().mean == nil && [Double]().quantile(0.5) == nil)
    }

    @Test func errorsAndConfusionsAreCounted() throws {
        // At measured power `apple` shows 1 m: near. 20 dB less is 10 m, 20 dB more 0.1 m.
        let recordings = [
            Self.recording(0..<11) { _ in (-59, 2) }, Self.recording(0..<11) { _ in (-79, 5) },
            Self.recording(0..<11) { _ in (-39, 0.1) }, Self.recording(0..<11) { _ in (-59, nil) },
        ]
        let figures = try #require(DistanceFigures(recordings, profile: .apple))
        #expect(figures.count == 30)
        #expect(figures.confusion == [[10, 0, 0], [0, 10, 0], [0, 0, 10]])
        #expect(abs(figures.medianError - 1) < 1e-9)
        #expect(abs(figures.meanError - 2) < 1e-9)
        #expect(abs(figures.logRMSE - 0.6931 * (2.0 / 3).squareRoot()) < 1e-4)
        #expect(figures.accuracy == 1 && figures.balancedAccuracy == 1)
        #expect(DistanceFigures([recordings[3]], profile: .apple) == nil)
    }

    @Test(arguments: Profile.allCases) func aSteadyLevelDoesNotFlap(_ profile: Profile) throws {
        let recording = Self.recording(0..<131) { _ in (-60, 1) }
        let figures = try #require(FlapFigures([recording], profile: profile))
        #expect(figures.changes == 0)
        #expect(abs(figures.hours - 120.0 / 3600) < 1e-9)
        #expect(FlapFigures([Self.recording(0..<22) { _ in (-60, 1) }], profile: profile) == nil)
        #expect(FlapFigures([Self.recording(0..<99) { (-60, $0 < 50 ? 1 : 2) }], profile: profile) == nil)
    }

    @Test func evidenceOutlastsNoise() throws {
        // Two weak and two strong seconds in turn: a mean follows, the CUSUM waits.
        let recording = Self.recording(0..<131) { ($0 / 20 % 2 == 0 ? -60 : -61, 1) }
        let apple = try #require(FlapFigures([recording], profile: .apple))
        let adaptive = try #require(FlapFigures([recording], profile: .adaptive))
        #expect(apple.changes >= 5)
        #expect(adaptive.changes == 0)
    }

    @Test(arguments: [(Profile.adaptive, 0.0...4), (.apple, 5...6), (.altbeacon, 7...13)])
    func aMoveIsTimed(_ profile: Profile, _ delay: ClosedRange<Double>) throws {
        let move = Self.recording(0..<95) { (30..<60).contains($0) ? (-75, 6) : (-55, 1) }
        let alike = Self.recording(0..<95) { (30..<60).contains($0) ? (-55, 6) : (-55, 1) }
        let other = Self.recording(0..<95) { (40..<60).contains($0) ? (-75, 6) : (-55, 1) }
        let figures = try #require(ReactionFigures([move, alike, other], profile: profile))
        #expect(figures.recordings == 2)
        #expect(figures.away.count == 1)
        #expect(delay.contains(figures.away[0]), "\(figures.away)")
        #expect(ReactionFigures([other], profile: profile) == nil)
    }

    @Test func crossingsAreCounted() throws {
        var recording = Self.recording(0..<236) { ($0 / 30 % 2 == 0 ? -50 : -75, nil) }
        for index in recording.samples.indices {
            recording.samples[index].label = index / 30 % 2 == 0 ? .inside : .outside
        }
        let figures = try #require(DoorwayFigures([recording], profile: .apple))
        #expect([figures.crossings, figures.missed, figures.extraChanges] == [4, 0, 0])
        #expect((4.0...6).contains(figures.medianDelay ?? -1))
        #expect(abs(figures.hours - 118.0 / 3600) < 1e-9)
    }

    @Test func exitsAreCounted() throws {
        // Present for 300 s; 40 s of them silent, 15 s lost in the first loss scenario.
        var recording = Self.recording(0..<301) { _ in (-60, nil) }
        for index in recording.samples.indices { recording.samples[index].label = .present }
        for index in 100..<115 { recording.samples[index].losses = 1 }
        recording.samples.removeSubrange(200..<240)
        #expect(PresenceFigures.all([recording], profile: .apple).map(\.loss) == [.clean])
        let masked = Recording(session: "s", measuredPower: -59, hasLosses: true, samples: recording.samples)
        for (profile, exits) in [(Profile.apple, [1, 1]), (.altbeacon, [1, 2]), (.adaptive, [1, 2])] {
            let figures = PresenceFigures.all([masked], profile: profile)
            #expect(figures.map(\.loss) == PresenceFigures.Loss.allCases)
            #expect(figures.prefix(2).map(\.falseExits) == exits, "\(profile)")
            #expect(abs(figures[0].hours - 300.0 / 3600) < 1e-9)
        }
        let apple = PresenceFigures.all([masked], profile: .apple)[0]
        // The beacon's end falls on whole seconds: what is left of 30 s.
        #expect(apple.medianDelay == 30)
    }

    @Test func aLineHoldsWhatWasMeasured() throws {
        var line = JSONLine(capacity: 64)
        Evaluation([Self.recording(0..<11) { _ in (-59, 2) }], profile: .apple).write(file: "a \"b\".csv", to: &line)
        let text = line.takeString()
        #expect(
            text == """
                {"file":"a \\"b\\".csv","profile":"apple","sessions":1,"adverts":11,"distance":{"count":10,\
                "medianError":1,"meanError":1,"logRMSE":0.6931,"accuracy":1,"balancedAccuracy":1,\
                "confusion":[[0,0,0],[0,10,0],[0,0,0]]}}

                """)
    }
}
