import Foundation
import Glibc
import SkerryCore
import Testing

@testable import SkerryIO

/// What a live run tells of the place, whatever gpsd does.
@Suite("A live run and gpsd", .serialized)
struct LiveGPSDTests {
    // MARK: gpsd itself

    /// A receiver that is asked for its sentences one by one, some milliseconds apart.
    private final class Receiver {
        let server: LoopbackServer
        var hasFix = true
        private var second = 43_200
        private var sentences: [Substring] = []
        private var due: Int64 = 0

        init() throws { server = try LoopbackServer() }

        func proceed() {
            server.proceed()
            let now = MachineClock.monotonic
            guard server.hasPeer, server.isDone, now >= due else { return }
            if sentences.isEmpty {
                second += 1
                let epoch = NMEA.epoch(second: second, latitude: 47 + Double(second % 5000) / 10_000, hasFix: hasFix)
                sentences = epoch.split(separator: "\r\n")
            }
            server.send(sentences.removeFirst() + "\r\n")
            due = now + (sentences.isEmpty ? 40_000 : 4_000)
        }
    }

    @Test(
        "fix lost and found, gpsd killed and started again, receiver pulled out",
        .enabled(if: GPSDaemon.path != nil, "gpsd is not installed"))
    func wholeLife() throws {
        let receiver = try Receiver()
        let port = try LoopbackServer().port
        var daemon: GPSDaemon? = try GPSDaemon(port: port, receiver: receiver.server.port)
        var (early, known, since) = (0, 0, Int64(0))
        var promptness: Int64 = 0
        let heard = try LiveRun.play(
            port: port,
            [
                // It may not listen at once.
                LiveRun.Scene("fixes") {
                    early = $0.errors.count
                    return $0.locations >= 10
                },
                // The grace of 10 s.
                LiveRun.Scene("fix lost", { receiver.hasFix = false }) { $0.errors.last?.name == .locationUnknown },
                LiveRun.Scene("found", { receiver.hasFix = true }) {
                    known = $0.locations
                    return $0.locations >= 15
                },
                LiveRun.Scene(
                    "gpsd killed",
                    {
                        daemon = nil
                        since = MachineClock.monotonic
                    }
                ) {
                    promptness = MachineClock.monotonic - since
                    known = $0.locations
                    return $0.errors.last?.name == .network
                },
                LiveRun.Scene(
                    "gpsd back", { daemon = try GPSDaemon(port: port, receiver: receiver.server.port) }
                ) { $0.locations >= known + 5 },
                LiveRun.Scene("pulled out", { try daemon?.removeReceiver() }) {
                    $0.errors.last?.name == .locationUnknown
                },
            ], meanwhile: receiver.proceed)
        #expect(early <= 1)
        #expect(
            heard.names.dropFirst(early) == ["location locationUnknown", "gps network", "location locationUnknown"])
        #expect(heard.errors.allSatisfy { $0.isRecoverable })
        #expect(promptness < 1_000_000)
        #expect(zip(heard.fixes, heard.fixes.dropFirst()).allSatisfy { $0.event <= $1.event })
        #expect(Set(heard.fixes.map(\.fix.coordinate)).count == heard.fixes.count)
        daemon = nil
    }

    // MARK: Something that answers like gpsd

    private static let greeting =
        "{\"class\":\"VERSION\",\"release\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\r\n"
    private static let watch = "{\"class\":\"WATCH\",\"enable\":true,\"json\":true}\r\n"

    private static func tpv(_ time: Timestamp, _ latitude: Double) -> String {
        var line = JSONLine(capacity: 40)
        line.time(time)
        return
            "{\"class\":\"TPV\",\"device\":\"a\",\"mode\":2,\"time\":\(line.takeString()),\"lat\":\(latitude),\"lon\":8}\r\n"
    }

    private static var now: Timestamp { Timestamp(microseconds: MachineClock.wall) }

    /// Greets whoever comes.
    private final class Answerer {
        let server: LoopbackServer
        var greets = true
        private var greeted = 0
        private var asked = 0

        init() throws { server = try LoopbackServer() }

        func proceed() {
            server.proceed()
            if server.peers > greeted, server.hasPeer {
                greeted = server.peers
                server.send(greets ? LiveGPSDTests.greeting : "SSH-2.0-OpenSSH_9.2\r\n")
            }
            let requests = server.heard.count { $0 == "\n" }
            if requests > asked {
                asked = requests
                server.send(LiveGPSDTests.watch)
            }
        }
    }

    @Test("what answers is no gpsd: told once; then it is")
    func nonsenseInsteadOfAGreeting() throws {
        let answerer = try Answerer()
        answerer.greets = false
        let heard = try LiveRun.play(
            port: answerer.server.port,
            [
                LiveRun.Scene("no gpsd") { !$0.errors.isEmpty },
                LiveRun.Scene("gpsd", { answerer.greets = true }) { _ in answerer.server.peers == 2 },
                LiveRun.Scene("a place") {
                    if $0.locations == 0 { answerer.server.send(Self.tpv(Self.now, 47)) }
                    return $0.locations > 0
                },
            ], meanwhile: answerer.proceed)
        #expect(heard.names == ["gps network"])
        #expect(heard.errors.first?.message == "gpsd: what answers is no gpsd; are host and port right?")
    }

    @Test("nonsense, lines of 100 kB and clocks that jump ten years between the places")
    func nonsense() throws {
        let answerer = try Answerer()
        let server = answerer.server
        let nonsense = [
            "\u{0}\u{1}garbage", "{", "{}", "[]", "{\"class\":\"TPV\"", "{\"class\":\"TPV\",\"mode\":\"3\",\"lat\":[]}",
            "{\"class\":\"TPV\",\"mode\":3,\"lat\":91,\"lon\":8}", "$GPGGA,,,,*00",
            "{\"class\":\"NEW\",\"x\":{\"y\":[1]}}",
            "{\"class\":\"TPV\",\"mode\":3,\"lat\":1e999,\"lon\":nan}",
            "{\"class\":\"SKY\",\"x\":\"\(String(repeating: "x", count: 100_000))\"}",
            String(repeating: "y", count: 100_000),
        ]
        var place = 0.0
        func send(_ time: Timestamp) {
            place += 1
            server.send(Self.tpv(time, place))
        }
        let years: Int64 = 3652 * 86_400 * 1_000_000
        var scenes = [LiveRun.Scene("gpsd") { _ in server.heard.hasSuffix("\n") }]
        for line in nonsense {
            scenes.append(
                LiveRun.Scene(
                    "after \(line.prefix(30))",
                    {
                        server.send(line + "\r\n")
                        send(Self.now)
                    }
                ) { $0.locations == Int(place) })
        }
        for jump in [-years, years, 0] {
            for _ in 0..<2 {
                scenes.append(LiveRun.Scene("jump", { send(Self.now + jump) }) { $0.locations == Int(place) })
            }
        }
        let heard = try LiveRun.play(port: server.port, seconds: 5, scenes, meanwhile: answerer.proceed)
        #expect(heard.errors.isEmpty)
        #expect(heard.fixes.map(\.fix.coordinate.latitude) == (1...18).map(Double.init))
        // Events keep to this machine's clock.
        #expect(zip(heard.fixes, heard.fixes.dropFirst()).allSatisfy { $0.event < $1.event })
        #expect(abs(heard.fixes.last!.event - Self.now) < 5_000_000)
        let gps = try #require(heard.statistics?.gps)
        #expect(gps.fixes == 18 && gps.clockCorrections == 3 && gps.errors >= 5)
    }

    /// Three reports of each place: 30,000 lines, as fast as they are taken.
    @Test("a flood")
    func flood() throws {
        let answerer = try Answerer()
        let server = answerer.server
        var sent = 0
        var memory: [Int] = []
        let begin = Self.now
        var start: Int64 = 0
        func pour() {
            answerer.proceed()
            guard start > 0, sent < 10_000, server.isDone else { return }
            var piece = ""
            for _ in 0..<100 {
                sent += 1
                let line = Self.tpv(begin + Int64(sent) * 1000, 40 + Double(sent) / 10_000)
                piece += line + line + line
            }
            server.send(piece)
            if sent % 1000 == 0 { memory.append(Self.anonymousMemory()) }
        }
        let heard = try LiveRun.play(
            port: server.port, seconds: 60,
            [
                LiveRun.Scene("gpsd") { _ in server.heard.hasSuffix("\n") },
                LiveRun.Scene("the flood", { start = MachineClock.monotonic }) { $0.locations == 10_000 },
            ], meanwhile: pour)
        #expect(heard.errors.isEmpty && heard.statistics?.gps?.lines == 30_002)
        // A turn takes what the buffer holds, also where nothing is optimised and others work.
        #expect(heard.longestTurn < 5_000_000, "\(heard.longestTurn) µs")
        #expect(memory.last! - memory[1] < 4 << 20, "\(memory)")
    }

    /// Bytes that no file stands for.
    private static func anonymousMemory() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
}
