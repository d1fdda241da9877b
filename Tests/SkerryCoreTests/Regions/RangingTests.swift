import Testing

@testable import SkerryCore

/// Reports once a second on what is near.
@Suite struct RangingTests {
    private static let beacon = Packet.iBeacon()

    /// The beacons of the first report.
    private func firstReport(_ packets: [Timed], measuredPower: Int8 = -59) throws -> [RangedBeacon] {
        var settings = ProximitySettings(profile: .apple)
        settings.defaultMeasuredPower = measuredPower
        let playback = try Playback(packets + [(1, Packet.other)], settings: settings)
        return try #require(playback.rangings.first).ranging.beacons
    }

    @Test func reportsComeAtWholeSecondsFromTheFirstRecord() throws {
        let playback = try Playback([(0.25, Packet.other), (2, Self.beacon), (4.5, Packet.other)])
        #expect(playback.trace(.ranging) == ["2.25 * 1/1=near", "3.25 * 1/1=unknown", "4.25 * 1/1=unknown"])
    }

    @Test func noReportComesBeforeABeaconIsKnown() throws {
        #expect(try Playback([(0, Packet.other), (20, Packet.other)]).trace(.ranging) == [])
    }

    @Test func aReportThatIsDueAtTheLastRecordIsMade() throws {
        #expect(try Playback([(0, Self.beacon), (1, Packet.other)]).trace(.ranging) == ["1.0 * 1/1=near"])
        #expect(try Playback([(0, Packet.other), (1, Self.beacon)]).trace(.ranging) == ["1.0 * 1/1=near"])
        #expect(try Playback([(0, Self.beacon), (0.999_999, Packet.other)]).trace(.ranging) == [])
    }

    @Test func aBeaconIsListedUntilItsExitThenComesOneReportWithoutIt() throws {
        let playback = try Playback([(0, Packet.other), (0.5, Self.beacon), (40, Packet.other)])
        let trace = playback.trace(.ranging)
        #expect(trace.count == 31)
        #expect(trace.first == "1.0 * 1/1=near")
        #expect(trace.suffix(2) == ["30.0 * 1/1=unknown", "31.0 *"])
    }

    @Test func theLastReportHasTheOthers() throws {
        let region = BeaconRegion(name: "all", uuid: Packet.office)!
        let playback = try Playback(
            [(0, Packet.iBeacon(minor: 1)), (0, Packet.iBeacon(minor: 2)), (30.5, Packet.iBeacon(minor: 2))],
            regions: [region])
        #expect(playback.trace(.ranging).last == "30.0 all")
        let other = try Playback(
            [(0, Packet.iBeacon(minor: 1)), (29.5, Packet.iBeacon(minor: 2)), (31, Packet.other)], regions: [region])
        #expect(other.trace(.ranging).suffix(2) == ["30.0 all 1/2=near", "31.0 all 1/2=unknown"])
    }

    @Test func reportsBeginAgainWithTheNextBeacon() throws {
        let playback = try Playback([(0, Self.beacon), (60.5, Self.beacon), (61, Packet.other)])
        #expect(playback.trace(.ranging).suffix(2) == ["30.0 *", "61.0 * 1/1=near"])
    }

    /// RSSI with a measured power of -59, accuracy in free space, zone.
    @Test(
        arguments: [
            (-59, 1, .near), (-79, 10, .far), (-53, 0.5011872, .near), (-52, 0.4466836, .immediate),
            (-68, 2.8183829, .near),
            (-69, 3.1622777, .far), (-1, 0.0012589, .immediate), (-127, 2511.8864315, .far),
        ] as [(Int8, Double, Proximity)])
    func accuracyIsTheDistanceInFreeSpace(rssi: Int8, accuracy: Double, proximity: Proximity) throws {
        let ranged = try #require(try firstReport([(0, Packet.iBeacon(rssi: rssi))]).first)
        #expect(abs(try #require(ranged.accuracy) - accuracy) < 1e-6 * max(1, accuracy))
        #expect(ranged.proximity == proximity)
        #expect(ranged.rssi == Double(rssi) && ranged.samples == 1)
        #expect(!ranged.hasImplausibleMeasuredPower)
    }

