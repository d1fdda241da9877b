import Testing

@testable import SkerryCore

/// Captures that come in pieces, as reads of a file or a pipe give them.
@Suite struct ReadingTests {
    /// Plays captures whose bytes come in pieces of the sizes that `size` gives.
    private func lines(_ captures: [(name: String, bytes: [UInt8])], size: () -> Int) throws -> [String] {
        let regions = [BeaconRegion(name: "all", uuid: Packet.office)!]
        let engine = Engine(
            settings: ProximitySettings(profile: .apple), regions: regions, wanted: Playback.allEvents, seed: 1)
        var replay = Replay(engine: engine, version: "1", command: "replay", seed: 1)
        var rests = captures.map { $0.bytes[...] }
        func read(_ number: Int, _ room: UnsafeMutableRawBufferPointer) -> Int {
            let piece = rests[number].prefix(min(size(), room.count))
            rests[number] = rests[number].dropFirst(piece.count)
            room.copyBytes(from: piece)
            return piece.count
        }
        for (number, capture) in captures.enumerated() {
            var stream = CaptureStream(name: capture.name)
            repeat { stream.supply { read(number, $0) } } while try !stream.recognise()
            replay.add(stream)
        }
        var line = JSONLine(capacity: 64)
        var writer = EventLine(wanted: Playback.allEvents, regions: ["all"])
        while true {
            let step = replay.run()
            writer.write(replay.engine.events, sources: replay.engine.sourceNames, to: &line)
            replay.drain()
            switch step {
            case .finished: return line.takeString().split(separator: "\n").map(String.init)
            case .needsBytes(let number): replay.supply(input: number) { read(number, $0) }
            case .hasEvents, .reachedLimit, .allPaused: break
            }
        }
    }

    private func expectSameEventsHoweverRead(_ captures: [(name: String, bytes: [UInt8])]) throws {
        let regions = [BeaconRegion(name: "all", uuid: Packet.office)!]
        let whole = captures.map { CaptureStream(name: $0.name, bytes: $0.bytes) }
        let expected = try Playback(whole, regions: regions).lines()
        var generator = SeededGenerator(seed: 4)
        #expect(try lines(captures, size: { .max }) == expected)
        #expect(try lines(captures, size: { 1 }) == expected)
        #expect(try lines(captures, size: { Int.random(in: 1...100, using: &generator) }) == expected)
    }

    private static let snoop = BTSnoopFile([
        (0, Packet.iBeacon()), (0.5, Packet.scan(true)), (1, Packet.extended([2, 1, 6], eventType: 0x20)),
        (1.1, Packet.extended(Array(Packet.iBeacon(minor: 2).dropFirst(14).dropLast()))), (50, Packet.other),
    ]).bytes

    /// Plain reports pass by themselves where packets stand bare or as H4, but not behind a direction: no event may tell.
    @Test func plainReportsCountLikeAllOthers() throws {
        var generator = SeededGenerator(seed: 11)
        let packets = [
            Packet.iBeacon(), Packet.other, Packet.scan(true), Packet.report([]), Packet.report([2, 1, 6, 0, 0]),
            Packet.report([5, 0x16, 0xAA, 0xFE, 0x30, 1]), Packet.report([3, 0x16, 0x6F, 0xFD], rssi: 127),
            Packet.extended([2, 1, 6], eventType: 0x20), Packet.extended([2, 1, 6]),
            Packet.extended([1, 9], addressType: 0xFF), Packet.event([0x0B, 1] + [UInt8](repeating: 1, count: 16)),
        ]
        for _ in 0..<200 {
            let records = (0..<40).map { _ in
                var packet = packets.randomElement(using: &generator)!
                if Bool.random(using: &generator) {
                    let place = packet.indices.randomElement(using: &generator)!
                    packet[place] = [0, 1, 2, 0x16, .random(in: 0...255, using: &generator)].randomElement(
                        using: &generator)!
                }
                return packet.hex
            }
            let bare = CaptureStream(name: "a", bytes: PcapTests.file(link: 187, records))
            let directed = CaptureStream(name: "a", bytes: PcapTests.file(link: 201, records.map { "00000001" + $0 }))
            #expect(try Playback([bare]).lines() == Playback([directed]).lines())
        }
    }

