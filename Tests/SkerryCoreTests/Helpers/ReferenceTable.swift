import Foundation

/// A table of numbers with answers in `../shared/gpsd` beside the checkout: tested against in place.
struct ReferenceTable {
    /// The fields of each line that is no comment.
    let rows: [[Substring]]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/gpsd").standardized

    static let isThere = FileManager.default.fileExists(atPath: folder.path())

    init(_ name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        rows = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
            .map { $0.split(whereSeparator: \.isWhitespace) }
    }

    /// Rows as numbers, without so many first fields.
    func numbers(after skipped: Int = 0) -> [[Double]] {
        rows.map { $0.dropFirst(skipped).map { Double($0) ?? .nan } }
    }
}
