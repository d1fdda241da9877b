import Testing

@testable import SkerryCore

@Suite("Logs of receivers")
struct GPSLogTests {
    private func kind(_ bytes: [UInt8]) -> String {
        do {
            return try GPSDStream(bytes: bytes).recognise()?.rawValue ?? "more"
        } catch {
            return error.found
        }
    }

    private func kind(_ text: String) -> String { kind(Array(text.utf8)) }

    @Test(
        "kinds",
        arguments: [
            (#"{"class":"TPV","mode":1}"#, "gpsd"), ("$GPRMC,1*00\n{\"class\":\"TPV\",\"mode\":1}\n", "gpsd"),
            (#"{"class":"ATT","heading":1}"#, "gpsd"), (#"{"class":"VERSION","release":"3.22"}"#, "gpsd"),
            ("{\"class\":\"VERSION\"}\r\n\r\n{\"class\":\"XXX\"}\r\n{\"class\":\"SKY\",\"sat", "gpsd"),
            ("{\"class\":\"VERSION\"}\n$GPRMC,1*00\n", "receiver"), ("# a comment\n{\"class\":\"XXX\"}\n", "receiver"),
            ("{\"class\":\"VERSION\"}\n{\"class\":\"WATCH\",\"enable\":true,\"json\":true}\n$GPRMC\n", "gpsd"),
            (
                "{\"class\":\"VERSION\"}\n{\"class\":\"WATCH\",\"enable\":true,\"json\":false,\"raw\":2}\n$GPRMC\n",
                "receiver"
            ),
            ("$GPRMC,1*00\r\n", "receiver"), ("anything", "receiver"), ("{\"class\":\"TPV\"", "receiver"),
            ("{}", "receiver"),
            ("", "an empty file"),
            ("PK\u{3}\u{4}", "a ZIP archive; unpack it first (a phone's bug report holds btsnoop_hci.log)"),
        ])
    func kinds(text: String, expected: String) { #expect(kind(text) == expected) }

    @Test("a capture is no log of a receiver")
    func capture() {
        var file = BTSnoopFile()
        file.add([1, 3, 12, 0], at: 0)
        #expect(kind(file.bytes) == "a capture of Bluetooth traffic (btsnoop)")
    }

    @Test("more than the beginning is not looked at")
    func long() throws {
        let sentences = Array(String(repeating: "$GPRMC,1*00\n", count: 10_000).utf8)
        #expect(kind(sentences + Array("{\"class\":\"TPV\"}\n".utf8)) == "gpsd")
        var stream = GPSDStream()
        while try stream.recognise() == nil {
            stream.supply { room in
                let count = min(1000, room.count)
                room.copyBytes(from: sentences.prefix(count))
                return count
            }
        }
        #expect(try stream.recognise() == .receiver)
    }

    @Test(
        "recorded streams and the logs that they were made of",
        .enabled(if: SharedStreams.isThere, "../shared/gpsd is not there"), arguments: SharedStreams.names)
    func recorded(name: String) throws {
        #expect(kind(try SharedStreams.stream(name)) == "gpsd")
        let log = String(name.prefix { $0 != "." })
        let file = log.hasPrefix("logs/") ? log + ".log" : log + ".nmea"
        #expect(kind(try SharedStreams.file(file)) == "receiver")
    }

    @Test("a log is played to its end")
    func played() {
        let text = """
            {"class":"TPV","mode":2,"time":"2024-06-01T12:00:00.000Z","lat":1,"lon":8}
            {"class":"ATT","heading":7}
            {"class":"TPV","mode":2,"time":"2024-06-01T12:00:01.000Z","lat":2,"lon":8}
            {"class":"TPV","mo
            """
        var log = GPSLog(name: "walk.json", stream: GPSDStream(bytes: Array(text.utf8)))
        var words: [String] = []
        while case .output(let output) = log.next() {
            switch output {
            case .fix(let fix, _): words.append("\(fix.coordinate.latitude)")
            case .compass(let reading, _, _, _): words.append("heads \(reading.trueHeading ?? -1)")
            case .locationUnknown: words.append("unknown")
            }
        }
        // The fix was measured before the heading, though its epoch ends after it.
        #expect(words == ["1.0", "heads 7.0", "2.0"])
        guard case .ended(let fault?) = log.next() else { Issue.record("an end without a fault"); return }
        #expect(fault.message == "the last line is cut")
        #expect(log.counts.fixes == 2 && log.lineCounts.reports == 3 && log.position == UInt64(text.utf8.count))
    }
}
