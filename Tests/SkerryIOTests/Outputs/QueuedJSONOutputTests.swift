import Foundation
import Glibc
import SkerryCore
import Testing

@testable import SkerryIO

@Suite("Lines for a slow reader")
struct QueuedJSONOutputTests {
    private static let wanted = EventKinds(EventKind.allCases.map(EventKinds.init))

    /// The reading and the writing end of a pipe.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw SystemError(errno) }
        return (ends[0], ends[1])
    }

    private static func events(_ name: String) throws -> [Event] {
        // The events of a capture without records: start, scanner states, statistics.
        var stream = CaptureStream(name: name, bytes: Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA])
        #expect(try stream.recognise())
        let engine = Engine(
            settings: ProximitySettings(profile: .adaptive), regions: [], wanted: wanted, seed: 1)
        var replay = Replay(engine: engine, version: "1", command: "replay", seed: 1)
        replay.add(stream)
        while replay.run() != .finished {}
        return replay.engine.events
    }

    @Test("nobody waits; what does not fit is counted and leaves a gap")
    func slowReader() throws {
        let ends = try Self.pipe()
        let reader = FileDescriptor(number: ends.read)
        var output = QueuedJSONOutput(FileDescriptor(number: ends.write), wanted: Self.wanted, regions: [])
        let start = try #require(try Self.events(String(repeating: "x", count: 10_000)).first)
        let statistics = try #require(try Self.events("y").last)
        for _ in 0..<1000 { try output.write([start], sources: []) }
        try output.write([statistics], sources: [])
        var text: [UInt8] = []
        var poller = Poller()
        while output.waiting > 0, let interest = output.interest {
            let ready = try poller.wait(for: [interest], until: MachineClock.monotonic)
            if ready == [.writable] { try output.send() } else { text += try reader.readPiece() }
        }
        while let last = text.last,
            last != 0x0A || !String(decoding: text.suffix(400), as: UTF8.self).contains("statistics")
        {
            text += try reader.readPiece()
        }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        let kept = lines.count - 1
        #expect(kept > 300 && kept < 1000)
        let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        #expect(objects.prefix(kept).map { $0?["seq"] as? Int } == Array(1...kept))
        #expect(objects.last??["seq"] as? Int == 1001)
        #expect(objects.last??["dropped"] as? Int == 1000 - kept)
    }

    @Test("a reader that has gone is an error of the one who writes")
    func brokenPipe() throws {
        signal(SIGPIPE, SIG_IGN)
        let ends = try Self.pipe()
        var output = QueuedJSONOutput(FileDescriptor(number: ends.write), wanted: Self.wanted, regions: [])
        try output.write(try Self.events("y"), sources: ["y"])
        close(ends.read)
        #expect(throws: SystemError(EPIPE)) { try output.send() }
    }
}
