import SkerryIO
import Testing

@testable import SkerryCore
@testable import skerry

@Suite struct TableScreenTests {
    private static let event = Event(time: nil, source: SourceID(rawValue: 0), .scanner(.listening, detail: nil))

    /// What came just behind a drawing is drawn a little later, though nothing more happens.
    @Test func nothingStaysUndrawn() {
        var screen = TableScreen(isLive: true, isColoured: false)
        #expect(screen.deadline == nil)
        #expect(screen.take([Self.event], sources: ["hci0"]).isEmpty)
        #expect(!screen.drawIfDue(1000).isEmpty && screen.deadline == nil)
        #expect(screen.take([Self.event], sources: ["hci0"]).isEmpty)
        #expect(screen.drawIfDue(2000).isEmpty && screen.deadline == 101_000)
        #expect(!screen.drawIfDue(101_000).isEmpty && screen.deadline == nil)
    }

    @Test func whereItIsNoTerminalItIsDrawnAtTheEnd() {
        var screen = TableScreen(isLive: false, isColoured: false)
        #expect(screen.take([Self.event], sources: ["hci0"]).isEmpty)
        #expect(screen.deadline == nil && screen.drawIfDue(.max).isEmpty)
        let end = Event(time: nil, .statistics(Statistics(seed: 1)))
        #expect(!screen.take([end], sources: ["hci0"]).isEmpty)
    }

    /// That the reader has gone is waited for also while there is nothing to write.
    @Test func theReaderIsWatched() throws {
        let output = LiveTableOutput()
        #expect(output.waiting == 0)
        let events = output.interest?.events
        #expect(events == [])
    }
}
