import Testing

@testable import SkerryCore

@Suite("The course of a connection to gpsd")
struct GPSDConnectionTests {
    private static let second = Int64.second
    private static let version = readLine(#"{"class":"VERSION","release":"3.25","proto_major":3}"#)!.report
    private static let watch = readLine(#"{"class":"WATCH","enable":true,"json":true}"#)!.report
    private static let request = GPSDConnection.Action.send("?WATCH={\"enable\":true,\"json\":true};\n")

    /// A connection that has come so far at the moment 0.
    private func connection(greeted: Bool = false, watching: Bool = false) -> GPSDConnection {
        var connection = GPSDConnection()
        _ = connection.advance(to: 0)
        _ = connection.opened(at: 0)
        if greeted || watching { _ = connection.received(Self.version, at: 0) }
        if watching { _ = connection.received(Self.watch, at: 0) }
        return connection
    }

    @Test("the good course")
    func good() {
        var connection = GPSDConnection()
        var actions: [GPSDConnection.Action] = [connection.advance(to: 5)]
        // Who makes the connection has his own deadline.
        let openingDeadline = connection.deadline
        actions.append(connection.opened(at: 6))
        // What comes before the greeting, and between request and answer, means nothing.
        actions.append(connection.received(Self.watch, at: 7))
        actions.append(connection.received(Self.version, at: 8))
        actions.append(connection.received(readLine(#"{"class":"DEVICES","devices":[]}"#)!.report, at: 9))
        let wasWatching = connection.isWatching
        actions.append(connection.received(Self.watch, at: 10))
        #expect(actions == [.open, .wait, .wait, Self.request, .wait, .wait])
        #expect(openingDeadline == nil && !wasWatching && connection.isWatching)
        #expect(connection.takeNews() == [.connected(release: "3.25")])
        #expect(connection.takeNews() == [])
        #expect(connection.deadline == nil)
        #expect(connection.advance(to: .max) == .wait)
    }

    @Test("what a log's own gpsd said does not end it")
    func strangers() {
        var connection = connection(watching: true)
        for line in [
            #"{"class":"VERSION","release":"2.0","proto_major":2}"#, #"{"class":"WATCH","enable":false}"#,
            #"{"class":"ERROR","message":"x"}"#, #"{"class":"DEVICES","devices":[]}"#, #"{"class":"TPV","mode":1}"#,
        ] {
            #expect(connection.received(readLine(line)!.report, at: 1) == .wait)
        }
        #expect(connection.isWatching && connection.deadline == nil)
    }

    @Test(
        "what ends it",
        arguments: [
            (false, #"{"class":"VERSION","release":"9","proto_major":4}"#, "it speaks protocol 4, not 3"),
            (true, #"{"class":"WATCH","enable":false,"json":true}"#, "it does not send reports"),
            (true, #"{"class":"WATCH","enable":true,"json":false}"#, "it does not send reports"),
            (true, #"{"class":"ERROR","message":"no"}"#, "it refuses: no"),
        ])
    func refused(greeted: Bool, line: String, reason: String) {
        var connection = connection(greeted: greeted)
        #expect(connection.received(readLine(line)!.report, at: 0) == .close)
        #expect(connection.takeNews() == [.disconnected(reason: reason)])
        #expect(connection.deadline == Self.second)
    }

    @Test("each step has its time")
    func deadlines() {
        var connection = connection()
        func end(_ connection: inout GPSDConnection, after seconds: Int64) -> [GPSDConnection.News] {
            let due = connection.deadline!
            #expect(due == seconds * Self.second)
            let (early, late) = (connection.advance(to: due - 1), connection.advance(to: due))
            #expect(early == .wait && late == .close)
            return connection.takeNews()
        }
        #expect(
            end(&connection, after: 10) == [
                .disconnected(reason: "what answers is no gpsd", advice: "are host and port right?")
            ])
        connection = self.connection(greeted: true)
        #expect(end(&connection, after: 10) == [.disconnected(reason: "it does not answer a request")])
    }

    @Test("it is tried again after 1 s, doubling to 60 s, and told once")
    func backOff() {
        var connection = GPSDConnection()
        var now: Int64 = 0
        var delays: [Int64] = []
        var news: [GPSDConnection.News] = []
        for _ in 0..<9 {
            _ = connection.advance(to: now)
            _ = connection.failed("refused", at: now)
            delays.append((connection.deadline! - now) / Self.second)
            now = connection.deadline!
            news += connection.takeNews()
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        #expect(
            news == [
                .disconnected(
                    reason: "refused",
                    advice: "does gpsd run there (systemctl status gpsd.socket), and are host and port right?")
            ])
        // Another reason is worth telling.
        _ = connection.advance(to: now)
        _ = connection.opened(at: now)
        now = connection.deadline!
        _ = connection.advance(to: now)
        #expect(
            connection.takeNews() == [
                .disconnected(reason: "what answers is no gpsd", advice: "are host and port right?")
            ])
        // A connection that holds ends that, one that does not hold goes on with it.
        func reconnect(_ connection: inout GPSDConnection, holdingFor seconds: Int64) -> Int64 {
            now = connection.deadline!
            _ = connection.advance(to: now)
            _ = connection.opened(at: now)
            _ = connection.received(Self.version, at: now)
            _ = connection.received(Self.watch, at: now)
            now += seconds * Self.second
            _ = connection.failed("gone", at: now)
            return (connection.deadline! - now) / Self.second
        }
        #expect(reconnect(&connection, holdingFor: 9) == 60)
        #expect(reconnect(&connection, holdingFor: 10) == 1)
        #expect(reconnect(&connection, holdingFor: 1) == 2)
        #expect(
            connection.takeNews()
                == Array(repeating: [.connected(release: "3.25"), .disconnected(reason: "gone")], count: 3).flatMap(
                    \.self))
    }

    @Test("what comes too late changes nothing")
    func late() {
        var connection = connection(watching: true)
        let actions = [
            connection.opened(at: 1), connection.advance(to: .max),
        ]
        #expect(actions == [.wait, .wait] && connection.isWatching)
    }
}
