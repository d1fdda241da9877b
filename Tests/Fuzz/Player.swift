/// Plays captures with all events on but `start`, which no input can change, and checks what is written.
enum Player {
    private static let wanted = EventKinds(EventKind.allCases.filter { $0 != .start }.map(EventKinds.init))

    private static let regions: [BeaconRegion] = {
        let uuid = ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")!
        return [
            BeaconRegion(name: "any")!, BeaconRegion(name: "uuid \"\\", uuid: uuid)!,
            BeaconRegion(name: "major", uuid: uuid, major: 1, isMonitored: false)!,
            BeaconRegion(name: "minor\n", uuid: uuid, major: 1, minor: 1)!,
        ]
    }()

    /// Copied for each run: their tables are made once. After a sighting come as many seconds of ranging as the exit time
    /// has, alike but for the time; most are therefore of the profile with the shortest.
    private nonisolated(unsafe) static let fresh = (0..<16).map { number in
        let profile: Profile = number < 2 ? .apple : number < 8 ? .adaptive : .altbeacon
        let engine = Engine(settings: ProximitySettings(profile: profile), regions: regions, wanted: wanted, seed: 1)
        return Replay(engine: engine, version: "fuzz", command: "replay", seed: 1)
    }
    private nonisolated(unsafe) static let freshLines = EventLine(wanted: wanted, regions: regions.map(\.name))

    /// Plays a capture that must be recognised.
    static func play(capture bytes: [UInt8]) {
        var stream = CaptureStream(name: "fuzz", bytes: bytes)
        guard (try? stream.recognise()) == true else { fatalError("a good capture is not recognised") }
        _ = play(stream, sum: sum(bytes))
    }

    /// Plays a recognised stream that holds all its bytes, and checks the lines.
    ///
    /// - Returns: The lines.
    static func play(_ stream: CaptureStream, sum: UInt8) -> JSONLine {
        var replay = fresh[Int(sum >> 4)]
        replay.add(stream)
        let line = finish(&replay) { _, _ in fatalError("more bytes wanted than there are") }
        check(line, isSequenced: true)
        return line
    }

    /// The sum of an input's bytes, which chooses among the ways to play it.
    static func sum(_ bytes: [UInt8]) -> UInt8 { bytes.reduce(0, &+) }

    /// Plays a capture that is supplied bit by bit.
    ///
    /// - Returns: The lines; `nil` where it is not recognised.
    static func play(pieces bytes: [UInt8], sum: UInt8) -> JSONLine? {
        var stream = CaptureStream(name: "fuzz")
        var rest = bytes[...]
        var size = 7
        func piece(_ room: UnsafeMutableRawBufferPointer) -> Int {
            size = size * 3 % 251  // another length each time
            let piece = rest.prefix(min(size, room.count))
            room.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
        do {
            while try !stream.recognise() { stream.supply(piece) }
        } catch {
            return nil
        }
        var replay = fresh[Int(sum >> 4)]
        replay.add(consume stream)  // which is else copied, to be kept whole
        return finish(&replay) { replay, capture in replay.supply(input: capture, piece) }
    }

    /// Explains a payload in each of the ways.
    static func explain(_ bytes: [UInt8], as kinds: [Explanation.Kind]) {
        for kind in kinds {
            var line = JSONLine(capacity: 4096)
            Explanation.write(bytes, kind: kind, to: &line)
            check(line, isSequenced: false)
        }
    }

    private static func finish(_ replay: inout Replay, _ supply: (inout Replay, Int) -> Void) -> JSONLine {
        var lines = freshLines
        var line = JSONLine(capacity: 4096)
        while true {
            let step = replay.run()
            lines.write(replay.engine.events, sources: replay.engine.sourceNames, to: &line)
            replay.drain()
            switch step {
            case .hasEvents: continue
            case .needsBytes(let capture): supply(&replay, capture)
            case .reachedLimit, .allPaused: fatalError("a limit that was not given")
            case .finished: return line
            }
        }
    }

    private static func check(_ line: borrowing JSONLine, isSequenced: Bool) {
        line.withBytes { bytes in
            let start = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
            guard let wrong = check_lines(start, bytes.count, isSequenced ? 1 : 0) else { return }
            fatalError("\(String(cString: wrong)) in:\n\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
