import Testing

@testable import SkerryCore

/// A sudden silence of everything is the scanner's, not the beacons'.
@Suite struct DeafnessTests {
    private static let door = BeaconRegion(name: "door", uuid: Packet.office)!

    /// So many beacons, each heard twice a second; their learned exit time is the shortest, 8 s.
    private static func crowd(_ beacons: Int, _ seconds: Range<Int>) -> [Timed] {
        var packets: [Timed] = []
        for half in seconds.lowerBound * 2..<seconds.upperBound * 2 {
            for beacon in 0..<beacons {
                packets.append((Double(half) / 2 + Double(beacon) / 10, Packet.iBeacon(minor: UInt16(beacon))))
            }
        }
        return packets
    }

    private func play(_ packets: [Timed], _ profile: Profile = .adaptive) throws -> Playback {
        try Playback(packets, regions: [Self.door], profile: profile)
    }

    @Test(arguments: Profile.allCases, [40, 3600, 86_400 * 365] as [Double])
    func aHoleIsNoExitOfMany(profile: Profile, hole: Double) throws {
        let before = Self.crowd(4, 0..<20)
        let after = Self.crowd(4, 0..<20).map { ($0.seconds + 20 + hole, $0.packet) }
        let playback = try play(before + after, profile)
        #expect(playback.trace(.region) == ["0.0 enter door"])
        #expect(
            playback.trace(.scanner) == [
                "0.0 listening", "29.8 deaf: nothing was heard for 10 s; the exit times wait",
                "\(20 + hole) listening", "\(39.8 + hole) ended",
            ])
    }

    /// Two may have left in company: after a minute their silence counts.
    @Test func aHoleWaitsAMinuteForTwo() throws {
        let heard = Self.crowd(2, 0..<20)  // the last at 19.6
        #expect(try play(heard + [(60, Packet.other)]).trace(.region) == ["0.0 enter door"])
        let playback = try play(heard + [(200, Packet.other)])
        #expect(playback.trace(.region) == ["0.0 enter door", "87.6 exit door"])
        #expect(
            playback.trace(.scanner) == [
                "0.0 listening", "29.6 deaf: nothing was heard for 10 s; the exit times wait",
                "81.6 listening: nothing was heard for 62 s; the silence counts again", "200.0 ended",
            ])
        let left = try #require(
            playback.events.compactMap { if case .region(let change) = $0.content { change } else { nil } }.last)
        #expect(left.beaconEvidence!.silence == 8 * .second)
        #expect(abs(left.beaconEvidence!.listening - 8.0 / 68) < 1e-9)
    }

    @Test func oneBeaconAloneLeaves() throws {
        #expect(
            try play(Self.crowd(1, 0..<20) + [(100, Packet.other)]).trace(.region)
                == ["0.0 enter door", "27.5 exit door"])
    }

    /// While anything else is heard, the scanner hears.
    @Test func whoLeavesWhileOthersAreHeardHasLeft() throws {
        let others: [Timed] = (20..<60).map { (Double($0), Packet.other) }
        #expect(try play(Self.crowd(4, 0..<20) + others).trace(.region) == ["0.0 enter door", "27.8 exit door"])
    }

    @Test func aDeafScannerKnowsNoDistance() throws {
        let playback = try play(Self.crowd(4, 0..<20) + [(60, Packet.other)])
        let shown = playback.rangings.map { ($0.seconds, Set($0.ranging.beacons.map(\.proximity))) }
        #expect(shown.first { $0.0 == 25 }?.1 == [.near])
        #expect(shown.filter { 30..<60 ~= $0.0 }.allSatisfy { $0.1 == [.unknown] })
        #expect(shown.contains { 30..<60 ~= $0.0 })
    }

    /// No region is found to be outside in time in which nothing could be heard.
    @Test func nothingIsDeterminedByTheDeaf() throws {
        let other = BeaconRegion(name: "other", uuid: Packet.office, major: 9)!
        let playback = try Playback(
            Self.crowd(4, 0..<20) + Self.crowd(4, 60..<80), regions: [other], profile: .adaptive)
        // Listened: until 21.8, and from 60 on.
        #expect(playback.trace(.region) == ["68.2 determined other"])
    }

    /// The hole ends in the middle of the grace: nothing is told and nothing lost.
    @Test func aShortHoleIsNotTold() throws {
        let playback = try play(Self.crowd(4, 0..<20) + Self.crowd(4, 27..<40))
        #expect(playback.trace(.scanner) == ["0.0 listening", "39.8 ended"])
        #expect(playback.trace(.region) == ["0.0 enter door"])
    }

    /// What is decided does not depend on what is asked for, nor on how the capture comes in.
    @Test(arguments: 0..<30) func exitsAreWhenTheyAre(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var packets: [Timed] = []
        var now = 0.0
        while now < 300 {
            now += [0.1, 0.3, 0.9, 2.5, 7, 20].randomElement(using: &random)!
            let minor = UInt16.random(in: 0..<UInt16(seed % 5 + 1), using: &random)
            packets.append(
                (now, UInt8.random(in: 0..<6, using: &random) == 0 ? Packet.other : Packet.iBeacon(minor: minor)))
        }
        let regions = [
            Self.door, BeaconRegion(name: "one", uuid: Packet.office, major: 1, minor: 1, exitTime: 3)!,
            BeaconRegion(name: "two", uuid: Packet.office, major: 1, minor: 2, exitTime: 15)!,
        ]
        let all = try Playback(packets, regions: regions, profile: .adaptive)
        let decisions = all.lines(EventKinds(.region)).map { $0.replacing(/"seq":[0-9]+/, with: "") }
        let alone = try Playback(
            [BTSnoopFile(packets).stream()], regions: regions, settings: ProximitySettings(profile: .adaptive),
            wanted: EventKinds(.region))
        #expect(alone.lines(EventKinds(.region)).map { $0.replacing(/"seq":[0-9]+/, with: "") } == decisions)
        for change in all.events {
            guard case .region(let transition) = change.content, transition.transition == .exit else { continue }
            #expect(transition.beaconEvidence!.silence == transition.beaconEvidence!.timeout)
        }
    }

    /// Whatever is heard: listened time never goes back, never runs faster than time, and a moment of it is found again.
    @Test(arguments: 0..<20) func listenedTimeIsAClock(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var now = BTSnoopFile.begin
        var clock = ScannerClock(listeningSince: now)
        var listened: Int64 = 0
        for _ in 0..<3000 {
            let step = [0, 1, 300_000, 1_999_999, 2_000_001, 15_000_000, 63_000_000, 9_000_000_000].randomElement(
                using: &random)!
            let target = listened + Int64.random(in: 0...70_000_000, using: &random)
            let moment = clock.moment(ofListened: target, after: now)
            if moment != .never {
                #expect(clock.listened(at: moment) == target)
                if moment > now { #expect(clock.listened(at: moment + -1) < target) }
            }
            now = now + Int64(step)
            let later = clock.listened(at: now)
            #expect(later >= listened && later - listened <= Int64(step))
            listened = later
            switch UInt8.random(in: 0..<20, using: &random) {
            case 0: clock.set(listening: Bool.random(using: &random), filtersDuplicates: false, at: now)
            case 1..<6: break
            default:
                _ = clock.hear(at: now)
                clock.sight(Int.random(in: 0..<Int(seed % 6 + 1), using: &random), at: now)
            }
            #expect(clock.listened(at: now) == listened)
        }
    }
}
