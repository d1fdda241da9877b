import Glibc
import Testing

@testable import SkerryCore
@testable import SkerryIO

/// A client against peers that are no gpsd, or a strange one.
@Suite("A client of gpsd")
struct GPSDClientTests {
    private static let version = "{\"class\":\"VERSION\",\"release\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\r\n"
    private static let watch =
        "{\"class\":\"DEVICES\",\"devices\":[]}\r\n{\"class\":\"WATCH\",\"enable\":true,\"json\":true}\r\n"
    private static let advice =
        "does gpsd run there (systemctl status gpsd.socket), and are host and port right?"
    private static let request = "?WATCH={\"enable\":true,\"json\":true};\n"

    private static func tpv(_ second: Int, year: Int = 2024) -> String {
        let time = "\(year)-06-01T12:\(second / 600)\(second / 60 % 10):\(second % 60 / 10)\(second % 10).000Z"
        return "{\"class\":\"TPV\",\"device\":\"a\",\"mode\":2,\"time\":\"\(time)\",\"lat\":1,\"lon\":8}\r\n"
    }

    /// A client that watches.
    private func watching(_ server: LoopbackServer, _ run: ClientRun) throws {
        let peers = server.peers
        let requests = server.heard.utf8.count
        try #require(try run.run(until: { _ in server.peers > peers }, meanwhile: server.proceed))
        server.send(Self.version)
        try #require(
            try run.run(
                until: { _ in server.heard.utf8.count >= requests + Self.request.utf8.count }, meanwhile: server.proceed
            ))
        server.send(Self.watch)
        let news = run.news.count
        try #require(try run.run(until: { $0.news.count > news }, meanwhile: server.proceed))
    }

    @Test("the good course, and a second one when gpsd goes")
    func reconnects() throws {
        let server = try LoopbackServer()
        let run = ClientRun(port: server.port)
        try watching(server, run)
        #expect(server.heard == Self.request && run.news == ["+"])
        server.send(Self.tpv(0) + Self.tpv(1) + "{\"class\":\"TPV\",\"mode")
        #expect(try run.run(until: { $0.reports.count == 2 }, meanwhile: server.proceed))
        server.hangUp()
        #expect(try run.run(until: { $0.news.count == 2 }))
        #expect(run.news == ["+", "- it closed the connection"])
        try watching(server, run)
        server.send(Self.tpv(1) + Self.tpv(2) + Self.tpv(3))
        #expect(try run.run(until: { $0.reports.count == 5 }, meanwhile: server.proceed))
        #expect(try run.run(until: { $0.fixes.count == 4 }))
        #expect(run.news == ["+", "- it closed the connection", "+"])
        #expect(run.client.counts.unreadableLines == 0)
    }

    @Test("nobody listens: told once, tried again ever more seldom")
    func refused() throws {
        // A port that was free a moment ago.
        let port = try LoopbackServer().port
        let run = ClientRun(port: port)
        #expect(try run.run(until: { $0.news.count == 1 }))
        let refusal = "- Connection refused at 127.0.0.1:\(port); \(Self.advice)"
        #expect(run.news == [refusal])
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] as [Int64] {
            let left = try #require(run.client.deadline) - MachineClock.monotonic - run.ahead
            #expect(abs(left - seconds * 1_000_000) < 900_000)
            run.ahead += seconds * 1_000_000
            let before = run.client.deadline
            #expect(try run.run(until: { $0.client.deadline != before && $0.client.interest == nil }))
        }
        let server = try LoopbackServer(port: port)
        run.ahead += 60_000_000
        try watching(server, run)
        #expect(run.news == [refusal, "+"])
    }

    @Test(
        "what answers is no gpsd, or one that does not send",
        arguments: [
            ("HTTP/1.1 400 Bad Request\r\n\r\n<html>", "- what answers is no gpsd; are host and port right?"),
            ("", "- what answers is no gpsd; are host and port right?"),
            ("{\"class\":\"VERSION\",\"release\":\"9\",\"proto_major\":4}\n", "- it speaks protocol 4, not 3"),
            (version, "- it does not answer a request"),
            (version + "{\"class\":\"WATCH\",\"enable\":false,\"json\":true}\n", "- it does not send reports"),
            (version + "{\"class\":\"ERROR\",\"message\":\"busy\"}\n", "- it refuses: busy"),
        ])
    func strangers(answer: String, news: String) throws {
        let server = try LoopbackServer()
        let run = ClientRun(port: server.port)
        #expect(try run.run(until: { _ in server.hasPeer }, meanwhile: server.proceed))
        server.send(answer)
        try run.run(seconds: 0.1, until: { !$0.news.isEmpty }, meanwhile: server.proceed)
        if run.news.isEmpty { run.ahead += 10_000_000 }
        #expect(try run.run(until: { !$0.news.isEmpty }, meanwhile: server.proceed))
        #expect(run.news == [news] && run.reports.isEmpty)
        #expect(try run.run(until: { _ in !server.hasPeer }, meanwhile: server.proceed))
    }

    @Test("a peer that never accepts is given up")
    func silence() throws {
        // Nobody is at home at an address for documentation (RFC 5737); where the machine knows, it tells at once.
        let run = ClientRun(port: 2947, host: "192.0.2.1")
        try run.run(seconds: 0.1, until: { !$0.news.isEmpty })
        run.ahead += 5_000_000
        #expect(try run.run(until: { !$0.news.isEmpty }))
        #expect(run.news.count == 1)
    }

    @Test("nonsense between the reports is passed over and counted")
    func nonsense() throws {
        let server = try LoopbackServer()
        let run = ClientRun(port: server.port)
        try watching(server, run)
        let long = "{\"class\":\"TPV\",\"x\":\"" + String(repeating: "x", count: 100_000) + "\"}\r\n"
        server.send(Self.tpv(0) + long + Self.tpv(1))
        server.send((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) })
        server.send(
            "\n" + Self.tpv(2) + "{\"class\":\"TPV\",,}\n{\"class\":\"TPV\",\"mode\":\"x\"}\n{}\n" + Self.version
                + Self.tpv(3))
        #expect(try run.run(until: { $0.reports.count == 5 }, meanwhile: server.proceed))
        let counts = run.client.counts
        #expect(
            counts.longLines == 1 && counts.otherLines > 100 && counts.unreadableLines >= 2
                && counts.unreadableMembers == 1)
        #expect(run.news == ["+"])
    }

    @Test("a flood is taken as it comes, a piece at a time")
    func flood() throws {
        let server = try LoopbackServer()
        let run = ClientRun(port: server.port)
        try watching(server, run)
        let piece = (0..<1000).map { Self.tpv($0) }.joined()
        var most = 0
        for round in 1...50 {
            server.send(piece)
            let isDone = try run.run(until: { $0.reports.count == round * 1000 }) {
                let before = run.reports.count
                server.proceed()
                most = max(most, run.reports.count - before)
            }
            try #require(isDone)
        }
        #expect(run.client.counts.reports == 50_003 && run.source.counts.fixes >= 999 && run.news == ["+"])
        #expect(run.source.counts.fixes + run.source.counts.overtaken <= 50_000)
    }

    @Test("a clock that jumps ten years and back")
    func jump() throws {
        let server = try LoopbackServer()
        let run = ClientRun(port: server.port)
        try watching(server, run)
        server.send(
            Self.tpv(0) + Self.tpv(1) + Self.tpv(2, year: 2034) + Self.tpv(3, year: 2034) + Self.tpv(4) + Self.tpv(5))
        #expect(try run.run(until: { $0.fixes.count == 6 }, meanwhile: server.proceed))
        #expect(run.source.counts.clockCorrections == 2 && run.losses == 0)
    }

    @Test("a name is looked up")
    func lookUp() throws {
        let server = try LoopbackServer()
        let run = ClientRun(port: server.port, host: "localhost")
        // One of its addresses is the server's.
        try watching(server, run)
        #expect(run.news == ["+"])
    }

    @Test("a name that nobody has")
    func unknownName() throws {
        let run = ClientRun(port: 2947, host: "no-such-host.invalid")
        #expect(try run.run(until: { !$0.news.isEmpty }))
        let reasons = [
            "there is no host no-such-host.invalid", "the name no-such-host.invalid is not resolved in time",
        ]
        #expect(reasons.contains { run.news == ["- \($0); \(Self.advice)"] })
        #expect(run.client.interest == nil)
    }
}
