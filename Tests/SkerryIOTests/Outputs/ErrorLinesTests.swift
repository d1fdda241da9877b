import Foundation
import Glibc
import Testing

@testable import SkerryCore
@testable import SkerryIO

@Suite("Faults on standard error")
struct ErrorLinesTests {
    private static func fault(_ message: String) -> Fault {
        Fault(domain: .gps, name: .network, message: message, isRecoverable: true)
    }

    /// A file that takes lines.
    private struct Lines {
        let folder: TestFolder
        let path: String

        init() throws {
            folder = try TestFolder()
            path = try folder.file("errors", [])
        }

        var descriptor: FileDescriptor { FileDescriptor(number: open(path, O_WRONLY | O_APPEND)) }
        var text: [String] {
            get throws {
                try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
            }
        }
    }

    @Test("a line each, twenty a minute; the others are counted")
    func bounds() throws {
        let lines = try Lines()
        var errors = ErrorLines(lines.descriptor)
        errors.write((1...15).map { Self.fault("a\($0)") }, isLast: false, now: 0)
        errors.write((1...15).map { Self.fault("b\($0)") }, isLast: false, now: 59_999_999)
        let first = (1...15).map { "skerry: a\($0)" } + (1...5).map { "skerry: b\($0)" }
        #expect(try lines.text == first)
        errors.write([Self.fault("c")], isLast: false, now: 60_000_000)
        let second = first + ["skerry: 10 more errors not shown here; --events error shows all", "skerry: c"]
        #expect(try lines.text == second)
        errors.write((1...20).map { Self.fault("d\($0)") }, isLast: true, now: 60_000_001)
        let third = second + (1...19).map { "skerry: d\($0)" }
        #expect(try lines.text == third + ["skerry: 1 more error not shown here; --events error shows all"])
    }

    @Test("a long one is cut")
    func long() throws {
        let lines = try Lines()
        var errors = ErrorLines(lines.descriptor)
        errors.write([Self.fault(String(repeating: "x", count: 10_000))], isLast: true, now: 0)
        #expect(try lines.text == ["skerry: " + String(repeating: "x", count: 500)])
    }

    @Test("nobody waits for a reader that does not read", .timeLimit(.minutes(1)))
    func slow() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let reading = FileDescriptor(number: ends[0])
        let writing = FileDescriptor(number: ends[1])
        // Until it is full: what is written to a pipe as it is opened waits for its reader.
        _ = fcntl(writing.number, F_SETFL, O_NONBLOCK)
        while try writing.writeOnce([UInt8](repeating: 0, count: 4096)[...]) > 0 {}
        _ = fcntl(writing.number, F_SETFL, 0)
        var errors = ErrorLines(writing)
        for _ in 0..<3 { errors.write([Self.fault("x")], isLast: true, now: 0) }
        while try reading.readPiece().last == 0, ErrorLinesTests.isReadable(reading) {}
        errors.write([], isLast: true, now: 1)
        let rest = String(decoding: try reading.readPiece(), as: UTF8.self)
        #expect(rest == "skerry: 3 more errors not shown here; --events error shows all\n")
    }

    private static func isReadable(_ descriptor: borrowing FileDescriptor) -> Bool {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    @Test("what is wanted is not told twice; what is dropped is told", arguments: [true, false])
    func queued(isWanted: Bool) throws {
        let lines = try Lines()
        let other = try Lines()
        let kinds: EventKinds = isWanted ? .standard : EventKinds(.region)
        var output = QueuedJSONOutput(
            other.descriptor, wanted: kinds, regions: [], errors: ErrorLines(lines.descriptor))
        let long = Event(time: nil, .error(Self.fault(String(repeating: "x", count: QueuedJSONOutput.limit))))
        try output.write([long], sources: [])
        #expect(try lines.text.count == (isWanted ? 0 : 1))
        let event = Event(time: nil, .error(Self.fault("y")))
        try output.write([event], sources: [])
        #expect(try lines.text.last == "skerry: y")
    }
}
