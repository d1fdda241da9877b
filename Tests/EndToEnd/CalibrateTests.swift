import Foundation
import Testing

extension EndToEndTests {
    @Suite struct CalibrateTests {
        private static let office = Program.captures.appendingPathComponent("office.btsnoop").path

        @Test func oneOfSeveralIsCalibrated() throws {
            let run = try Program.run([
                "calibrate", "--beacon", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/0", Self.office,
            ])
            #expect(run.status == 0)
            let lines = run.errors.split(separator: "\n")
            #expect(lines.count == 7 && lines[0] == "skerry: \(Self.office): other iBeacons were heard too:")
            #expect(lines[1] == "  E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/101  -58 dBm, 293 times")
            #expect(run.lines.count == 5)
            #expect(run.lines.dropFirst(3).first == "[settings]")
            #expect(run.lines.last?.hasPrefix("receiver-gain = ") == true)
        }

        @Test(
            arguments: [
                ([], "7 iBeacons were heard; name one with --beacon:"),
                (["--beacon", "00000000-0000-0000-0000-000000000001"], "no such iBeacon was heard, but these:"),
            ] as [([String], String)])
        func aRefusalSaysWhy(options: [String], reason: String) throws {
            let run = try Program.run(["calibrate"] + options + [Self.office])
            #expect(run.status == 65 && run.lines.isEmpty)
            #expect(run.errors.contains("\(Self.office): \(reason)"))
            // Each with its level and how often it was heard, the strongest first.
            #expect(run.errors.split(separator: "\n").count == 8)
            let levels = run.errors.matches(of: #/ (-[0-9.]+) dBm, [0-9]+ times/#).compactMap { Double($0.output.1) }
            #expect(levels.count == 7 && levels == levels.sorted(by: >))
        }
    }
}
