import Foundation
import Testing

extension EndToEndTests {
    @Suite struct CalibrateTests {
        private static let office = Program.captures.appendingPathComponent("office.btsnoop").path

        @Test func oneOfSeveralIsCalibrated() throws {
            let run = try Program.run([
                "calibrate", "--beacon", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/0", Self.office,
            ])
            #expect(run.status == 0 && run.errors == "")
            #expect(run.lines.count == 5)
            #expect(run.lines.dropFirst(3).first == "[settings]")
            #expect(run.lines.last?.hasPrefix("receiver-gain = ") == true)
        }

        @Test(
            arguments: [
                ([], "7 iBeacons were heard; name one with --beacon:"),
                (["--beacon", "00000000-0000-0000-0000-000000000001"], "no such iBeacon was heard"),
            ] as [([String], String)])
        func aRefusalSaysWhy(options: [String], reason: String) throws {
            let run = try Program.run(["calibrate"] + options + [Self.office])
            #expect(run.status == 65 && run.lines.isEmpty)
            #expect(run.errors.contains("\(Self.office): \(reason)"))
            #expect(run.errors.contains("and 2 more") == options.isEmpty)
        }
    }
}
