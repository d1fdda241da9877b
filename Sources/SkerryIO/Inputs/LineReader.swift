/// Reads lines from a descriptor, bounded in length.
public struct LineReader: ~Copyable {
    /// The longest line; longer ones are cut into several.
    public static let limit = 1 << 20

    private let descriptor: FileDescriptor
    private var pending: [UInt8] = []
    private var isAtEnd = false

    /// Reads from standard input.
    public init() { descriptor = .standardInput }

    /// The next line without its line feed; `nil` at the end, and when the program shall end.
    public mutating func next() throws(SystemError) -> String? {
        while true {
            if let feed = pending.firstIndex(of: UInt8(ascii: "\n"))
                ?? (pending.count >= Self.limit ? pending.count : nil)
            {
                let line = String(decoding: pending[..<feed], as: UTF8.self)
                pending.removeFirst(min(feed + 1, pending.count))
                return line
            }
            if isAtEnd {
                guard !pending.isEmpty else { return nil }
                defer { pending = [] }
                return String(decoding: pending, as: UTF8.self)
            }
            let piece = try descriptor.readPiece()
            if Signals.endRequested { return nil }
            isAtEnd = piece.isEmpty
            pending += piece
        }
    }
}
