import Testing

@testable import SkerryCore

/// One beacon as several sources hear it.
@Suite struct SeveralSourcesTests {
    private static let door = BeaconRegion(name: "door", uuid: Packet.office)!

    private func play(_ a: [Timed], _ b: [Timed]) throws -> Playback {
        try Playback([BTSnoopFile(a).stream(name: "a"), BTSnoopFile(b).stream(name: "b")], regions: [Self.door])
    }

    @Test func theNearestDecides() throws {
        let playback = try play(
            [(0, Packet.iBeacon(rssi: -80)), (0.5, Packet.iBeacon(rssi: -80)), (1, Packet.other)],
            [(0.1, Packet.iBeacon(rssi: -60)), (1, Packet.other)])
        let ranged = try #require(playback.rangings.first?.ranging.beacons)
        try #require(ranged.count == 1)
        #expect(ranged[0].rssi == -60 && ranged[0].samples == 1)
        #expect(Playback.seconds(ranged[0].lastSeen) == 0.5)
    }

    @Test func aBeaconEntersOnceAndExitsWhenAllAreSilent() throws {
        let end: [Timed] = [(100, Packet.other)]
        let early: [Timed] = [(0, Packet.iBeacon()), (5, Packet.iBeacon())]
        let late: [Timed] = [(2, Packet.iBeacon()), (20, Packet.iBeacon())]
        for (a, b) in [(early, late), (late, early)] {
            #expect(
                try play(a + end, b + end).trace(.region) == [
                    "\(min(a[0].seconds, b[0].seconds)) enter door", "50.0 exit door",
                ])
        }
    }

    @Test func aSourceThatIsDeafHasNoSay() throws {
        let playback = try play(
            [(0, Packet.iBeacon()), (5, Packet.scan(false)), (100, Packet.other)],
            [(3, Packet.iBeacon()), (100, Packet.other)])
        #expect(playback.trace(.region) == ["0.0 enter door", "33.0 exit door"])
    }

    @Test func nobodyExitsWhileEverySourceIsDeaf() throws {
        let playback = try play(
            [(0, Packet.iBeacon()), (5, Packet.scan(false)), (100, Packet.other)],
            [(3, Packet.iBeacon()), (6, Packet.scan(false)), (100, Packet.other)])
        #expect(playback.trace(.region) == ["0.0 enter door"])
    }

    @Test func eachSourceEndsUnderItsName() throws {
        let playback = try play([(0, Packet.other)], [(2, Packet.other)])
        #expect(playback.trace(.scanner) == ["0.0 listening", "0.0 ended", "2.0 listening", "2.0 ended"])
        #expect(playback.sources == ["a", "b"])
    }

    /// What only a capture that has ended has heard leaves by the listening of the others.
    @Test func whoOnlyAnEndedSourceHasHeardLeaves() throws {
        let playback = try play(
            [(0, Packet.iBeacon()), (5, Packet.other)], [(1, Packet.other), (10, Packet.other), (100, Packet.other)])
        #expect(playback.trace(.region) == ["0.0 enter door", "30.0 exit door"])
        let later = try play(
            [(0, Packet.iBeacon()), (5, Packet.other)], [(50, Packet.other), (60, Packet.other), (100, Packet.other)])
        #expect(later.trace(.region) == ["0.0 enter door", "75.0 exit door"])
    }

    /// The others may not reach it: what only a paused source has heard waits for it.
    @Test func whoOnlyAPausedSourceHasHeardWaitsForIt() throws {
        let listening: [Timed] = [(0, Packet.other), (1, Packet.iBeacon(minor: 9)), (590, Packet.other)]
        for (a, left) in [
            ([(595, Packet.other)], []), ([(500, Packet.scan(true)), (540, Packet.other)], ["525.0 exit door"]),
        ] as [([Timed], [String])] {
            let playback = try play([(0, Packet.iBeacon()), (5, Packet.scan(false))] + a, listening)
            #expect(playback.trace(.region).filter { !$0.contains("enter") } == left, "\(a)")
        }
    }

    /// Nobody is waited for longer than ten minutes; then another one's listening counts, where one listens.
    @Test func whoIsGoneForGoodIsNotWaitedForForEver() throws {
        let gone: [Timed] = [(0, Packet.iBeacon()), (5, Packet.scan(false)), (2000, Packet.other)]
        #expect(
            try play(gone, [(0, Packet.other), (2000, Packet.other)]).trace(.region)
                == ["0.0 enter door", "630.0 exit door"])
        let pausing: [Timed] = [
            (0, Packet.other), (610, Packet.scan(false)), (1000, Packet.scan(true)), (2000, Packet.other),
        ]
        #expect(try play(gone, pausing).trace(.region) == ["0.0 enter door", "1020.0 exit door"])
        let late: [Timed] = [(0, Packet.scan(false)), (1000, Packet.scan(true)), (2000, Packet.other)]
        #expect(try play(gone, late).trace(.region) == ["0.0 enter door", "1025.0 exit door"])
        #expect(try play(gone, [(0, Packet.scan(false)), (2000, Packet.other)]).trace(.region) == ["0.0 enter door"])
    }

    /// A stand-in has listened for 10 s when the source comes back: they count.
    @Test func whatAStandInHasListenedCounts() throws {
        let back: [Timed] = [
            (0, Packet.iBeacon()), (5, Packet.scan(false)), (615, Packet.scan(true)), (700, Packet.other),
        ]
        #expect(
            try play(back, [(0, Packet.other), (700, Packet.other)]).trace(.region)
                == ["0.0 enter door", "630.0 exit door"])
    }

    /// An adapter that was frozen or shielded: everything falls silent at once, while another hears its own.
    @Test func whoOnlyADeafSourceHasHeardWaitsForItToo() throws {
        var crowd: [Timed] = []
        for half in 0..<40 {
            for beacon in 0..<4 {
                let seconds = Double(half) / 2 + Double(beacon) / 10
                crowd.append((seconds, Packet.iBeacon(minor: UInt16(beacon))))
            }
        }
        func play(_ more: [Timed]) throws -> [String] {
            try Playback(
                [
                    BTSnoopFile(crowd + more).stream(name: "a"),
                    BTSnoopFile([(0, Packet.other), (1000, Packet.other)]).stream(name: "b"),
                ], regions: [Self.door], settings: ProximitySettings(profile: .adaptive)
            ).trace(.region)
        }
        let back = try play([(620, Packet.iBeacon()), (621, Packet.iBeacon()), (628, Packet.iBeacon())])
        #expect(back == ["0.0 enter door"] || Double(back[1].prefix { $0 != " " })! >= 636, "\(back)")
        // Deaf since 21.8; the last one was heard at 19.8.
        #expect(try play([(1000, Packet.other)]) == ["0.0 enter door", "627.8 exit door"])
    }

    /// The evidence is that of the source that listened.
    @Test func theSourceThatListenedDecides() throws {
        let playback = try play(
            [(0, Packet.iBeacon()), (5, Packet.scan(false)), (100, Packet.other)],
            [(3, Packet.iBeacon()), (100, Packet.other)])
        let left = try #require(
            playback.events.compactMap { if case .region(let change) = $0.content { change } else { nil } }.last)
        #expect(
            left.transition == .exit && left.beaconEvidence!.silence == 30 * .second
                && left.beaconEvidence!.listening == 1)
    }
}
