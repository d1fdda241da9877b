import Testing

@testable import SkerryCore

@Suite("gpsd's stream")
struct GPSDStreamTests {
    private static let tpv = #"{"class":"TPV","mode":1}"#

    /// A word for each report, and for the end; bytes are supplied so many at a time.
    private func play(_ bytes: [UInt8], pieces: Int = .max, _ stream: inout GPSDStream) -> [String] {
        var words: [String] = []
        var rest = bytes[...]
        while true {
            switch stream.next() {
            case .report(.position(let tpv)): words.append("\(tpv.mode.rawValue)")
            case .report(.other(let name)): words.append(name)
            case .report: words.append("report")
            case .ended(let fault): return words + [fault?.message ?? "end"]
            case .needsBytes:
                stream.supply { room in
                    let piece = rest.prefix(min(pieces, room.count))
                    rest = rest.dropFirst(piece.count)
                    room.copyBytes(from: piece)
                    return piece.count
                }
            }
        }
    }

    private func play(_ text: String) -> ([String], GPSDStream.Counts) {
        var stream = GPSDStream()
        let words = play(Array(text.utf8), &stream)
        return (words, stream.counts)
    }

    @Test(
        "lines",
        arguments: [
            ("", ["end"]), ("\n\r\n\n", ["end"]), (tpv + "\r\n" + tpv + "\n", ["1", "1", "end"]), (tpv, ["1", "end"]),
            (tpv + "\n{\"class\":\"TPV\",\"mo", ["1", "the last line is cut"]), (tpv + "\n$GPG", ["1", "end"]),
            (tpv + "\r\n\r", ["1", "end"]), ("# " + tpv + "\n" + tpv + "\n", ["1", "end"]),
        ])
    func lines(text: String, words: [String]) { #expect(play(text).0 == words) }

    @Test("what is passed over is counted")
    func counts() {
        let text = """
            $GPGGA,1*00
            {"class":"TPV","mode":2,"lat":"x","lon":nan}
            {"class":"TPV",,}

            {"class":"XXX"}
            {"class":"TOFF"}\r
            {"class":"SKY","satellites":[
            garbage
            """
        let (words, counts) = play(text)
        #expect(words == ["2", "XXX", "TOFF", "end"])
        var expected = GPSDStream.Counts()
        (expected.reports, expected.otherClasses, expected.unreadableMembers) = (3, 2, 2)
        (expected.unreadableLines, expected.otherLines) = (2, 2)
        #expect(counts == expected)
    }

    @Test("a line of 64 KiB is read, a longer one is passed over, however it comes", arguments: [1000, 65_536, .max])
    func longLines(pieces: Int) {
        func line(_ length: Int) -> [UInt8] {
            let (head, tail) = (Array("{\"class\":\"LONG\",\"x\":\"".utf8), Array("\"}".utf8))
            return head + Array(repeating: 0x78, count: length - head.count - tail.count) + tail + [0x0A]
        }
        let tpv = Array((Self.tpv + "\n").utf8)
        var stream = GPSDStream()
        let bytes = line(65_536) + tpv + line(65_537) + tpv + line(1_000_000) + tpv + line(65_536).dropLast()
        #expect(play(bytes, pieces: pieces, &stream) == ["LONG", "1", "1", "1", "LONG", "end"])
        #expect(stream.counts.longLines == 2 && stream.counts.unreadableLines == 0)
        #expect(stream.position == UInt64(bytes.count))
        stream = GPSDStream()
        #expect(play(line(1_000_000).dropLast(), pieces: pieces, &stream) == ["end"])
        #expect(stream.counts.longLines == 1 && stream.position == 999_999 + 1)
    }

    @Test("binary bytes between the lines")
    func binary() {
        var generator = SeededGenerator(seed: 3)
        var bytes: [UInt8] = []
        for _ in 0..<1000 {
            bytes += generator.bytes(.random(in: 0..<300, using: &generator)) + [0x0A] + Array((Self.tpv + "\n").utf8)
        }
        var stream = GPSDStream()
        #expect(play(bytes, pieces: 777, &stream).count { $0 == "1" } == 1000)
        #expect(stream.position == UInt64(bytes.count))
    }

    @Test("a line that is still written is waited for")
    func resume() {
        var stream = GPSDStream()
        func supply(_ text: String) {
            stream.supply {
                $0.copyBytes(from: text.utf8); return text.utf8.count
            }
        }
        supply("{\"class\":\"TPV\",")
        supply("")
        stream.resume()
        guard case .needsBytes = stream.next() else { Issue.record("a part was taken for a line"); return }
        supply("\"mode\":3}\n")
        guard case .report(.position(let tpv)) = stream.next() else { Issue.record("no report"); return }
        #expect(tpv.mode == .threeDimensional)
    }

    @Test("a new connection does not end the old one's line")
    func restart() {
        var stream = GPSDStream()
        func supply(_ text: String) {
            stream.supply {
                $0.copyBytes(from: text.utf8); return text.utf8.count
            }
        }
        supply("{\"class\":\"TPV\",")
        guard case .needsBytes = stream.next() else { Issue.record("a part was taken for a line"); return }
        stream.restart()
        supply(Self.tpv + "\n")
        guard case .report(.position) = stream.next() else { Issue.record("no report"); return }
        #expect(stream.counts.reports == 1 && stream.counts.unreadableLines == 0)
    }

    @Test("what a session says", .enabled(if: SharedStreams.isThere, "../shared/gpsd is not there"))
    func session() throws {
        var stream = GPSDStream(bytes: try SharedStreams.file("session-commands.gpsd-3.22.txt"))
        var names: [String: Int] = [:]
        var messages: [String] = []
        loop: while true {
            switch stream.next() {
            case .report(let report):
                if case .error(let message) = report { messages.append(message) }
                names[String("\(report)".prefix { $0 != "(" }), default: 0] += 1
            default: break loop
            }
        }
        #expect(
            names == ["version": 3, "devices": 6, "watch": 5, "device": 1, "position": 11, "error": 3, "other": 22])
        #expect(messages == ["Unrecognized request '?FOO;\n'", "Can't open /dev/nope.", "No such device as /dev/nope"])
        #expect(stream.counts.unreadableLines == 0 && stream.counts.unreadableMembers == 0)
    }
}
