import Testing

@testable import SkerryCore

/// Entering, leaving, being determined: on the engine's clock, in seconds since the first record.
@Suite struct RegionMonitoringTests {
    private static let door = BeaconRegion(name: "door", uuid: Packet.office, major: 1, minor: 1)!
    private static let hall = BeaconRegion(name: "hall", uuid: Packet.office, major: 2)!
    private static let beacon = Packet.iBeacon()

    private func trace(_ packets: [Timed], _ regions: BeaconRegion...) throws -> [String] {
        try Playback(packets, regions: regions.isEmpty ? [Self.door] : regions).trace(.region)
    }

    private func transitions(_ playback: Playback) -> [RegionTransition] {
        playback.events.compactMap { if case .region(let transition) = $0.content { transition } else { nil } }
    }

    @Test func theFirstAdvertisementEnters() throws {
        let playback = try Playback([(0, Packet.other), (3.5, Self.beacon), (4, Self.beacon)], regions: [Self.door])
        #expect(playback.trace(.region) == ["3.5 enter door"])
        let entered = try #require(transitions(playback).first)
        #expect(entered.from == .unknown && entered.state == .inside && entered.reason == .advertisement)
        #expect(entered.by == BeaconIdentity(uuid: Packet.office, major: 1, minor: 1))
    }

    @Test func thirtySecondsOfSilenceLeave() throws {
        let playback = try Playback([(0, Self.beacon), (5, Self.beacon), (100, Packet.other)], regions: [Self.door])
        #expect(playback.trace(.region) == ["0.0 enter door", "35.0 exit door"])
        let left = try #require(transitions(playback).last)
        #expect(left.from == .inside && left.state == .outside && left.reason == .silence)
        #expect(left.by == BeaconIdentity(uuid: Packet.office, major: 1, minor: 1))
        #expect(Playback.seconds(left.beaconEvidence!.lastSeen!) == 5)
        #expect(left.beaconEvidence!.silence == 30 * .second && left.beaconEvidence!.timeout == 30 * .second)
        #expect(left.beaconEvidence!.samples == 2 && left.beaconEvidence!.listening == 1)
    }

    @Test func everySightingPutsTheExitOff() throws {
        let heard = stride(from: 0.0, through: 290, by: 29).map { ($0, Self.beacon) }
        #expect(try trace(heard + [(319.999, Packet.other)]) == ["0.0 enter door"])
        #expect(try trace(heard + [(320, Packet.other)]) == ["0.0 enter door", "320.0 exit door"])
    }

    @Test func whoComesBackEntersAgainFromOutside() throws {
        let playback = try Playback(
            [(0, Self.beacon), (50, Self.beacon), (51, Packet.other)], regions: [Self.door])
        #expect(playback.trace(.region) == ["0.0 enter door", "30.0 exit door", "50.0 enter door"])
        #expect(transitions(playback).last?.from == .outside)
        #expect(transitions(playback).last?.beaconEvidence?.samples == 1)
    }

    @Test func aWholeExitTimeWithoutABeaconDeterminesOutside() throws {
        #expect(try trace([(0, Packet.other), (29.999_999, Packet.other)]) == [])
        let playback = try Playback([(0, Packet.other), (30, Packet.other)], regions: [Self.door])
        #expect(playback.trace(.region) == ["30.0 determined door"])
        let determined = try #require(transitions(playback).first)
        #expect(determined.from == .unknown && determined.state == .outside && determined.by == nil)
        #expect(determined.beaconEvidence!.lastSeen == nil && determined.beaconEvidence!.silence == 30 * .second)
    }

