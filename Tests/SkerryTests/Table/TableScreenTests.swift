import SkerryIO
import Testing

@testable import SkerryCore
@testable import skerry

@Suite struct TableScreenTests {
    private static let event = Event(time: nil, source: SourceID(rawValue: 0), .scanner(.listening, detail: nil))

    /// What came just behind a drawing is drawn a little later, though nothing more happens.
    @Test func nothingStaysUndrawn() {
        var screen = TableScreen(.terminal, isColoured: false, isLive: false)
        #expect(screen.deadline == nil)
        #expect(screen.take([Self.event], sources: ["hci0"]).isEmpty)
        #expect(!screen.drawIfDue(1000).isEmpty && screen.deadline == nil)
        #expect(screen.take([Self.event], sources: ["hci0"]).isEmpty)
        #expect(screen.drawIfDue(2000).isEmpty && screen.deadline == 101_000)
        #expect(!screen.drawIfDue(101_000).isEmpty && screen.deadline == nil)
    }

    @Test func whereItIsNoTerminalItIsDrawnAtTheEnd() {
        var screen = TableScreen(.file, isColoured: false, isLive: false)
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

    /// On a terminal that can't move its cursor each table stays: they are few, and the first has something to show.
    @Test func onADumbTerminalItIsDrawnAgainBelow() {
        var screen = TableScreen(.dumbTerminal, isColoured: false, isLive: false)
        #expect(screen.take([Self.event], sources: ["hci0"]).isEmpty && screen.drawIfDue(0).isEmpty)
        let text = String(decoding: screen.drawIfDue(.max - 20 * .second), as: UTF8.self)
        #expect(text.contains("hci0 listening\n") && text.hasSuffix("\n\n") && !text.contains("\u{1B}"))
    }

    /// What is not ranged has no exit that would tell of its silence.
    @Test func agesGoOnWhereTimeDoes() {
        for isLive in [true, false] {
            var screen = TableScreen(.terminal, isColoured: false, isLive: isLive)
            let event = TableScene.advertisement(0, 0x16, TableScene.uidFrame, rssi: -60)
            #expect(screen.take([event], sources: ["hci0"]).isEmpty)
            #expect(!screen.drawIfDue(1000).isEmpty)
            #expect(screen.deadline == (isLive ? 1_001_000 : nil))
        }
    }
}
