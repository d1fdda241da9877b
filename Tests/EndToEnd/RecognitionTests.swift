import Foundation
import Testing

extension EndToEndTests {
    /// Inputs that are not what they are given for: the message says what they are.
    @Suite struct RecognitionTests {
        private static let walk = Program.captures.appendingPathComponent("walk.btsnoop").path
        private static let header =
            "session,timestamp_s,rssi_dbm,measured_power_dbm,true_distance_m,true_zone"

        @Test(
            arguments: [
                (["replay", ""], 66, "an empty path names no file"),
                (["replay", "--gps", ""], 66, "an empty path names no file"),
                (["evaluate", ""], 66, "an empty path names no file"),
                (["calibrate", ""], 66, "an empty path names no file"),
                (["record", ""], 64, "an empty path names no file\nTry 'skerry record --help'."),
                (["replay", "--config", "", walk], 66, "an empty path names no file"),
                (["evaluate", walk], 65, "\(walk): not text, but a capture of Bluetooth traffic (btsnoop)"),
                (
                    ["replay", "--config", walk, walk], 65,
                    "\(walk): not text, but a capture of Bluetooth traffic (btsnoop)"
                ),
                (
                    ["scan", "--backend", "h4:/dev/null"], 69,
                    "/dev/null is no serial port; 'ls /dev/serial/by-id' names those that are"
                ),
                (
                    ["scan", "--backend", "h4:/dev"], 69,
                    "/dev is no serial port; 'ls /dev/serial/by-id' names those that are"
                ),
            ] as [([String], Int32, String)])
        func whatItIsIsSaid(arguments: [String], status: Int32, message: String) throws {
            let run = try Program.run(arguments)
            #expect(run.status == status && run.lines.isEmpty && run.errors == "skerry: \(message)\n")
        }

        @Test(
            arguments: [
                (Array("one,two\n1,2\n".utf8), "text"),
                ([0x01, 0x80, 0x00, 0xFE], "unknown bytes that begin 01 80 00 fe"),
                (Array("GIF89a".utf8), "a GIF image"),
                ([0x1F, 0x8B, 8], "a compressed file (gzip); unpack it first"),
            ] as [([UInt8], String)])
        func aLogThatNoReceiverSent(bytes: [UInt8], found: String) throws {
            let folder = try TemporaryFolder()
            let path = try folder.write("log", Data(bytes)).path
            // Without gpsdecode, wherever the tests run.
            let run = try Program.shell("PATH= exec \"$0\" replay --gps \"$1\"", [path])
            #expect(run.status == 65 && run.errors == "skerry: \(path): not a log of a receiver, but \(found)\n")
        }

        @Test func ofAReceiversLogGPSDecodeIsWanted() throws {
            let folder = try TemporaryFolder()
            let sentence = try folder.write("nmea", Data("\r\n$GPGGA,1*00\r\n".utf8)).path
            let packets = try folder.write("ubx", Data([0, 0xB5, 0x62, 1, 7])).path
            for path in [sentence, packets] {
                let run = try Program.shell("PATH= exec \"$0\" replay --gps \"$1\"", [path])
                #expect(run.status == 65 && run.errors.contains("for which gpsdecode is needed"))
            }
        }

        /// As spreadsheets write them: a byte-order mark, semicolons, decimal commas.
        @Test func recordingsOfSpreadsheetsGiveTheSameFigures() throws {
            let folder = try TemporaryFolder()
            let rows = (0..<60).map { "a,\(Double($0) / 2),-6\($0 % 5),-59,1.5,near" }
            let plain = ([Self.header] + rows).joined(separator: "\n")
            let semicolons = plain.replacing(",", with: ";")
            let texts = [
                plain, "\u{FEFF}" + plain, semicolons, "\u{FEFF}" + semicolons.replacing(".", with: ",") + "\r\n",
            ]
            let figures = try texts.map { text in
                let path = try folder.write("a.csv", Data(text.utf8)).path
                let run = try Program.run(["evaluate", "--format", "json", path])
                #expect(run.status == 0 && run.errors == "" && run.lines.count == 3)
                return run.lines
            }
            #expect(figures.allSatisfy { $0 == figures[0] })
        }
    }
}
