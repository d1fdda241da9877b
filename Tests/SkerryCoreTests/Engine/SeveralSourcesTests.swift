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

    @Test func whoOnlyAPausedSourceHasHeardLeavesWhileAnotherListens() throws {
        let playback = try play(
            [(0, Packet.iBeacon()), (5, Packet.scan(false)), (200, Packet.other)],
            [(0, Packet.other), (10, Packet.scan(false)), (100, Packet.scan(true)), (200, Packet.other)])
        // Listened: 0 to 10, and from 100 on.
        #expect(playback.trace(.region) == ["0.0 enter door", "120.0 exit door"])
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
