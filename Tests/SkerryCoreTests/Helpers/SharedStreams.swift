import Foundation
import Testing

@testable import SkerryCore

/// Recordings of gpsd's answers in `../shared/gpsd` beside the checkout, each with what every line of it means: tested
/// against in place.
enum SharedStreams {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/gpsd").standardized
    private static let suffix = ".expected.jsonl"

    static let isThere = FileManager.default.fileExists(atPath: folder.path())

    /// Streams that have answers, as `logs/ac12.gpsd-3.22`.
    static let names: [String] = ["logs", "synthetic"].flatMap { part in
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: part).path())) ?? []
        return files.filter { $0.hasSuffix(suffix) }.map { "\(part)/\($0.dropLast(suffix.count))" }.sorted()
    }

    static func stream(_ name: String) throws -> [UInt8] {
        try file(name.hasSuffix(".chk") ? name : name + ".jsonl")
    }

    static func file(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    /// The answers, each an object of JSON.
    static func answers(_ name: String) throws -> [[String: Any]] {
        try String(contentsOf: folder.appending(path: name + suffix), encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }
}

/// What a line says: a report, with the known members that can't be read; `nil` for a line that can't.
func readLine(_ line: [UInt8]) -> (report: GPSDReport, unreadable: Int)? {
    var unreadable = 0
    guard let report = try? GPSDReport(line: line.rawSpan, unreadable: &unreadable) else { return nil }
    return (report, unreadable)
}

func readLine(_ line: String) -> (report: GPSDReport, unreadable: Int)? { readLine(Array(line.utf8)) }
