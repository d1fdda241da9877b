import Foundation
import Testing

@testable import SkerryCore

/// Recordings of others in `../shared/datasets` beside the checkout: tested against in place.
enum SharedData {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/datasets").standardized

    static let isThere = FileManager.default.fileExists(atPath: folder.path())

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name + ".csv"), encoding: .utf8)
    }

    static func recordings(_ name: String) throws -> [Recording] { try RecordingReader.read(try text(name)) }

    /// The fields of each line but the first.
    static func rows(_ name: String) throws -> [[Substring]] {
        try text(name).split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    }
}
