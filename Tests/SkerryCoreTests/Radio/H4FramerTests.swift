import Testing

@testable import SkerryCore

@Suite("H4")
struct H4FramerTests {
    private static let reset = "040e0401030c00"
    private static let features = "040e0c01032000ff79010800000000"
    private static let report = "043e0d0201000101000000000cc000c5"

    /// What a framer finds in a stream that comes in pieces of so many bytes.
    private func events(_ bytes: [UInt8], pieces: Int = .max) -> (found: [String], skipped: UInt64) {
        var framer = H4Framer()
        var found: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            framer.supply { room in
                let piece = rest.prefix(min(pieces, room.count))
                room.copyBytes(from: piece)
                rest = rest.dropFirst(piece.count)
                return piece.count
            }
            while framer.next() { found.append([UInt8](framer.event).hex) }
        }
        return (found, framer.skipped)
    }

    private func events(_ hex: String, pieces: Int = .max) -> (found: [String], skipped: UInt64) {
        events([UInt8](hex: hex), pieces: pieces)
    }

    @Test("events, however they come in pieces", arguments: [1, 2, 3, 5, 7, 16, 1000])
    func pieces(_ size: Int) {
        let all = [Self.reset, Self.features, Self.report, Self.report]
        let (found, skipped) = events(all.joined(), pieces: size)
        #expect(found == all.map { String($0.dropFirst(2)) })
        #expect(skipped == 0)
    }

    @Test("data is passed over; it is no garbage")
    func data() {
        // ACL, SCO and ISO data (volume 4, part E, 5.4.2, 5.4.3, 5.4.5).
        for data in ["0240200300aabbcc", "0340000204 3e", "05 4000 0240 ffff", "0240200000"] {
            for size in [1, 1000] {
                let (found, skipped) = events(Self.reset + data + Self.report, pieces: size)
                #expect(found.count == 2 && skipped == 0, "\(data)")
            }
        }
    }

    @Test("garbage costs no more than what it stands in")
    func garbage() {
        let rows: [(stream: String, events: Int, skipped: UInt64)] = [
            ("", 0, 0), ("00", 0, 1), ("ff00ff00", 0, 4),
            // Before the first packet, which may be the end of one: what begins in it is none.
            ("0201061aff" + Self.report, 1, 5), ("04ff" + Self.report, 1, 2), ("0404" + Self.report, 1, 2),
            ("043eff" + Self.report + Self.report, 0, 0),
            ("040e02" + Self.report, 1, 3), ("040f05" + Self.report, 1, 3), ("041002" + Self.report, 1, 3),
            // A start that would end in the middle of something.
            ("043e0312" + Self.report, 1, 4),
            // Between packets.
            (Self.reset + Self.report + "00" + Self.report, 3, 1),
            (Self.reset + Self.report + "0601" + Self.reset, 3, 2),
            // A lost byte: the packet that lacks it has one of the next instead, which is then passed over.
            (String(Self.report.dropLast(2)) + Self.report + Self.report, 2, 15),
            // Data too long for a scanning controller.
            (Self.reset + "0240200104" + Self.report, 2, 5),
            // Commands don't come from a controller.
            (Self.report + Self.reset + "01030c00" + Self.report, 3, 4),
            // In step, every event is one.
            (Self.reset + "04ff0100" + "04130501400001 00" + "041301", 3, 0),
        ]
        for row in rows {
            let (found, skipped) = events(row.stream)
            #expect(found.count == row.events, "\(row.stream)")
            #expect(skipped == row.skipped, "\(row.stream)")
        }
    }

    @Test("a new stream begins with nothing of the old one")
    func restart() {
        var framer = H4Framer()
        func supply(_ hex: String) {
            framer.supply { room in
                let bytes = [UInt8](hex: hex)
                room.copyBytes(from: bytes)
                return bytes.count
            }
        }
        supply("043eff02")
        let early = framer.next()
        framer.restart()
        supply(Self.report)
        let isThere = framer.next()
        let event = [UInt8](framer.event).hex
        let isMore = framer.next()
        #expect(!early && isThere && !isMore)
        #expect(event == String(Self.report.dropFirst(2)))
    }

    @Test("good packets are found again after any garbage; there is always room")
    func anything() {
        var generator = SeededGenerator(seed: 3)
        let good = [UInt8](hex: Self.report)
        for _ in 0..<200 {
            let garbage = generator.bytes(Int.random(in: 0..<400, using: &generator))
            let stream = garbage + Array(repeating: good, count: 100).flatMap(\.self)
            let size = Int.random(in: 1..<500, using: &generator)
            let (found, skipped) = events(stream, pieces: size)
            let taken = found.reduce(0) { $0 + $1.count / 2 + 1 }
            #expect(taken + Int(skipped) <= stream.count)
            // No event holds more than 258 bytes, or 17 of these.
            #expect(found.count { $0 == good.dropFirst().map(\.self).hex } >= 80)
        }
    }
}
