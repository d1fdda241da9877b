import Glibc
import Testing

@testable import SkerryIO

@Suite("Waiting")
struct PollerTests {
    private func wait(_ interests: [Poller.Interest], until deadline: Int64?) throws -> [Poller.Events] {
        var poller = Poller()
        return try poller.wait(for: interests, until: deadline)
    }

    @Test("a moment is waited for, not longer and not shorter")
    func deadline() throws {
        for microseconds in [Int64(0), 1, 999, 1001, 20_000] {
            let due = MachineClock.monotonic + microseconds
            #expect(try wait([], until: due) == [])
            #expect(MachineClock.monotonic >= due)
        }
        #expect(try wait([], until: .min) == [])
    }

    @Test("descriptors are told apart")
    func descriptors() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let reading = FileDescriptor(number: ends[0])
        var writing: FileDescriptor? = FileDescriptor(number: ends[1])
        let interests = [
            Poller.Interest(descriptor: ends[0], events: .readable), .init(descriptor: ends[1], events: .writable),
        ]
        #expect(try wait(interests, until: nil) == [[], .writable])
        try writing?.write("x")
        #expect(try wait(interests, until: nil) == [.readable, .writable])
        #expect(try wait([interests[0]], until: nil) == [.readable])
        _ = try reading.readPiece()
        #expect(try wait([interests[0]], until: 0) == [[]])
        // The end is told by reading.
        writing = nil
        #expect(try wait([interests[0]], until: nil) == [[.readable, .closed]])
        #expect(try reading.readPiece().isEmpty)
    }
}
