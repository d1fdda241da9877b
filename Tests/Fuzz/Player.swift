/// Plays captures with all events on and checks what is written.
enum Player {
    private static let wanted = EventKinds(EventKind.allCases.map(EventKinds.init))

    private static let regions: [BeaconRegion] = {
        let uuid = ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")!
        return [
            BeaconRegion(name: "any")!, BeaconRegion(name: "uuid \"\\", uuid: uuid)!,
            BeaconRegion(name: "major", uuid: uuid, major: 1)!,
            BeaconRegion(name: "minor\n", uuid: uuid, major: 1, minor: 1)!,
            BeaconRegion(name: BeaconRegion.everything, isMonitored: false)!,
        ]
    }()

    /// Copied for each run: its tables are made once.
    private nonisolated(unsafe) static let fresh = Replay(
        engine: Engine(profile: .apple, regions: regions, wanted: wanted, seed: 1), version: "fuzz", command: "replay",
        seed: 1)
    private nonisolated(unsafe) static let freshLines = EventLine(wanted: wanted, regions: regions.map(\.name))

    /// Plays a capture that must be recognised.
    static func play(capture bytes: [UInt8]) {
        var stream = CaptureStream(name: "fuzz", bytes: bytes)
        guard (try? stream.recognise()) == true else { fatalError("a good capture is not recognised") }
        _ = play(stream)
    }

    /// Plays a recognised stream that holds all its bytes.
    ///
    /// - Returns: The lines.
    static func play(_ stream: CaptureStream) -> [UInt8] {
        var replay = fresh
        replay.add(stream)
        return finish(&replay) { _, _ in fatalError("more bytes wanted than there are") }
    }

    /// Plays a capture that is supplied bit by bit.
    ///
    /// - Returns: The lines; `nil` where it is not recognised.
    static func play(pieces bytes: [UInt8]) -> [UInt8]? {
        var stream = CaptureStream(name: "fuzz")
        var rest = bytes[...]
        var size = 1 + Int(bytes.first ?? 0) % 13
        func piece(_ room: UnsafeMutableRawBufferPointer) -> Int {
            size = size % 97 + 7  // another length each time
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
        var replay = fresh
        replay.add(stream)
        return finish(&replay) { replay, capture in replay.supply(capture: capture, piece) }
    }

    /// Explains a payload in each of the ways.
    static func explain(_ bytes: [UInt8], as kinds: [Explanation.Kind]) {
        for kind in kinds {
            var line = JSONLine(capacity: 4096)
            Explanation.write(bytes, kind: kind, to: &line)
            line.withBytes { bytes in
                var check = LineCheck(bytes)
                check.line(sequence: nil)
                precondition(check.isAtEnd, "more than one line")
            }
        }
    }

    private static func finish(_ replay: inout Replay, _ supply: (inout Replay, Int) -> Void) -> [UInt8] {
        var lines = freshLines
        var line = JSONLine(capacity: 4096)
        while true {
            let step = replay.run()
            lines.write(replay.engine.events, sources: replay.engine.sourceNames, to: &line)
            replay.drain()
            switch step {
            case .hasEvents: continue
            case .needsBytes(let capture): supply(&replay, capture)
            case .reachedLimit: fatalError("a limit that was not given")
            case .finished:
                return line.withBytes { bytes in
                    var check = LineCheck(bytes)
                    var sequence: UInt64 = 0
                    while !check.isAtEnd {
                        sequence += 1
                        check.line(sequence: sequence)
                    }
                    precondition(sequence >= 2, "no start or no statistics")
                    return [UInt8](bytes)
                }
            }
        }
    }
}

/// Checks that bytes are JSON objects, one a line.
struct LineCheck {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    /// One object and a line feed; with its `seq`, where one is given.
    mutating func line(sequence: UInt64?) {
        let start = place
        precondition(next == UInt8(ascii: "{"), "no object")
        value()
        expect("\n")
        guard let sequence else { return }
        // Nothing that an input could choose stands before it.
        let key = Array("\"seq\":".utf8)
        var found = start
        while !bytes[found...].starts(with: key) { found += 1 }
        var number: UInt64 = 0
        for digit in bytes[(found + key.count)...] {
            guard digit >= 48, digit <= 57 else { break }
            number = number * 10 + UInt64(digit - 48)
        }
        precondition(number == sequence, "seq \(number), not \(sequence)")
    }

    private var next: UInt8 {
        precondition(place < bytes.count, "a line is cut")
        return bytes[place]
    }

    private mutating func expect(_ text: StaticString) {
        for offset in 0..<text.utf8CodeUnitCount {
            precondition(next == text.utf8Start[offset], "not JSON")
            place += 1
        }
    }

    private mutating func value() {
        switch next {
        case UInt8(ascii: "{"): list(end: UInt8(ascii: "}")) { check in
            check.string()
            check.expect(":")
            check.value()
        }
        case UInt8(ascii: "["): list(end: UInt8(ascii: "]")) { check in check.value() }
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "t"): expect("true")
        case UInt8(ascii: "f"): expect("false")
        case UInt8(ascii: "n"): expect("null")
        default: number()
        }
    }

    private mutating func list(end: UInt8, _ member: (inout LineCheck) -> Void) {
        place += 1
        if next != end {
            member(&self)
            while next == UInt8(ascii: ",") {
                place += 1
                member(&self)
            }
        }
        precondition(next == end, "not JSON")
        place += 1
    }

    private mutating func number() {
        if next == UInt8(ascii: "-") { place += 1 }
        let whole = digits()
        precondition(whole == 1 || bytes[place - whole] != UInt8(ascii: "0"), "a number that begins with 0")
        if next == UInt8(ascii: ".") {
            place += 1
            _ = digits()
        }
    }

    private mutating func digits() -> Int {
        let start = place
        while next >= 48, next <= 57 { place += 1 }
        precondition(place > start, "not JSON")
        return place - start
    }

    private mutating func string() {
        expect("\"")
        while next != UInt8(ascii: "\"") {
            precondition(next >= 0x20, "a control character in a string")
            if next == UInt8(ascii: "\\") {
                place += 1
                precondition("\"\\/bfnrtu".utf8.contains(next), "an escape that JSON does not have")
            }
            place += 1
        }
        place += 1
    }
}