    @Test func onlyRegionsThatAreStillUnknownAreDetermined() throws {
        #expect(
            try trace([(0, Packet.other), (10, Self.beacon), (35, Packet.other)], Self.hall, Self.door)
                == ["10.0 enter door", "30.0 determined hall"])
        // Who is determined outside may enter.
        #expect(
            try trace([(0, Packet.other), (40, Self.beacon)]) == ["30.0 determined door", "40.0 enter door"])
    }

    @Test func determiningTakesListenedTime() throws {
        #expect(
            try trace([
                (0, Packet.other), (10, Packet.scan(false)), (1000, Packet.scan(true)), (1020, Packet.other),
            ]) == ["1020.0 determined door"])
    }

    /// Exits that are due, the input's event, the transitions it causes, ranging.
    @Test func whatHappensAtOneInstantKeepsItsOrder() throws {
        let playback = try Playback([(0, Self.beacon), (30, Self.beacon), (30.5, Packet.other)], regions: [Self.door])
        let trace = playback.trace(.advertisement, .region, .ranging).filter { $0.hasPrefix("30.0 ") }
        #expect(trace == ["30.0 exit door", "30.0 heard -59", "30.0 enter door", "30.0 door 1/1=near"])
    }

    @Test func theClockStopsAtTheLastRecord() throws {
        let playback = try Playback([(0, Self.beacon), (29.999_999, Packet.other)], regions: [Self.door])
        #expect(playback.trace(.region) == ["0.0 enter door"])
        #expect(
            playback.trace(.scanner, .region, .ranging, .statistics).suffix(3)
                == ["29.0 door 1/1=unknown", "29.999999 ended", "29.999999 statistics"])
    }

    @Test func theEnginesTimeNeverDecreases() throws {
        let playback = try Playback(
            [
                (10, Self.beacon), (5, Packet.iBeacon(major: 2)), (4, Packet.other), (12, Packet.other),
                (11, Packet.other), (41, Packet.other),
            ], regions: [Self.door, Self.hall])
        #expect(playback.statistics.timeJumps == 3)
        #expect(
            playback.trace(.advertisement, .region)
                == [
                    "10.0 heard -59", "10.0 enter door", "5.0 heard -59", "10.0 enter hall", "40.0 exit door",
                    "40.0 exit hall",
                ])
        #expect(Playback.seconds(playback.statistics.first!) == 10)
        #expect(Playback.seconds(playback.statistics.last!) == 41)
    }

    @Test func aJumpBackOfYearsDoesNotStopTheExits() throws {
        let playback = try Playback(
            [(1e8, Self.beacon), (0, Packet.other), (60, Packet.other), (1e8 + 31, Packet.other)], regions: [Self.door])
        #expect(playback.trace(.region) == ["100000000.0 enter door", "100000030.0 exit door"])
    }

    @Test func aHoleOfYearsCostsNoWork() throws {
        let playback = try Playback([(0, Self.beacon), (2e11 + 0.5, Self.beacon)], regions: [Self.door])
        #expect(playback.trace(.region) == ["0.0 enter door", "30.0 exit door", "200000000000.5 enter door"])
        #expect(playback.trace(.ranging).count == 30)
    }

    @Test func overlappingRegionsReportInOrderOfConfiguration() throws {
        let regions = [
            BeaconRegion(name: "minor", uuid: Packet.office, major: 1, minor: 1)!, BeaconRegion(name: "any")!,
            BeaconRegion(name: "major", uuid: Packet.office, major: 1)!,
            BeaconRegion(name: "uuid", uuid: Packet.office)!,
            BeaconRegion(name: "again", uuid: Packet.office, major: 1)!,
        ]
        let playback = try Playback([(0, Self.beacon), (1, Packet.other), (30, Packet.other)], regions: regions)
        let names = ["minor", "any", "major", "uuid", "again"]
        #expect(playback.trace(.region) == names.map { "0.0 enter \($0)" } + names.map { "30.0 exit \($0)" })
        #expect(Array(playback.trace(.ranging).prefix(5)) == names.map { "1.0 \($0) 1/1=near" })
    }

    @Test func aRegionIsLeftWithTheLastOfItsBeacons() throws {
        let all = BeaconRegion(name: "all", uuid: Packet.office)!
        let playback = try Playback(
            [(0, Packet.iBeacon(minor: 1)), (20, Packet.iBeacon(minor: 2)), (100, Packet.other)], regions: [all])
        #expect(playback.trace(.region) == ["0.0 enter all", "50.0 exit all"])
        #expect(transitions(playback).last?.by?.minor == 2)
    }

    @Test func theRegionOfEveryBeaconHasNoTransitions() throws {
        #expect(try trace([(0, Self.beacon), (100, Packet.other)], Playback.everything) == [])
    }

    @Test func onlyIBeaconsBelongToRegions() throws {
        let frames = [
            "1bff4c00beace2c56db5dffb48d2b060d0f5a71096e000010001c500", "0d16aafe30ee0102030405060708",
            "16ff4c000215e2c56db5dffb48d2b060d0f5a71096e0", "",
        ]
        for frame in frames {
            #expect(try trace([(0, Packet.report([UInt8](hex: frame)))], BeaconRegion(name: "any")!) == [])
        }
    }

    /// A beacon whose button changes its UUID for a while.
    @Test func eachIdentityOfOneAddressHasItsOwnExit() throws {
        let pressed = ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E1")!
        let regions = [BeaconRegion(name: "up", uuid: Packet.office)!, BeaconRegion(name: "down", uuid: pressed)!]
        let playback = try Playback(
            [(0, Self.beacon), (1, Self.beacon), (2, Packet.iBeacon(pressed)), (31.5, Packet.iBeacon(pressed))]
                + [(33, Self.beacon), (62, Self.beacon), (63, Packet.other)], regions: regions)
        #expect(
            playback.trace(.region)
                == ["0.0 enter up", "2.0 enter down", "31.0 exit up", "33.0 enter up", "61.5 exit down"])
        #expect(playback.statistics.identities.count == 2)
        #expect(playback.statistics.addresses.count == 2)
    }

    @Test func oneIdentityFromManyAddressesIsOneBeacon() throws {
        let playback = try Playback(
            (0..<50).map { (Double($0) * 20, Packet.iBeacon(address: UInt64($0 + 1))) }, regions: [Self.door])
        #expect(playback.trace(.region) == ["0.0 enter door"])
        #expect(playback.statistics.identities.count == 1)
        #expect(playback.statistics.addresses.count == 50)
        #expect(playback.rangings.allSatisfy { $0.ranging.beacons.count == 1 })
    }

    @Test func aFloodOfEmptyAdvertsMakesNoIdentity() throws {
        let playback = try Playback(
            (0..<1000).map { (Double($0) / 100, Packet.report([], address: UInt64($0) << 8)) }, regions: [Self.door])
        #expect(playback.statistics.reports == 1000)
        #expect(playback.statistics.addresses.count == 1000)
        #expect(playback.statistics.identities.count == 0)
        #expect(playback.statistics.malformed == MalformationCounts())
        #expect(playback.trace(.region, .ranging) == [])
    }

    @Test func theScanResponseDoesNotWipeTheBeacon() throws {
        let response = Packet.event(
            [UInt8](hex: "02 01 04 01 0100000000c0 0c 020a00 0416535143 03ff0000 c5".replacing(" ", with: "")))
        let playback = try Playback(
            [(0, Self.beacon), (0.01, response), (1, Packet.other), (2, Packet.other)], regions: [Self.door])
        #expect(playback.statistics.reports == 4)
        #expect(playback.trace(.region) == ["0.0 enter door"])
        #expect(playback.trace(.ranging) == ["1.0 door 1/1=near", "2.0 door 1/1=unknown"])
    }
}
