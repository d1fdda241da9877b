import Foundation

/// Captures with answers that lie beside the package. They are too large to be part of it.
enum SharedCaptures {
    static let folder = Program.root.deletingLastPathComponent().appendingPathComponent("shared/captures")
    static let vectors = folder.appendingPathComponent("advert-vectors.jsonl")

    static var areThere: Bool { FileManager.default.fileExists(atPath: vectors.path) }

    private static let suffix = ".expected.json"

    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
    }()

    static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    static func answer(_ name: String) throws -> Answer {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Answer.self, from: Data(contentsOf: folder.appendingPathComponent(name + suffix)))
    }

    /// The answers' words for the reasons of `malformed`.
    static let reasons = [
        "ad_length_overrun": "adLengthOverrun", "ad_nonzero_after_zero_length": "adNonzeroAfterZeroLength",
        "legacy_report_truncated": "legacyReportTruncated", "extended_report_truncated": "extendedReportTruncated",
        "no_num_reports": "noNumReports", "event_shorter_than_its_length": "eventShorterThanItsLength",
        "bytes_after_reports": "bytesAfterReports", "bytes_after_event": "bytesAfterEvent",
        "ll_pdu_truncated": "linkLayerPduTruncated", "ll_pdu_short": "linkLayerPduShort",
    ]
    /// The answers' words for kinds of addresses, where they differ.
    static let addressTypes = ["random-identity": "randomIdentity", "public-identity": "publicIdentity"]

    struct Answer: Decodable {
        struct Beacon: Decodable {
            var uuid: String
            var major, minor, power: Int
            var address, addressType: String
            var count: Int
            var firstTs, lastTs: String
            var rssiMin, rssiMax: Int?
        }

        struct Joined: Decodable {
            var ibeaconReports: Int
        }

        var records, advReports, distinctAddresses, ibeaconReports, ibeaconIdentities: Int
        var firstRecordTs, lastRecordTs: String
        var containerErrors: [String]
        var malformed: [String: Int]
        /// Counted on joined fragments; the rule here.
        var malformedJoined: [String: Int]?
        var withReassembly: Joined?
        var ibeacons: [Beacon]
    }
}
