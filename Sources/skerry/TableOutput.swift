import Glibc
import SkerryCore
import SkerryIO

/// Events as a table on standard output that is drawn again in its place; where that is no terminal, once at the end.
struct TableOutput: Output, LiveOutput, ~Copyable {
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

    init() {
        // A dumb terminal can't move its cursor.
        isLive = FileDescriptor.standardOutput.isTerminal && Self.environment("TERM") != "dumb"
        isColoured = isLive && Self.environment("NO_COLOR") == nil
    }

    /// A variable of the environment; one that is empty counts as not set.
    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    mutating func write(_ events: [Event], sources: [String]) throws(SystemError) {
        guard !events.isEmpty else { return }
        if view.sources.count != sources.count { view.sources = sources }
        for event in events { view.take(event) }
        isStale = true
        // Nothing may come after statistics.
        if events.contains(where: { $0.kind == .statistics }) { try draw() } else { try drawIfDue() }
    }

    /// A drawing that is not due yet waits for the next call, since inputs that are played by their clock pause after each
    /// record.
    mutating func flush() throws(SystemError) {
        if isStale { try drawIfDue() }
    }

    private mutating func drawIfDue() throws(SystemError) {
        guard isLive, Signals.monotonicMicroseconds >= nextDrawing else { return }
        try draw()
    }

    private mutating func draw() throws(SystemError) {
        try Self.print(isLive ? redrawing() : wholeTable)
        isStale = false
        nextDrawing = Signals.monotonicMicroseconds + Self.interval
    }

    // A terminal takes what is drawn at once.
    var interest: Poller.Interest? { nil }
    var waiting: Int { 0 }
    mutating func send() throws(SystemError) {}

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

    private static func print(_ text: String) throws(SystemError) {
        let bytes = Array(text.utf8)
        try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
            try unsafe FileDescriptor.standardOutput.writeAll(bytes)
        }
    }
}
