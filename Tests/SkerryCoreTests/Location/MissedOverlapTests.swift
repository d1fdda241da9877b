import Testing

@testable import SkerryCore

@Suite("A log that shares no moment with a capture")
struct MissedOverlapTests {
    private static let day = 86_400.0
    /// 1,024 weeks, seconds.
    private static let era = 619_315_200.0

    private func span(_ first: Double, _ last: Double) -> ClosedRange<Timestamp> {
        BTSnoopFile.begin + Int64(first * 1e6)...BTSnoopFile.begin + Int64(last * 1e6)
    }

    @Test("a moment in common is enough", arguments: [(0.0, 5.0), (-20, 0), (10, 20), (-5, 15), (3, 3)])
    func overlapping(first: Double, last: Double) {
        #expect(MissedOverlap(span(first, last), [span(0, 10)]) == nil)
        #expect(MissedOverlap(span(first, last), [span(-900, -800), span(0, 10)]) == nil)
    }

    /// The capture is that of seconds 0 to 10.
    @Test(
        "the offset is that of a time zone, else what lets both begin together",
        arguments: [
            (3601, 3605, -3591, -3600), (-7210, -7190, 7190, 7200), (43_190, 43_201, -43_180, -43_200),
            // 4 h 30 min, 5 h 45 min: but a whole hour may do as well.
            (-16_200, -16_190, 16_190, 16_200), (-20_695, -20_690, 20_690, 20_700), (-20_695, -10, 10, 3600),
            (100, 102.5, -90, -100), (10.25, 12, -0.25, -10.25), (15 * 3600, 15 * 3600 + 5, -53_990, -54_000),
            (era + 3, era + 4, 7 - era, -era), (-5 * day, -4 * day, 4 * day, 5 * day),
        ] as [(Double, Double, Double, Double)])
    func offsets(first: Double, last: Double, gap: Double, offset: Double) throws {
        let missed = try #require(MissedOverlap(span(first, last), [span(0, 10)]))
        #expect(Double(missed.gap) / 1e6 == gap)
        #expect(Double(missed.offset) / 1e6 == offset)
        // It does join them.
        #expect(MissedOverlap(span(first + offset, last + offset), [span(0, 10)]) == nil)
    }

    @Test("the nearest capture counts; without one there is none to miss")
    func nearest() throws {
        let missed = try #require(
            MissedOverlap(span(3600, 3610), [span(-900_000, -800_000), span(0, 10), span(9, 10)]))
        #expect(missed.gap == -3590 * .second && missed.offset == -3600 * .second)
        #expect(MissedOverlap(span(0, 1), []) == nil)
    }

    /// Whatever is wanted of the run.
    @Test("a replay tells it beside the events, and counts the offset that was given")
    func replay() throws {
        func advice(_ seconds: Double, offset: Double = 0, hasCapture: Bool = true) throws -> [String] {
            let engine = Engine(
                settings: ProximitySettings(profile: .apple), regions: [Playback.everything],
                wanted: EventKinds(.region), seed: 1)
            var replay = Replay(engine: engine, version: "1", command: "replay", seed: 1)
            if hasCapture {
                var capture = BTSnoopFile([(0, Packet.iBeacon()), (5, Packet.other), (10, Packet.other)]).stream()
                try #require(try capture.recognise())
                replay.add(capture)
            }
            let log = GPSLines.log([GPSLines.fix(seconds, 47, 8), GPSLines.fix(seconds + 4, 47, 8)])
            replay.add(log, offset: Int64(offset * 1e6))
            while replay.run() != .finished { replay.drain() }
            return replay.advice
        }
        #expect(
            try advice(3603) == [
                "log.json: it has no time in common with a capture: it begins 3593 s after the nearest has ended. "
                    + "If a clock was wrong or of another time zone, --gps-offset -3600 joins them"
            ])
        #expect(
            try advice(3603, offset: 100) == [
                "log.json: it has no time in common with a capture: it begins 3693 s after the nearest has ended. "
                    + "If a clock was wrong or of another time zone, --gps-offset -3603 joins them"
            ])
        #expect(try advice(3603, offset: -3600) == [])
        #expect(
            try advice(-4.5) == [
                "log.json: it has no time in common with a capture: it ends less than 1 s before the nearest begins. "
                    + "If a clock was wrong or of another time zone, --gps-offset 4.5 joins them"
            ])
        #expect(try advice(3603, hasCapture: false) == [])
    }
}