    @Test func aCaptureGivesTheSameEventsHoweverItsBytesAreRead() throws {
        try expectSameEventsHoweverRead([("a", Self.snoop)])
        try expectSameEventsHoweverRead([("a", PcapTests.file(link: 187, [Packet.iBeacon().hex, Packet.other.hex]))])
        try expectSameEventsHoweverRead([
            ("a", [UInt8](hex: "0000000e5edfaba3000088b8001cfd0251000000000e5edfaba4000088b8001cfd025100"))
        ])
        try expectSameEventsHoweverRead([
            ("a", [UInt8](hex: "07000100f70c855cd8cc0a00040f040001000007000100f70c855cd8cc0a00040f0400010000"))
        ])
    }

    private static let blocks: [UInt8] = {
        let file = PcapngFile()
        return file.section() + file.interface(187) + file.block(0xBAD, [UInt8](repeating: 7, count: 300).hex)
            + file.packet(0, ticks: 1_700_000_000_000_000, Packet.iBeacon().hex) + file.packet(4, ticks: 0, "04")
            + file.packet(0, ticks: 1_700_000_002_000_000, Packet.other.hex)
    }()

    @Test func blocksGiveTheSameEventsHoweverTheirBytesAreRead() throws {
        try expectSameEventsHoweverRead([("a", Self.blocks)])
    }

    @Test(arguments: [1, 23, 24, 60, 120])
    func aCutCaptureGivesTheSameEventsHoweverItsBytesAreRead(missing: Int) throws {
        try expectSameEventsHoweverRead([("a", Self.snoop.dropLast(missing))])
        try expectSameEventsHoweverRead([("a", Self.blocks.dropLast(missing))])
    }

    @Test func aCaptureCutInABlockThatIsPassedGivesTheSameEventsHoweverItsBytesAreRead() throws {
        let file = PcapngFile()
        let bytes = Self.blocks + file.block(0xBAD, [UInt8](repeating: 7, count: 300).hex).dropLast(5)
        try expectSameEventsHoweverRead([("a", bytes)])
    }

    @Test func capturesThatAreMergedGiveTheSameEventsHoweverTheirBytesAreRead() throws {
        try expectSameEventsHoweverRead([("a", Self.snoop), ("b", Self.blocks), ("c", Self.snoop)])
    }

    /// Two captures that are cut in their first record: their errors come behind the start.
    @Test func startComesFirstEvenWhereNoCaptureHasAWholeRecord() throws {
        let cut = Array(Self.snoop.prefix(50))
        try expectSameEventsHoweverRead([("a", cut), ("b", cut)])
        let found = try lines([("a", cut), ("b", cut)], size: { .max })
        #expect(found.first?.hasPrefix("{\"event\":\"start\",") == true)
        #expect(found.count == 4)
    }

    /// Records longer than a read, and more bytes than the buffer holds.
    @Test func aCaptureLargerThanTheBufferIsReadThrough() throws {
        var file = BTSnoopFile()
        for number in 0..<40 {
            file.add([UInt8](repeating: 0xFF, count: 40_000), at: Double(number))
            file.add(Packet.iBeacon(minor: UInt16(number)), at: Double(number))
        }
        let found = try lines([("a", file.bytes)], size: { 65_536 })
        let expected = try Playback(
            [file.stream(name: "a")], regions: [BeaconRegion(name: "all", uuid: Packet.office)!]
        ).lines()
        #expect(found == expected)
        #expect(found.count { $0.hasPrefix("{\"event\":\"advertisement\"") } == 40)
    }
}
