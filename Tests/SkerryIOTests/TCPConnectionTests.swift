import SkerryCore
import Testing

@testable import SkerryIO

@Suite("A TCP connection that is made without waiting")
struct TCPConnectionTests {
    /// Steps it until it says something other than nothing.
    private func news(of connection: TCPConnection, meanwhile: () -> Void = {}) throws -> TCPConnection.News? {
        var poller = Poller()
        let end = MachineClock.monotonic + 20 * Int64.second
        while MachineClock.monotonic < end {
            meanwhile()
            let interests = [connection.interest].compactMap(\.self)
            let ready = try poller.wait(for: interests, until: MachineClock.monotonic + 1000)
            let news = connection.step(ready.first ?? [], now: MachineClock.monotonic)
            if let news { return news }
        }
        return nil
    }

    /// Of a name all addresses are tried: the server has one of them.
    @Test("it is made, carries bytes both ways, and is made anew", arguments: ["127.0.0.1", "localhost"])
    func good(host: String) throws {
        let server = try LoopbackServer()
        let connection = TCPConnection(host: host, port: server.port)
        #expect(connection.interest == nil && connection.deadline == nil && !connection.isOpen)
        for peers in 1...2 {
            #expect(connection.open(at: MachineClock.monotonic) == nil)
            #expect(connection.deadline != nil && !connection.isOpen)
            #expect(try connection.writeOnce([1]) == 0)
            #expect(try news(of: connection) == .opened)
            #expect(connection.isOpen && connection.deadline == nil)
            #expect(try connection.writeOnce(Array("ask\n".utf8)[...]) == 4)
            while server.peers < peers || !server.heard.hasSuffix("\n") { server.proceed() }
            server.send("answer")
            #expect(try news(of: connection, meanwhile: server.proceed) == .readable)
            var room = [UInt8](repeating: 0, count: 16)
            #expect(try room.withUnsafeMutableBytes { try connection.read(into: $0) } == 6)
            #expect(room.prefix(6).elementsEqual("answer".utf8))
            connection.close()
            #expect(try room.withUnsafeMutableBytes { try connection.read(into: $0) } == nil)
            #expect(connection.interest == nil)
            while server.hasPeer { server.proceed() }
        }
    }

    @Test("why it fails, and where", arguments: ["127.0.0.1", "localhost", "::1"])
    func refused(host: String) throws {
        let port = try LoopbackServer().port
        let connection = TCPConnection(host: host, port: port)
        var found = connection.open(at: MachineClock.monotonic)
        if found == nil { found = try news(of: connection) }
        guard case .failed(let reason)? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        // Not every machine has IPv6.
        #expect(reason.hasSuffix(host == "::1" ? " at [::1]:\(port)" : " at \(host):\(port)"))
        #expect(host == "::1" || reason.hasPrefix("Connection refused"))
        #expect(connection.interest == nil && connection.deadline == nil)
    }

    @Test("each step has its time")
    func deadlines() throws {
        let name = TCPConnection(host: "localhost", port: 1)
        #expect(name.open(at: 0) == nil && name.deadline == 10 * Int64.second)
        #expect(name.step([], now: 10 * Int64.second - 1) == nil)
        #expect(name.step([], now: 10 * Int64.second) == .failed("the name localhost is not resolved in time"))
        // Nobody is at home at an address for documentation (RFC 5737); some machines know, and tell at once.
        let silent = TCPConnection(host: "192.0.2.1", port: 2947)
        guard silent.open(at: 0) == nil else { return }
        #expect(silent.deadline == 5 * Int64.second && silent.step([], now: 5 * Int64.second - 1) == nil)
        #expect(silent.step([], now: 5 * Int64.second) == .failed("no answer at 192.0.2.1:2947"))
    }
}
