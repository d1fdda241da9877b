import Glibc
import Testing

@testable import SkerryIO

@Suite("Bytes for a slow reader")
struct OutputQueueTests {
    /// A terminal that nobody reads, opened as `FileDescriptor.standardTerminal` does.
    @Test("a terminal that stands still keeps nobody waiting", .timeLimit(.minutes(1)))
    func terminal() throws {
        var (master, slave) = (Int32(-1), Int32(-1))
        var name = [CChar](repeating: 0, count: 128)
        try #require(openpty(&master, &slave, &name, nil, nil) == 0)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        let reader = FileDescriptor(number: master)
        defer { close(slave) }
        let terminal = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        #expect(terminal >= 0)
        var queue = OutputQueue(FileDescriptor(number: terminal))
        #expect(queue.interest.events == [])
        // More than a terminal holds; of odd lengths, so that it is never full to the byte.
        queue.append([UInt8](repeating: 0x2E, count: 1_000_001))
        var poller = Poller()
        while try poller.wait(for: [queue.interest], until: MachineClock.monotonic + 100_000) == [.writable] {
            let before = queue.count
            try queue.send()
            if queue.count == before { break }
        }
        #expect(queue.count > 0)
        // It goes on once somebody reads.
        var read = 0
        var piece = [UInt8](repeating: 0, count: 65_536)
        while read < 1_000_001 {
            let count = Glibc.read(reader.number, &piece, piece.count)
            read += max(count, 0)
            if count <= 0 { usleep(1000) }
            try queue.send()
        }
        #expect(queue.count == 0 && queue.interest.events == [])
    }
}
