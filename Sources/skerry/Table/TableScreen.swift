import Glibc
import SkerryCore
import SkerryIO

/// The table where it is shown: on a terminal it is drawn again in its place, now and then; on one that can't move its
/// cursor again below, more seldom; elsewhere once, at the end.
struct TableScreen {
    /// What it is drawn on.
    enum Surface {
        case terminal, dumbTerminal, file

        /// Microseconds between drawings.
        var interval: Int64 {
            switch self {
            case .terminal: 100_000
            case .dumbTerminal, .file: 10 * .second
            }
        }
    }

    private var view = TableView()
    private let surface: Surface
    private let isColoured: Bool
    /// Whether time passes also while nothing happens.
    private let isLive: Bool
    private var isStale = false
    /// On the machine's clock, as are the next two.
    private var nextDrawing: Int64
    private var lastDrawing = Int64.min
    private var lastEvent = Int64.max
    /// Lines above the cursor that are ours.
    private var drawn = 0
    private var size: (columns: Int, rows: Int)?

    /// As standard output and the environment have it.
    init(isLive: Bool) {
        let isTerminal = FileDescriptor.standardOutput.isTerminal
        let surface: Surface =
            !isTerminal ? .file : Self.environment("TERM") == "dumb" ? .dumbTerminal : .terminal
        self.init(surface, isColoured: surface == .terminal && Self.environment("NO_COLOR") == nil, isLive: isLive)
    }

    init(_ surface: Surface, isColoured: Bool, isLive: Bool) {
        self.surface = surface
        self.isColoured = isColoured
        self.isLive = isLive
        // What was heard in the first instants is not worth a table of its own where it stays.
        nextDrawing = surface == .dumbTerminal ? MachineClock.monotonic + surface.interval : .min
    }

    /// A variable of the environment; one that is empty counts as not set.
    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// Takes in what happened, in order.
    ///
    /// - Returns: What is to be written at once: nothing may come after statistics.
    mutating func take(_ events: [Event], sources: [String]) -> [UInt8] {
        guard !events.isEmpty else { return [] }
        if view.sources.count != sources.count { view.sources = sources }
        for event in events { view.take(event) }
        isStale = true
        if isLive { lastEvent = MachineClock.monotonic }
        return events.contains { $0.kind == .statistics } ? draw(MachineClock.monotonic) : []
    }

    /// When it is to be drawn again, on the clock of `MachineClock.monotonic`; `nil` where nothing is new.
    var deadline: Int64? {
        guard surface != .file else { return nil }
        if isStale { return nextDrawing }
        return isLive && view.ages ? max(nextDrawing, lastDrawing + .second) : nil
    }

    /// What is to be written now; nothing where it is not due.
    mutating func drawIfDue(_ now: Int64) -> [UInt8] {
        guard let deadline, now >= deadline else { return [] }
        return draw(now)
    }

    private mutating func draw(_ now: Int64) -> [UInt8] {
        isStale = false
        nextDrawing = now + surface.interval
        lastDrawing = now
        let silence = max(now - lastEvent, 0)
        return Array((surface == .terminal ? redrawing(after: silence) : drawing(after: silence)).utf8)
    }

    /// Where nothing is drawn over, no line is left out.
    private func drawing(after silence: Int64) -> String {
        let width = surface == .file ? .max : FileDescriptor.standardOutput.terminalSize?.columns ?? 80
        let lines = view.lines(width: width, height: .max, isColoured: false, after: silence)
        let end = surface == .file || view.isEnded ? "" : "\n"
        return lines.reduce(into: "") { $0 += $1 + "\n" } + end
    }

    /// What brings the table up to date on the terminal. It does not scroll but for the summary at the end: the last row is
    /// the cursor's.
    private mutating func redrawing(after silence: Int64) -> String {
        let size = FileDescriptor.standardOutput.terminalSize ?? (80, 24)
        var text = "\r"
        if let last = self.size, last != size {
            // Terminals differ in what they do to long lines when they become narrower, so nobody knows where ours are.
            text += "\u{1B}[H"
        } else if drawn > 0 {
            text += "\u{1B}[\(drawn)A"
        }
        self.size = size
        let lines = view.lines(width: size.columns, height: size.rows - 1, isColoured: isColoured, after: silence)
        // Each line is erased before it is written: behind a full one the cursor still stands on its last character.
        for line in lines { text += "\u{1B}[K\(line)\r\n" }
        drawn = lines.count
        return text + "\u{1B}[J"
    }
}
