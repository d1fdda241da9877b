import Testing

@testable import SkerryCore

/// Captures merged by time, and that nothing but their bytes decides what comes out.
@Suite struct ReplayTests {
    /// Two files that tell of the same minute, with equal times among them, and of different kinds.
    private static func captures() -> [CaptureStream] {
        let a: [Timed] = [
            (0, Packet.iBeacon(minor: 1)), (1, Packet.iBeacon(minor: 2, rssi: -70)), (1, Packet.iBeacon(minor: 3)),
            (40, Packet.iBeacon(minor: 1)), (39, Packet.iBeacon(minor: 4)), (75, Packet.other),
        ]
        let b: [Timed] = [
            (0.5, Packet.iBeacon(minor: 1, rssi: -62)), (1, Packet.iBeacon(minor: 5)), (40, Packet.scan(false)),
            (41, Packet.scan(true)), (80, Packet.iBeacon(minor: 1)),
        ]
        let section = PcapngFile()
        let c = section.section() + section.interface(187) + section.packet(9, ticks: 0, "04")
        let ticks = UInt64(BTSnoopFile.begin.microseconds + 1_000_000)
        let packets = section.packet(0, ticks: ticks, Packet.iBeacon(minor: 6).hex)
        return [
            BTSnoopFile(a).stream(name: "a"), BTSnoopFile(b).stream(name: "b"),
            CaptureStream(name: "c", bytes: c + packets + packets.dropLast(9)),
        ]
    }

    private static let regions = [
        BeaconRegion(name: "one", uuid: Packet.office, major: 1, minor: 1)!,
        BeaconRegion(name: "all", uuid: Packet.office)!,
    ]

    @Test func recordsComeByTimeThenByNameOfTheCapture() throws {
        let playback = try Playback(
            [
                BTSnoopFile([
                    (0, Packet.iBeacon(rssi: -1)), (2, Packet.iBeacon(rssi: -2)), (2, Packet.iBeacon(rssi: -3)),
                ])
                .stream(name: "b"),
                BTSnoopFile([
                    (1, Packet.iBeacon(rssi: -4)), (2, Packet.iBeacon(rssi: -5)), (3, Packet.iBeacon(rssi: -6)),
                ])
                .stream(name: "a"),
            ])
        #expect(playback.advertisements.map(\.rssi) == [-1, -4, -5, -2, -3, -6])
        #expect(playback.statistics.files == 2 && playback.statistics.records == 6)
        #expect(Playback.seconds(playback.statistics.first!) == 0)
        #expect(Playback.seconds(playback.statistics.last!) == 3)
    }

    /// A record whose clock went back keeps its place in its file and comes when the file's clock says.
    @Test func filesKeepTheirOwnOrder() throws {
        let playback = try Playback([
            BTSnoopFile([(10, Packet.iBeacon(rssi: -1)), (2, Packet.iBeacon(rssi: -2))]).stream(name: "a"),
            BTSnoopFile([(5, Packet.iBeacon(rssi: -3)), (20, Packet.iBeacon(rssi: -4))]).stream(name: "b"),
        ])
        #expect(playback.advertisements.map(\.rssi) == [-3, -1, -2, -4])
        #expect(playback.statistics.timeJumps == 1)
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
    func theOrderOfTheCapturesDoesNotMatter(order: [Int]) throws {
        let captures = Self.captures()
        let expected = try Playback(captures, regions: Self.regions).lines()
        #expect(try Playback(order.map { captures[$0] }, regions: Self.regions).lines() == expected)
        #expect(expected.count > 100)
    }

    @Test(arguments: [0, 1, .max, 0x5555_5555_5555_5555] as [UInt64])
    func theSeedOfTheHashesDoesNotShow(seed: UInt64) throws {
        let expected = try Playback(Self.captures(), regions: Self.regions, seed: 42).lines()
        #expect(try Playback(Self.captures(), regions: Self.regions, seed: seed).lines() == expected)
    }

    /// Nothing is computed for events that nobody wants; in those that are wanted it does not show.
    @Test(arguments: Profile.allCases)
    func whatIsWantedBesidesDoesNotShow(profile: Profile) throws {
        let settings = ProximitySettings(profile: profile)
        let whole = try Playback(Self.captures(), regions: Self.regions, settings: settings)
        // Those of captures alone.
        let kinds = EventKind.allCases.map(EventKinds.init).filter { !whole.lines($0).isEmpty }
        let expected = kinds.map { whole.lines($0) }
        #expect(kinds.count == 7)
        for choice in 1..<(1 << kinds.count) {
            let wanted = EventKinds(kinds.indices.filter { choice >> $0 & 1 == 1 }.map { kinds[$0] })
            let playback = try Playback(Self.captures(), regions: Self.regions, settings: settings, wanted: wanted)
            for (kind, lines) in zip(kinds, expected) where wanted.contains(kind) {
                #expect(playback.lines(kind) == lines)
            }
        }
    }

    @Test func startComesFirstAndStatisticsLast() throws {
        let playback = try Playback(Self.captures(), regions: Self.regions)
        #expect(playback.events.first?.kind == .start && playback.events.last?.kind == .statistics)
        #expect(playback.events.count { $0.kind == .start || $0.kind == .statistics } == 2)
        #expect(Playback.seconds(playback.events.first!.time!) == 0)
    }

    @Test func derivedEventsNeverGoBackInTime() throws {
        let kinds: [EventKind] = [.region, .ranging]
        let playback = try Playback(Self.captures(), regions: Self.regions)
        let times = playback.events.filter { kinds.contains($0.kind) }.map { $0.time! }
        #expect(times == times.sorted())
    }

    @Test func aCaptureWithoutRecordsIsACapture() throws {
        let playback = try Playback([BTSnoopFile([]).stream(name: "empty")])
        #expect(
            playback.lines() == [
                """
                {"event":"start","seq":1,"version":"1","schema":1,"command":"replay","profile":"apple","sources":\
                [{"name":"empty","kind":"btsnoop"}],"regions":[{"name":"*","kind":"beacon"}]}
                """,
                """
                {"event":"statistics","seq":2,"files":1,"records":0,"reports":0,"addresses":0,"beacons":{},\
                "identities":0,"malformed":{},"rssiUnavailable":0,"containerErrors":0,"timeJumps":0,"dropped":0,\
                "events":{}}
                """,
            ])
    }

