import SkerryCore
import SkerryIO

/// How far a long replay has come, as a line on standard error while standard output goes elsewhere.
struct Progress {
    private let total: UInt64?
    private let isShown: Bool
    private var hasDrawn = false
    /// On the machine's clock. Short runs show nothing.
    private var nextDrawing = MachineClock.monotonic + .second

    /// Microseconds between drawings.
    private static let interval: Int64 = 200_000

    /// Begins to count the time.
    ///
    /// - Parameter total: Bytes of all inputs; `nil` where one of them is a pipe.
    init(total: UInt64?) {
        self.total = total
        isShown = FileDescriptor.standardError.hasCursor && !FileDescriptor.standardOutput.isTerminal
    }

    /// Told how many bytes have passed.
    mutating func update(_ position: UInt64) {
        guard isShown else { return }
        let now = MachineClock.monotonic
        guard now >= nextDrawing else { return }
        nextDrawing = now + Self.interval
        hasDrawn = true
        let width = FileDescriptor.standardError.terminalSize?.columns ?? 80
        FileDescriptor.standardError.print("\r\u{1B}[K" + Self.line(position, of: total, width: width))
    }

    /// Erases the line. Messages may follow.
    mutating func finish() {
        if hasDrawn { FileDescriptor.standardError.print("\r\u{1B}[K") }
        hasDrawn = false
    }

    /// The line; the last column stays free, so that the cursor does not leave it.
    static func line(_ position: UInt64, of known: UInt64?, width: Int) -> String {
        guard let known, known > 0 else { return String("\(size(position)) read".prefix(max(width - 1, 0))) }
        // A file that is followed may have grown.
        let total = max(known, position)
        let share = Double(position) / Double(total)
        let percent = "\(Int(share * 100)) %"
        let amount = "\(size(position)) of \(size(total))"
        let short = String(repeating: " ", count: max(5 - percent.count, 0)) + percent
        let bar = min(width - 1 - short.count - amount.count - 4, 40)
        guard bar >= 5 else { return String(short.prefix(max(width - 1, 0))) }
        let filled = Int(share * Double(bar))
        return short + "  " + String(repeating: "█", count: filled) + String(repeating: "░", count: bar - filled) + "  "
            + amount
    }

    /// Bytes, in the unit that makes a short number.
    private static func size(_ bytes: UInt64) -> String {
        switch bytes {
        case ..<1_000_000: "\(bytes / 1000) kB"
        case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
        }
    }
}
