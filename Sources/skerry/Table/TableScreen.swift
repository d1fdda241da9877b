import Glibc
import SkerryCore
import SkerryIO

/// The table where it is shown: on a terminal it is drawn again in its place, now and then; elsewhere once, at the end.
struct TableScreen {
    private var view = TableView()
    private let isLive: Bool
    private let isColoured: Bool
    private var isStale = false
    /// On the machine's clock.
    private var nextDrawing = Int64.min
    /// Lines above the cursor that are ours.
    private var drawn = 0
    private var size: (columns: Int, rows: Int)?

    /// Microseconds between drawings.
    private static let interval: Int64 = 100_000

    /// As standard output and the environment have it.
    init() {
        // A dumb terminal can't move its cursor.
        let isLive = FileDescriptor.standardOutput.isTerminal && Self.environment("TERM") != "dumb"
        self.init(isLive: isLive, isColoured: isLive && Self.environment("NO_COLOR") == nil)
    }

    init(isLive: Bool, isColoured: Bool) {
        self.isLive = isLive
        self.isColoured = isColoured
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
        return events.contains { $0.kind == .statistics } ? draw(MachineClock.monotonic) : []
    }

    /// When it is to be drawn again, on the clock of `MachineClock.monotonic`; `nil` where nothing is new.
    var deadline: Int64? { isLive && isStale ? nextDrawing : nil }

    /// What is to be written now; nothing where it is not due.
    mutating func drawIfDue(_ now: Int64) -> [UInt8] {
        guard let deadline, now >= deadline else { return [] }
        return draw(now)
    }

    private mutating func draw(_ now: Int64) -> [UInt8] {
        isStale = false
        nextDrawing = now + Self.interval
        return Array((isLive ? redrawing() : wholeTable).utf8)
    }

    /// For a file, where nothing needs to be cut.
    private var wholeTable: String {
        view.lines(width: .max, height: .max, isColoured: false).reduce(into: "") { $0 += $1 + "\n" }
    }

    /// What brings the table up to date on the terminal. It does not scroll: the last row is the cursor's.
    private mutating func redrawing() -> String {
        let size = FileDescriptor.standardOutput.terminalSize ?? (80, 24)
        var text = "\r"
        if let last = self.size, last != size {
            // Terminals differ in what they do to long lines when they become narrower, so nobody knows where ours are.
            text += "\u{1B}[H"
        } else if drawn > 0 {
            text += "\u{1B}[\(drawn)A"
        }
        self.size = size
        let lines = view.lines(width: size.columns, height: size.rows - 1, isColoured: isColoured)
        // Each line is erased before it is written: behind a full one the cursor still stands on its last character.
        for line in lines { text += "\u{1B}[K\(line)\r\n" }
        drawn = lines.count
        return text + "\u{1B}[J"
    }
}