    @Test func whatCannotBeReadIsAnErrorAndTheOthersGoOn() throws {
        var cut = BTSnoopFile([(0, Packet.other), (1, Packet.other)]).bytes
        cut.removeLast(3)
        let playback = try Playback([
            CaptureStream(name: "cut", bytes: cut), BTSnoopFile([(5, Packet.iBeacon())]).stream(name: "whole"),
        ])
        #expect(playback.errors.map(\.name) == [.cut])
        #expect(playback.errors.map(\.isRecoverable) == [false])
        #expect(playback.errors[0].message.hasPrefix("cut: record 2 at byte "))
        #expect(playback.advertisements.count == 1)
        #expect(playback.statistics.containerErrors == 1 && playback.statistics.records == 2)
    }

    @Test func faultsBeyondThoseOfAFewAreOnlyCounted() throws {
        let file = PcapngFile()
        let bad = file.packet(5, ticks: 0, "04")
        let bytes = file.section() + file.interface(187) + Array(repeatElement(bad, count: 1000).joined())
        let playback = try Playback([CaptureStream(name: "bad", bytes: bytes)])
        #expect(playback.errors.count == 16)
        #expect(playback.errors.allSatisfy { $0.isRecoverable && $0.name == .damaged })
        #expect(playback.statistics.containerErrors == 1000)
    }

    /// Beginnings of captures of every kind that end anywhere, and ones with bytes changed: each run ends in order.
    @Test func anyDamageToACaptureEndsInStatistics() throws {
        var generator = SeededGenerator(seed: 16)
        let wholes = [
            BTSnoopFile([(0, Packet.iBeacon()), (1, Packet.other), (1, Packet.scan(true))]).bytes,
            PcapTests.file(link: 187, [Packet.iBeacon().hex, Packet.other.hex]), Self.pcapng,
            [UInt8](hex: "0000000e5edfaba3000088b8001cfd0251000000000e5edfaba4000088b8001cfd025100"),
            [UInt8](hex: "07000100f70c855cd8cc0a00040f04000100000700 0100f70c855cd8cc0a00040f0400010000"),
        ]
        for whole in wholes {
            for _ in 0..<400 {
                var bytes = whole
                if Bool.random(using: &generator) {
                    bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
                }
                for _ in 0..<Int.random(in: 0..<5, using: &generator) where bytes.count > 32 {
                    let place = Int.random(in: 24..<bytes.count, using: &generator)
                    bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                }
                var stream = CaptureStream(name: "x", bytes: bytes)
                guard (try? stream.recognise()) == true else { continue }
                let playback = try Playback([CaptureStream(name: "x", bytes: bytes)], regions: Self.regions)
                #expect(playback.events.last?.kind == .statistics)
                for line in playback.lines() { #expect(JSONText(line) != nil, "\(line)") }
            }
        }
    }

    private static let pcapng: [UInt8] = {
        let file = PcapngFile()
        return file.section() + file.interface(201) + file.packet(0, ticks: 1, "00000001" + Packet.iBeacon().hex)
            + file.simplePacket("00000001" + Packet.other.hex)
    }()
}
