import Foundation
import Testing

extension EndToEndTests {
    /// What a magnetometer shows while it is turned, as gpsd tells it.
    @Suite struct CompassCalibrationTests {
        private static let place =
            #"{"class":"TPV","mode":3,"time":"2026-06-01T12:00:00.000Z","lat":47.05,"lon":8.3,"altHAE":487,"eph":5}"#

        /// Evenly over a part of a sphere (a Fibonacci lattice).
        private static func sphere(_ count: Int, above: Double = -1, stretch: Double = 1) -> [String] {
            (0..<count).map { index in
                let z = above + (1 - above) * (Double(index) + 0.5) / Double(count)
                let angle = Double(index) * .pi * (3 - 5.0.squareRoot())
                let across = 450 * (1 - z * z).squareRoot()
                return line(120 + across * cos(angle), -340 + across * sin(angle), 75 + 450 * z * stretch)
            }
        }

        private static func circle(_ degrees: Double) -> [String] {
            (0..<200).map { index in
                let angle = Double(index) / 200 * degrees * .pi / 180
                return line(3 + 20 * cos(angle), -7 + 20 * sin(angle))
            }
        }

        private static func line(_ x: Double, _ y: Double, _ z: Double? = nil, device: String = "/dev/i2c") -> String {
            #"{"class":"ATT","device":"\#(device)","mag_x":\#(x),"mag_y":\#(y)"#
                + (z.map { #","mag_z":\#($0)"# } ?? "") + "}"
        }

        private func calibrate(_ lines: [String], _ options: String...) throws -> Program.Run {
            try Program.run(
                ["calibrate", "--compass"] + options + ["-"], input: Data((lines.joined(separator: "\n") + "\n").utf8))
        }

        @Test func theOffsetAndTheFactorCanBeSet() throws {
            let run = try calibrate([Self.place] + Self.sphere(300))
            #expect(run.status == 0 && run.errors == "")
            #expect(
                run.lines.prefix(4) == [
                    "# 300 readings of a compass turned in all directions, of which it saw 100 %. They lie on a",
                    "# sphere of radius 450, 0 % off (root mean square).", "[settings]", "field-offset = 120,-340,75",
                ])
            // WMM2025 has 48.5 microtesla there.
            #expect(run.lines[4].hasPrefix("# The Earth's field there is 48."))
            let factor = try #require(run.lines[5].split(separator: " ").last.flatMap { Double($0) })
            #expect(run.lines[5].hasPrefix("field-factor = 0.10") && 0.106...0.109 ~= factor)
            // With what was told, the field is the Earth's wherever it points.
            let folder = try TemporaryFolder()
            try folder.write("skerry.conf", run.output)
            let lines = Self.sphere(20).map { String($0.dropLast()) + #","mheading":10}"# }
            try folder.write("log", Data(([Self.place] + lines).joined(separator: "\n").utf8))
            let replay = try Program.run([
                "replay", "--config", folder.path("skerry.conf"), "--heading-filter", "0", "--events", "heading",
                "--gps", folder.path("log"),
            ])
            let fields = try replay.objects().map { heading in
                ["x", "y", "z"].compactMap { heading[$0] as? Double }.reduce(0) { $0 + $1 * $1 }.squareRoot()
            }
            #expect(fields.count == 20 && fields.allSatisfy { abs($0 - 450 * factor) < 0.01 })
        }

        @Test func aVehicleTurnsLevel() throws {
            let run = try calibrate(Self.circle(360), "--level")
            #expect(run.status == 0)
            #expect(
                run.lines == [
                    "# 200 readings of a compass turned once around, of which it saw 100 %. They lie on a",
                    "# circle of radius 20, 0 % off (root mean square).", "[settings]", "field-offset = 3,-7,0",
                    "# field-factor: the Earth's horizontal field where this was, in microtesla, by 20; a log with a fix tells it",
                ])
            let placed = try calibrate([Self.place] + Self.circle(360), "--level")
            #expect(placed.lines[4].hasPrefix("# The Earth's horizontal field there is 21."))
        }

        @Test(
            arguments: [
                (sphere(49), [], "49 readings with mag_x, mag_y and mag_z; 50 are needed"),
                ([place], [], "0 readings with mag_x, mag_y and mag_z; 50 are needed"),
                (
                    sphere(300, above: 0), [],
                    "the compass was seen in 50 % of the directions, of which 75 % are needed: turn it in all directions"
                ),
                (circle(180), ["--level"], "the compass was seen in"),
                (circle(360), [], "0 readings with mag_x, mag_y and mag_z; 50 are needed"),
                (sphere(300, stretch: 1.5), [], "the readings lie "),
                (
                    sphere(50) + [line(1, 2, 3, device: "/dev/b")], [],
                    "several compasses (/dev/b, /dev/i2c): leave the lines of one"
                ),
                (sphere(50).map { $0.replacing("mag_x\":", with: "mag_x\":9999999999") }, [], ""),
            ] as [([String], [String], String)])
        func aRefusalSaysWhy(lines: [String], options: [String], reason: String) throws {
            let folder = try TemporaryFolder()
            try folder.write("log", Data(lines.joined(separator: "\n").utf8))
            let run = try Program.run(["calibrate", "--compass"] + options + [folder.path("log")])
            #expect(run.status == 65 && run.output.isEmpty)
            #expect(run.errors.hasPrefix("skerry: \(folder.path("log")): \(reason)"), "\(run.errors)")
        }

        @Test(
            arguments: [
                (["--compass"], "calibrate needs one log"),
                (["--level", "log"], "--level is for --compass"),
                (["--compass", "--beacon", "*", "log"], "a compass is no beacon"),
            ])
        func whatDoesNotFitTogetherIs64(arguments: [String], reason: String) throws {
            let run = try Program.run(["calibrate"] + arguments)
            #expect(run.status == 64 && run.errors.hasPrefix("skerry: \(reason)"))
        }

        /// Logs of others with a magnetometer: a vehicle that did not turn around says so.
        @Test func realLogsAreReadOrRefused() throws {
            let shared = Program.root.appendingPathComponent("../shared/gpsd")
            for path in ["synthetic/compass-xdr-tnt.gpsd-3.22.jsonl", "logs/tnt-revolution.gpsd-3.22.jsonl"] {
                let url = shared.appendingPathComponent(path)
                guard FileManager.default.fileExists(atPath: url.path) else { continue }
                for options in [[], ["--level"]] {
                    let run = try Program.run(["calibrate", "--compass"] + options + [url.path])
                    #expect([0, 65].contains(run.status) && (run.status == 0) == run.errors.isEmpty)
                }
            }
        }
    }
}
