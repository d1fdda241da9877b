import Testing

@testable import SkerryCore

/// A run that goes on from an earlier one: on the engine's clock, in seconds since the first record.
@Suite struct RestoredStateTests {
    private static let door = BeaconRegion(name: "door", uuid: Packet.office, major: 1)!
    private static let beacon = Packet.iBeacon()

    private static func saved(
        _ state: RegionState, _ region: BeaconRegion = door, fix: Fix? = nil
    ) -> SavedState {
        SavedState(
            time: BTSnoopFile.begin + -60 * .second, fix: fix,
            regions: [SavedState.Region(name: region.name, definition: RegionDefinition(region), state: state)])
    }

    private func play(
        _ packets: [Timed], _ state: SavedState?, _ regions: [BeaconRegion] = [door]
    ) throws -> Playback {
        try Playback([BTSnoopFile(packets).stream()], regions: regions, restoring: state)
    }

    private func transitions(_ playback: Playback) -> [RegionTransition] {
        playback.events.compactMap { if case .region(let transition) = $0.content { transition } else { nil } }
    }

    @Test func whoWasInsideDoesNotEnterAgain() throws {
        let playback = try play(
            [(0, Packet.other), (5, Self.beacon), (20, Self.beacon), (60, Packet.other)], Self.saved(.inside))
        #expect(playback.trace(.region) == ["0.0 determined door", "50.0 exit door"])
        let restored = try #require(transitions(playback).first)
        #expect(restored.state == .inside && restored.from == .unknown && restored.reason == .restored)
        #expect(restored.evidence == .saved(.beacon, until: BTSnoopFile.begin + -60 * .second))
        #expect(
            playback.lines(EventKinds(.region)).first
                == #"{"event":"region","time":"2023-11-14T22:13:20.000000Z","seq":1,"region":"door","kind":"beacon","transition":"determined","state":"inside","from":"unknown","reason":"restored","evidence":{"saved":"2023-11-14T22:12:20.000000Z"}}"#
        )
    }

    /// Beacons that are not heard any more were there in the last run; the exit belongs to this one.
    @Test func aWholeExitTimeOfListeningWithoutABeaconLeaves() throws {
        #expect(
            try play([(0, Packet.other), (29.9, Packet.other)], Self.saved(.inside)).trace(.region) == [
                "0.0 determined door"
            ])
        let playback = try play([(0, Packet.other), (31, Packet.other)], Self.saved(.inside))
        #expect(playback.trace(.region) == ["0.0 determined door", "30.0 exit door"])
        let left = try #require(transitions(playback).last)
        #expect(left.from == .inside && left.state == .outside && left.reason == .silence && left.by == nil)
        #expect(left.beaconEvidence?.silence == 30 * .second && left.beaconEvidence?.lastSeen == nil)
    }

    @Test func deafIsNotGone() throws {
        let playback = try play(
            [(0, Packet.scan(false)), (100, Packet.scan(true)), (129, Packet.other), (131, Packet.other)],
            Self.saved(.inside))
        #expect(playback.trace(.region) == ["0.0 determined door", "130.0 exit door"])
    }

    @Test func whoWasOutsideEnters() throws {
        let playback = try play([(0, Packet.other), (40, Self.beacon)], Self.saved(.outside))
        #expect(playback.trace(.region) == ["0.0 determined door", "40.0 enter door"])
        #expect(transitions(playback).last?.from == .outside)
    }

    @Test func whatWasUnknownIsNotTold() throws {
        #expect(
            try play([(0, Packet.other), (31, Packet.other)], Self.saved(.unknown)).trace(.region) == [
                "30.0 determined door"
            ])
    }

    @Test(
        arguments: [
            BeaconRegion(name: "door", uuid: Packet.office, major: 2)!,
            BeaconRegion(name: "door", uuid: Packet.office)!,
            BeaconRegion(name: "door", uuid: Packet.office, major: 1, minor: 1)!,
            BeaconRegion(name: "door", uuid: ProximityUUID(high: 1, low: 1), major: 1)!,
            BeaconRegion(name: "hall", uuid: Packet.office, major: 1)!,
        ])
    func whatIsDefinedOtherwiseStartsAfresh(region: BeaconRegion) throws {
        #expect(try play([(0, Self.beacon)], Self.saved(.inside, region)).trace(.region) == ["0.0 enter door"])
    }

    @Test func anExitTimeOfItsOwnIsNoOtherRegion() throws {
        let patient = BeaconRegion(name: "door", uuid: Packet.office, major: 1, exitTime: 45)!
        #expect(
            try play([(0, Packet.other), (100, Packet.other)], Self.saved(.inside), [patient]).trace(.region)
                == ["0.0 determined door", "45.0 exit door"])
    }

    /// One that the earlier run did not have is determined on its own.
    @Test func newRegionsStandBesideRestoredOnes() throws {
        let hall = BeaconRegion(name: "hall", uuid: Packet.office)!
        #expect(
            try play(
                [(0, Packet.other), (5, Self.beacon), (40, Packet.other)], Self.saved(.inside), [hall, Self.door]
            )
            .trace(.region) == ["0.0 determined door", "5.0 enter hall", "35.0 exit hall", "35.0 exit door"])
    }

    @Test func theRegionOfEveryBeaconHasNoState() throws {
        let playback = try play([(0, Self.beacon)], nil, [Playback.everything])
        #expect(playback.state?.regions.isEmpty == true)
    }

    @Test func nothingIsSavedBeforeTheFirstRecord() throws {
        let playback = try play([], Self.saved(.inside))
        #expect(playback.state == nil && playback.trace(.region) == [])
    }

    /// Wherever a run is cut in two, the regions tell the same, but for what is said at the start of the second.
    @Test func twoRunsTellWhatOneTells() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<30 {
            var time = 0.0
            let packets: [Timed] = (0..<60).map { _ in
                time += Double.random(in: 0.5...12, using: &generator)
                let packet = [Self.beacon, Packet.other, Packet.iBeacon(major: 2)].randomElement(using: &generator)!
                return (time, packet)
            }
            let regions = [Self.door, BeaconRegion(name: "two", uuid: Packet.office, major: 2)!]
            let cut = Int.random(in: 10..<50, using: &generator)
            let first = try play(Array(packets.prefix(cut)), nil, regions)
            let second = try play(Array(packets.dropFirst(cut)), first.state, regions)
            let told = (transitions(first) + transitions(second)).filter { $0.reason != .restored }
            // Entries and exits take turns.
            for region in regions.indices {
                let turns = told.filter { $0.region == region && $0.transition != .determined }.map(\.transition)
                for (turn, transition) in turns.enumerated() { #expect(transition == (turn % 2 == 0 ? .enter : .exit)) }
            }
        }
    }

    // MARK: Circles and places

    private static let home = FixTrack.circle()

    private static func saved(circle state: RegionState, _ circle: CircularRegion = home) -> SavedState {
        SavedState(
            time: BTSnoopFile.begin, fix: nil,
            regions: [SavedState.Region(name: circle.name, definition: RegionDefinition(circle), state: state)])
    }

    private func play(
        _ fixes: [(Double, metres: Double)], _ state: SavedState, staleness: Double? = nil
    ) throws -> Playback {
        var settings = CircleSettings()
        settings.staleness = staleness
        let lines = fixes.map { seconds, metres in
            let place = FixTrack.fix(0, metres).coordinate
            return GPSLines.fix(seconds, place.latitude, place.longitude, #","eph":10"#)
        }
        return try Playback(
            [], logs: [GPSLines.log(lines)], regions: [Self.door], circles: [Self.home], circleSettings: settings,
            restoring: state)
    }

    @Test func aCircleGoesOnFromItsState() throws {
        let playback = try play([(0, 0), (1, 500), (2, 500)], Self.saved(circle: .inside))
        #expect(playback.trace(.region) == ["0.0 determined home", "2.0 exit home"])
        #expect(transitions(playback).first?.evidence == .saved(.circular, until: BTSnoopFile.begin))
        #expect(
            try play([(0, 0), (1, 0)], Self.saved(circle: .outside)).trace(.region)
                == ["0.0 determined home", "1.0 enter home"])
    }

    @Test func aCircleThatIsMovedStartsAfresh() throws {
        let playback = try play([(0, 0)], Self.saved(circle: .outside, FixTrack.circle(radius: 101)))
        #expect(playback.trace(.region) == ["0.0 determined home"])
        #expect(transitions(playback).first?.reason == .location)
    }

    /// Without a fix a restored state grows old like any other.
    @Test func aRestoredCircleGrowsOld() throws {
        let state = Self.saved(circle: .inside)
        var settings = CircleSettings()
        settings.staleness = 20
        let playback = try Playback(
            [BTSnoopFile([(0, Packet.other), (25, Packet.other)]).stream()], regions: [], circles: [Self.home],
            circleSettings: settings, restoring: state)
        #expect(playback.trace(.region) == ["0.0 determined home", "20.0 determined home"])
        #expect(transitions(playback).last?.state == .unknown)
    }

    @Test func changesThatAreNotToldAreCounted() {
        var monitor = CircleMonitor([FixTrack.circle(notifyOnEntry: false, notifyOnExit: false)])
        #expect(monitor.trace([FixTrack.fix(0, 0)]).count == 1 && monitor.changes == 1)
        #expect(monitor.trace([FixTrack.fix(1, 500), FixTrack.fix(2, 500)]).isEmpty && monitor.changes == 2)
        #expect(monitor.trace([FixTrack.fix(3, 500)]).isEmpty && monitor.changes == 2)
    }

    @Test func theLastFixIsToldWithItsAge() throws {
        var fix = FixTrack.fix(0, 0)
        fix.time = BTSnoopFile.begin + -90 * .second
        let playback = try play([(5, Self.beacon)], Self.saved(.outside, fix: fix))
        let entered = try #require(transitions(playback).last)
        #expect(entered.geotag?.location?.age == 95 * .second && entered.geotag?.location?.fix == fix)
        #expect(playback.state?.fix == fix)
        // Of a fix that lies ahead no age is known.
        fix.time = BTSnoopFile.begin + 6 * .second
        #expect(transitions(try play([(5, Self.beacon)], Self.saved(.outside, fix: fix))).last?.geotag == nil)
    }

    /// Where to go is told only from where the device is now.
    @Test func theLastFixShowsNoWay() throws {
        var settings = LocationSettings()
        settings.destination = FixTrack.place
        var fix = FixTrack.fix(0, 1000)
        fix.time = BTSnoopFile.begin
        let lines = [GPSLines.compass(1, 90), GPSLines.fix(2, 47, 8)]
        let playback = try Playback(
            [], logs: [GPSLines.log(lines)], location: settings, restoring: Self.saved(.outside, fix: fix))
        #expect(playback.trace(.guidance) == ["2.0 0.0 m ? true"])
        // The declination of the last place holds.
        #expect(playback.headings.first?.trueHeading != nil)
    }
}
