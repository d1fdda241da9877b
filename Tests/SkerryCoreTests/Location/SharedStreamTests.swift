import Foundation
import Testing

@testable import SkerryCore

/// Every line of the recordings of gpsd 3.22 and 3.27 against the answers that come with them.
@Suite("Recorded streams", .enabled(if: SharedStreams.isThere, "../shared/gpsd is not there"))
struct SharedStreamTests {
    @Test("every line means what it should", arguments: SharedStreams.names)
    func lines(name: String) throws {
        var rows: [Int: Row] = [:]
        var number = 0
        for line in try SharedStreams.stream(name).split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            guard line.first == UInt8(ascii: "{") else { continue }
            guard let (report, unreadable) = readLine(Array(line)) else {
                rows[number] = Row("malformed")
                continue
            }
            #expect(unreadable == 0, "line \(number)")
            switch report {
            case .position(let tpv): rows[number] = Row(tpv)
            case .attitude(let att): rows[number] = Row(att)
            default: break
            }
        }
        for answer in try SharedStreams.answers(name) {
            let line = try #require(answer["line"] as? Int)
            #expect(rows.removeValue(forKey: line) == Row(answer), "line \(line)")
        }
        #expect(rows.isEmpty)
    }

    /// The answers tell which report is the last of its epoch.
    @Test("fixes come once and in order", arguments: SharedStreams.names)
    func sequence(name: String) throws {
        var expected: [String] = []
        var last: Timestamp?
        var running: Timestamp?
        for answer in try SharedStreams.answers(name) {
            let time = (answer["time"] as? String).flatMap(Timestamp.init(iso8601:))
            guard answer["mode"] != nil else {
                expected.append("compass \((time ?? running)?.text ?? "-")")
                continue
            }
            running = time ?? running
            guard answer["lastOfEpoch"] as? Bool == true, answer["kind"] as? String == "location" else { continue }
            if let time, let last, time <= last, last - time <= 86_400 * .second { continue }
            last = time ?? last
            expected.append("fix \((time ?? running)?.text ?? "-") \(answer["lat"] ?? "") \(answer["lon"] ?? "")")
        }
        var source = LocationSource()
        for line in try SharedStreams.stream(name).split(separator: 0x0A) {
            if let (report, _) = readLine(Array(line)) { source.observe(report) }
        }
        source.disconnect()
        let outputs = source.takeOutputs().compactMap { output in
            switch output {
            case .fix(let fix, _):
                "fix \(fix.time?.text ?? "-") \(fix.coordinate.latitude) \(fix.coordinate.longitude)"
            case .compass(_, _, _, let time): "compass \(time?.text ?? "-")"
            case .locationUnknown: nil
            }
        }
        // A fix waits for the end of its epoch, a heading does not.
        #expect(outputs.filter { $0.hasPrefix("fix") } == expected.filter { $0.hasPrefix("fix") })
        #expect(outputs.filter { $0.hasPrefix("compass") } == expected.filter { $0.hasPrefix("compass") })
        #expect(source.counts.clockCorrections == (name.hasSuffix("leap-second-2016.gpsd-3.22") ? 1 : 0))
    }

    /// An answer, or what was made of the line. What is unknown is -1 in the answers, or absent.
    private struct Row: Equatable {
        var words: String
        var numbers: [Double] = []

        init(_ words: String) { self.words = words }

        init(_ tpv: TPV) {
            let when = "\(tpv.time?.text.dropLast(4) ?? "-") \(tpv.mode.rawValue)"
            switch FixReading(tpv) {
            case .noFix: words = "nofix \(when)"
            case .rejected(let why): words = "rejected \(when) \(why.rawValue)"
            case .fix(let fix):
                words = "location \(when) \(fix.accuracySource.rawValue) \(fix.isSimulated)"
                numbers = [
                    fix.coordinate.latitude, fix.coordinate.longitude, fix.horizontalAccuracy, fix.altitude,
                    fix.ellipsoidalAltitude, fix.verticalAccuracy, fix.speed, fix.speedAccuracy, fix.course,
                    fix.courseAccuracy,
                ].map { $0 ?? -1 }
            }
        }

        init(_ att: ATT) {
            let when = att.time?.text.dropLast(4) ?? "-"
            if let rejection = att.rejection {
                words = "rejected-heading \(when) \(rejection.rawValue)"
            } else {
                words = "heading \(when)"
                numbers = [att.compass.trueHeading, att.compass.magneticHeading].map { $0 ?? -1 }
            }
        }

        init(_ answer: [String: Any]) {
            func text(_ name: String) -> String { answer[name] as? String ?? "-" }
            let time = text("time") == "-" ? "-" : String(text("time").dropLast())
            let when = "\(time) \(answer["mode"] as? Int ?? -1)"
            var names: [String] = []
            switch text("kind") {
            case "nofix": words = "nofix \(when)"
            case "rejected": words = "rejected \(when) \(text("why"))"
            case "location":
                words = "location \(when) \(text("hSrc")) \(answer["simulated"] as? Bool ?? false)"
                names = [
                    "lat", "lon", "hAcc", "alt", "ellipsoidalAlt", "vAcc", "speed", "speedAcc", "course", "courseAcc",
                ]
            case "heading":
                words = "heading \(time)"
                names = ["trueHeading", "magneticHeading"]
            case "rejected-heading": words = "rejected-heading \(time) \(text("why"))"
            case let other: words = other
            }
            numbers = names.map { answer[$0] as? Double ?? -1 }
        }

        /// Coordinates to the last digit, the rest as the answers are rounded: to three decimals.
        static func == (a: Row, b: Row) -> Bool {
            a.words == b.words && a.numbers.count == b.numbers.count
                && zip(a.numbers, b.numbers).enumerated().allSatisfy { place, pair in
                    abs(pair.0 - pair.1) <= (place < 2 && a.numbers.count > 2 ? 0 : 0.000501)
                }
        }
    }
}