    @Test(
        arguments: [
            (0, true), (127, true), (58, true), (-19, true), (-1, true), (-20, false), (-58, false), (-128, false),
        ] as [(Int8, Bool)])
    func aMeasuredPowerThatCannotBeIsFlaggedAndTheDefaultUsed(power: Int8, isFlagged: Bool) throws {
        let ranged = try #require(
            try firstReport([(0, Packet.iBeacon(power: power, rssi: -60))], measuredPower: -50).first)
        #expect(ranged.hasImplausibleMeasuredPower == isFlagged)
        let model = DistanceModel.pathLoss(exponent: 2)
        let expected = model.distance(measuredPower: isFlagged ? -50 : Double(power), level: -60)
        #expect(ranged.accuracy == expected && expected.isFinite)
    }

    @Test func flagsStandInTheLine() throws {
        let playback = try Playback([(0, Packet.iBeacon(power: 0, rssi: -60)), (1, Packet.other)])
        #expect(
            playback.lines(EventKinds(.ranging)) == [
                """
                {"event":"ranging","time":"2023-11-14T22:13:21.000000Z","seq":1,"region":"*","beacons":[{\
                "uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1,"proximity":"near","accuracy":1.12,\
                "rssi":-60,"samples":1,"lastSeen":"2023-11-14T22:13:20.000000Z",\
                "measuredPower":-59,"flags":["implausibleMeasuredPower"]}]}
                """
            ])
    }

    /// Values from 0 to 20 are reported, others are unavailable; none of them tells how near a beacon is.
    @Test(
        arguments: [
            (0, 0), (1, 1), (20, 20), (21, nil), (79, nil), (127, nil), (-128, nil),
        ] as [(Int8, Int8?)])
    func levelsThatCannotBeEnterNoFilter(byte: Int8, reported: Int8?) throws {
        let playback = try Playback([(0, Packet.iBeacon(rssi: byte)), (1, Packet.other)])
        #expect(playback.advertisements.map(\.rssi) == [reported])
        #expect(playback.statistics.reports == 2)
        #expect(playback.statistics.rssiUnavailable == (reported == nil ? 1 : 0))
        let ranged = try #require(playback.rangings.first?.ranging.beacons.first)
        #expect(ranged.accuracy == nil && ranged.proximity == .unknown && ranged.rssi == nil && ranged.samples == 1)
        // A level among them alone decides.
        let mixed = try firstReport([
            (0, Packet.iBeacon(rssi: byte)), (0.1, Packet.iBeacon(rssi: -79)), (0.2, Packet.iBeacon(rssi: byte)),
        ])
        #expect(mixed.first?.rssi == -79 && mixed.first?.samples == 3)
        #expect(abs(try #require(mixed.first?.accuracy) - 10) < 1e-6)
    }

    @Test func rssiIsTheMeanSinceTheLastReport() throws {
        let playback = try Playback([
            (0, Packet.iBeacon(rssi: -60)), (0.5, Packet.iBeacon(rssi: -63)), (0.6, Packet.iBeacon(rssi: -62)),
            (1, Packet.iBeacon(rssi: -80)), (1.5, Packet.iBeacon(rssi: -70)), (3, Packet.other),
        ])
        let beacons = playback.rangings.compactMap(\.ranging.beacons.first)
        #expect(beacons.map(\.samples) == [4, 1, 0])
        #expect(beacons.map(\.rssi) == [-66.25, -70, nil])
        #expect(beacons.map { Playback.seconds($0.lastSeen) } == [1, 1.5, 1.5])
    }

    @Test func accuracyIsOfTheMeanOfTenSeconds() throws {
        let playback = try Playback([
            (0, Packet.iBeacon(rssi: -59)), (5, Packet.iBeacon(rssi: -79)), (12, Packet.iBeacon(rssi: -99)),
            (12.5, Packet.other), (13, Packet.other),
        ])
        let byTime = Dictionary(
            uniqueKeysWithValues: playback.rangings.map { ($0.seconds, $0.ranging.beacons.first?.accuracy) })
        let model = DistanceModel.pathLoss(exponent: 2)
        #expect(byTime[5] == model.distance(measuredPower: -59, level: -69))
        #expect(byTime[12] == model.distance(measuredPower: -59, level: -89))
        #expect(byTime[13] == .some(nil))
    }

    /// Nearest first; what is not known last; ties by identity.
    @Test func beaconsAreInOrderOfNearness() throws {
        let other = ProximityUUID(high: 1, low: 0)
        let ranged = try firstReport([
            (0, Packet.iBeacon(minor: 1, rssi: -80)), (0, Packet.iBeacon(minor: 2, rssi: -50)),
            (0, Packet.iBeacon(minor: 3, rssi: 0)), (0, Packet.iBeacon(other, minor: 9, rssi: 0)),
            (0, Packet.iBeacon(minor: 5, power: -79, rssi: -80)), (0, Packet.iBeacon(major: 0, minor: 4, rssi: 5)),
            (0, Packet.iBeacon(minor: 7, power: -39, rssi: -60)), (0, Packet.iBeacon(minor: 6, power: -59, rssi: -80)),
        ])
        #expect(ranged.map(\.identity.minor) == [2, 5, 7, 1, 6, 9, 4, 3])
    }

    @Test func eachRegionHasItsOwnReportInOrderOfConfiguration() throws {
        let regions = [
            BeaconRegion(name: "two", uuid: Packet.office, major: 2)!,
            BeaconRegion(name: "one", uuid: Packet.office, major: 1)!,
            BeaconRegion(name: "none", uuid: ProximityUUID(high: 1, low: 1))!,
        ]
        let playback = try Playback(
            [(0, Self.beacon), (0, Packet.iBeacon(major: 2)), (1, Packet.other)], regions: regions)
        #expect(playback.trace(.ranging) == ["1.0 two 2/1=near", "1.0 one 1/1=near"])
    }

    @Test func reportsAreMadeAtTheEndsOfTime() throws {
        for begin in [Timestamp.earliest, Timestamp(seconds: 0, microseconds: 0), .latest + -2 * .second] {
            let offset = Double(begin.microseconds - BTSnoopFile.begin.microseconds) / 1e6
            let playback = try Playback([(offset, Self.beacon), (offset + 1.5, Packet.other)])
            let accuracies = playback.rangings.map { $0.ranging.beacons.first?.accuracy }
            #expect(accuracies == [1], "\(begin.text)")
        }
    }
}
