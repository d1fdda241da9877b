import SkerryCore
import SkerryIO

/// Events as a table on standard output, for a radio that can't wait: while a drawing is on its way to a slow terminal, no
/// other is made.
struct LiveTableOutput: LiveOutput, ~Copyable {
    private var screen = TableScreen(isLive: true)
    private var queue = OutputQueue(.standardTerminal)

    var interest: Poller.Interest? { queue.interest }
    var waiting: Int { queue.count }
    var deadline: Int64? { waiting > 0 ? nil : screen.deadline }

    mutating func write(_ events: [Event], sources: [String]) throws(SystemError) {
        queue.append(screen.take(events, sources: sources))
    }

    mutating func step(now: Int64) {
        if waiting == 0 { queue.append(screen.drawIfDue(now)) }
    }

    mutating func send() throws(SystemError) { try queue.send() }
}
