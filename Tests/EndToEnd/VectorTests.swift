import Foundation
import Testing

extension EndToEndTests {
    /// Single advertisements with answers, through `decode`.
    @Suite(.enabled(if: SharedCaptures.areThere, "no vectors in ../shared")) struct VectorTests {
        /// One advertisement with its answer.
        private struct Vector {
            var id, kind, hex: String
            var expected: [String: Any]

            /// What the rule says that the bytes look like.
            var guess: String {
                if hex.hasPrefix("043e") { return "h4" }
                if hex.hasPrefix("d6be898e") { return "ll" }
                return hex.hasPrefix("4c00") || hex.dropFirst(4).hasPrefix("beac") ? "mfr" : "ad"
            }
        }

        private static func vectors() throws -> [Vector] {
            try String(contentsOf: SharedCaptures.vectors, encoding: .utf8).split(separator: "\n").map { line in
                let object = try Program.object(String(line))
                return Vector(
                    id: try #require(object["id"] as? String), kind: try #require(object["kind"] as? String),
                    hex: try #require(object["hex"] as? String).lowercased(),
                    expected: try #require(object["expected"] as? [String: Any]))
            }
        }

        /// One line for each payload, all from one process.
        private static func decode(_ vectors: [Vector], _ options: [String]) throws -> [[String: Any]] {
            let input = Data(vectors.map { $0.hex + "\n" }.joined().utf8)
            let run = try Program.run(["decode"] + options + ["-"], input: input)
            #expect(run.status == 0 && run.errors == "")
            let found = try run.objects()
            try #require(found.count == vectors.count)
            return found
        }

        @Test(arguments: ["h4", "ad", "scan_record", "mfr", "ll"])
        func everyAdvertisementIsExplainedAsItsAnswerSays(kind: String) throws {
            let vectors = try Self.vectors().filter { $0.kind == kind }
            #expect(!vectors.isEmpty)
            for (vector, found) in zip(vectors, try Self.decode(vectors, ["--kind", kind])) {
                try Self.compare(found, with: vector)
            }
        }

        @Test func withoutAKindTheFirstBytesTell() throws {
            let vectors = try Self.vectors()
            #expect(vectors.count == 184)
            for (vector, found) in zip(vectors, try Self.decode(vectors, [])) {
                #expect(found["kind"] as? String == vector.guess, "\(vector.id)")
                // A scan record is read as advertising data is.
                let isSame = vector.guess == vector.kind || (vector.guess, vector.kind) == ("ad", "scan_record")
                if isSame { try Self.compare(found, with: vector) }
            }
        }

        private static func compare(_ found: [String: Any], with vector: Vector) throws {
            let expected = vector.expected
            let answers = expected["reports"] as? [[String: Any]] ?? [expected]
            let reports = try #require(found["reports"] as? [[String: Any]], "\(vector.id)")
            guard reports.count == answers.count else {
                Issue.record("\(vector.id): \(reports.count) reports, not \(answers.count)")
                return
            }
            for (report, answer) in zip(reports, answers) { try compare(report, with: answer, vector.id) }
            let malformed = found["malformed"] as? [String: Int]
            if let reasons = expected["malformed"] as? [String: Int] {
                let names = reasons.map { (SharedCaptures.reasons[$0.key] ?? $0.key, $0.value) }
                #expect(malformed == Dictionary(uniqueKeysWithValues: names), "\(vector.id)")
            }
            let isBad = answers.contains { $0["crc_ok"] as? Bool == false }
            #expect((malformed?["badCrc"] != nil) == isBad, "\(vector.id)")
        }

        private static func compare(_ report: [String: Any], with answer: [String: Any], _ id: String) throws {
            let beacons = try #require(report["beacons"] as? [[String: Any]], "\(id)").map(asAnswered)
            let frames = (answer["ibeacons"] as? [[String: Any]] ?? []).map { $0 as NSDictionary }
            let others = (answer["other"] as? [[String: Any]] ?? []).map { $0 as NSDictionary }
            #expect(beacons.filter { $0["type"] == nil } == frames, "\(id)")
            #expect(beacons.filter { $0["type"] != nil } == others, "\(id)")
            #expect(report["address"] as? String == answer["address"] as? String, "\(id)")
            if let type = answer["address_type"] as? String {
                let number = report["addressType"] as? Int
                let name = report["addressType"] as? String
                #expect(name == (SharedCaptures.addressTypes[type] ?? type) || number.map { "\($0)" } == type, "\(id)")
            }
            // Outside -127…20 a level is unavailable.
            let rssi = (answer["rssi"] as? Int).flatMap { -127...20 ~= $0 ? $0 : nil }
            #expect(report["rssi"] as? Int == rssi, "\(id)")
            // The answers name the subevent; bit 4 of the event type tells a legacy PDU in an extended report.
            let isLegacy = answer["pdu"] as? String == "extended" && (answer["event_type"] as? Int ?? 0) & 0x10 != 0
            #expect(report["pdu"] as? String == (isLegacy ? "legacy" : answer["pdu"] as? String), "\(id)")
        }

        /// A beacon in the answers' words.
        private static func asAnswered(_ beacon: [String: Any]) -> NSDictionary {
            var beacon = beacon
            let format = beacon.removeValue(forKey: "format") as? String ?? ""
            beacon["extra"] = nil  // the answers have it in their notes
            let power = beacon.removeValue(forKey: "measuredPower") as? Int
            let isEddystone = format.hasPrefix("eddystone")
            if let power { beacon[isEddystone ? "power_0m" : "power"] = isEddystone ? power + 41 : power }
            guard format != "ibeacon" else { return beacon as NSDictionary }
            beacon["type"] = format
            let data = beacon.removeValue(forKey: "data")
            if format == "altbeacon" { beacon["mfg_reserved"] = data }
            let names = [
                "batteryMillivolts": "battery_mv", "temperature": "temperature_c", "advertisementCount": "adv_count",
                "uptime": "uptime_s", "manufacturer": "company",
            ]
            for (name, answered) in names { beacon[answered] = beacon.removeValue(forKey: name) ?? beacon[answered] }
            return beacon as NSDictionary
        }
    }
}
