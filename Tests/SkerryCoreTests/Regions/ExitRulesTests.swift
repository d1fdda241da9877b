import Testing

@testable import SkerryCore

/// Regions with an exit time of their own, and what is remembered after an exit.
@Suite struct ExitRulesTests {
    private static func region(_ name: String, exitTime: Double? = nil) -> BeaconRegion {
        BeaconRegion(name: name, uuid: Packet.office, exitTime: exitTime)!
    }

    private func trace(_ packets: [Timed], _ regions: [BeaconRegion], _ kind: EventKind = .region) throws -> [String] {
        try Playback(packets, regions: regions, profile: .adaptive).trace(kind)
    }

    /// A beacon heard twice a second for ten seconds: the learned exit time is the shortest, 8 s.
    private static let heard: [Timed] = (0..<20).map { (Double($0) / 2, Packet.iBeacon()) }

    @Test func eachRegionIsLeftByItsOwnTime() throws {
        let regions = [
            Self.region("learned"), Self.region("quick", exitTime: 3), Self.region("slow", exitTime: 60),
            Self.region("slow too", exitTime: 60),
        ]
        #expect(
            try trace(Self.heard + [(100, Packet.other)], regions) == [
                "0.0 enter learned", "0.0 enter quick", "0.0 enter slow", "0.0 enter slow too",
                "12.5 exit quick", "17.5 exit learned", "69.5 exit slow", "69.5 exit slow too",
            ])
    }

    @Test func whoIsHeardAgainEntersWhatItHadLeft() throws {
        let regions = [Self.region("quick", exitTime: 3), Self.region("slow", exitTime: 60)]
        let again: [Timed] = [(15, Packet.iBeacon()), (30, Packet.other)]
        #expect(
            try trace(Self.heard + again, regions) == [
                "0.0 enter quick", "0.0 enter slow", "12.5 exit quick", "15.0 enter quick", "18.0 exit quick",
            ])
    }

    @Test func aBeaconIsListedUntilItHasLeftTheRegion() throws {
        let regions = [Self.region("quick", exitTime: 3), Self.region("slow", exitTime: 60)]
        let reports = try Playback(Self.heard + [(30, Packet.other)], regions: regions, profile: .adaptive).rangings
        let quick = reports.filter { $0.ranging.region == 0 }
        #expect(quick.last { !$0.ranging.beacons.isEmpty }?.seconds == 12)
        #expect(quick.last?.seconds == 13)
        #expect(reports.filter { $0.ranging.region == 1 }.last?.seconds == 30)
    }

    @Test func anUnheardRegionIsDeterminedByItsOwnTime() throws {
        let regions = [Self.region("quick", exitTime: 3), Self.region("slow", exitTime: 60), Self.region("learned")]
        #expect(
            try trace([(0, Packet.other), (100, Packet.other)], regions) == [
                "3.0 determined quick", "30.0 determined learned", "60.0 determined slow",
            ])
    }

    @Test func theEvidenceNamesTheRule() throws {
        let playback = try Playback(
            Self.heard + [(100, Packet.other)], regions: [Self.region("learned"), Self.region("own", exitTime: 60)],
            profile: .adaptive)
        let bases = playback.events.compactMap { event in
            if case .region(let change) = event.content { change.beaconEvidence?.basis } else { nil }
        }
        #expect(bases == [.fewSightings, .region, .minimum, .region])
    }

    /// A false exit teaches: the gap after which the beacon came back makes the next exit later.
    @Test func aGapAfterAnExitIsLearned() throws {
        let packets = Self.heard + [(30, Packet.iBeacon()), (60, Packet.iBeacon()), (150, Packet.other)]
        // 20.5 s, twice that is 41 s; then 30 s, twice that is 60 s.
        #expect(
            try trace(packets, [Self.region("door")]) == [
                "0.0 enter door", "17.5 exit door", "30.0 enter door", "120.0 exit door",
            ])
    }

    /// Who was away for longer than any gap could be is met anew.
    @Test func whatWasLearnedIsForgotten() throws {
        let packets = Self.heard + [(130, Packet.iBeacon()), (200, Packet.other)]
        #expect(
            try trace(packets, [Self.region("door")]) == [
                "0.0 enter door", "17.5 exit door", "130.0 enter door", "160.0 exit door",
            ])
    }

    @Test func boundsOfExitTimesAreTheSites() throws {
        var settings = ProximitySettings(profile: .adaptive)
        settings.exitTimes = 2...5
        let quick = try Playback(Self.heard + [(100, Packet.other)], regions: [Self.region("door")], settings: settings)
        #expect(quick.trace(.region) == ["0.0 enter door", "14.5 exit door"])
        settings.exitTimes = 60...100
        let slow = try Playback(Self.heard + [(100, Packet.other)], regions: [Self.region("door")], settings: settings)
        #expect(slow.trace(.region) == ["0.0 enter door", "69.5 exit door"])
    }

    @Test func sevenTimesAreTheMost() {
        let regions = (1...7).map { Self.region("\($0)", exitTime: Double($0)) } + [Self.region("8", exitTime: 7)]
        let rules = ExitRules(regions)
        #expect(regions.indices.map { rules[$0] } == [1, 2, 3, 4, 5, 6, 7, 7])
        for wrong in [0.999, 86_400.1, .nan, .infinity, -1] {
            #expect(BeaconRegion(name: "a", exitTime: wrong) == nil)
        }
    }

    /// Heard again at the very moment at which it would have been forgotten: it leaves once, and can leave again.
    @Test func aBeaconHeardWhenItIsForgottenLeavesAgain() throws {
        let packets: [Timed] = [
            (0, Packet.iBeacon()), (90, Packet.iBeacon()), (200, Packet.iBeacon()), (600, Packet.other),
        ]
        #expect(
            try trace(packets, [Self.region("door")]) == [
                "0.0 enter door", "30.0 exit door", "90.0 enter door", "120.0 exit door", "200.0 enter door",
                "230.0 exit door",
            ])
    }

    /// Many beacons come and go in few slots, heard by two sources: who is heard every second stays.
    @Test(arguments: 0..<10) func whoIsHeardStaysWhateverItsSlotHeldBefore(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var captures: [[Timed]] = [[], []]
        for second in 0..<400 {
            captures[0].append((Double(second), Packet.iBeacon(major: 7)))
            for source in 0..<2 where UInt8.random(in: 0..<3, using: &random) == 0 {
                let minor = UInt16.random(in: 0..<40, using: &random)
                captures[source].append((Double(second) + 0.1, Packet.iBeacon(major: 8, minor: minor)))
            }
            if UInt8.random(in: 0..<40, using: &random) == 0 {
                captures[1].append((Double(second) + 0.2, Packet.scan(Bool.random(using: &random))))
            }
        }
        let regions = [
            BeaconRegion(name: "kept", uuid: Packet.office, major: 7, exitTime: 20)!,
            BeaconRegion(name: "crowd", uuid: Packet.office, major: 8, exitTime: 5)!,
        ]
        let playback = try Playback(
            [BTSnoopFile(captures[0]).stream(name: "a"), BTSnoopFile(captures[1]).stream(name: "b")], regions: regions,
            settings: ProximitySettings(profile: .adaptive))
        let trace = playback.trace(.region)
        #expect(trace.filter { $0.hasSuffix("kept") } == ["0.0 enter kept"])
        let crowd = trace.filter { $0.hasSuffix("crowd") }.map { $0.split(separator: " ")[1] }
        #expect(zip(crowd, crowd.dropFirst()).allSatisfy { $0 != $1 })
    }
}
