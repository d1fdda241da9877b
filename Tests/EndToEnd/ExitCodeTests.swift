import Foundation
import Testing

extension EndToEndTests {
    /// What other programs rely on: exit codes, and standard output that carries events only.
    @Suite struct ExitCodeTests {
        private static let walk = Program.captures.appendingPathComponent("walk.btsnoop").path
        private static let region = "a=6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001"

        @Test(
            arguments: [
                ([], "which command?"),
                (["repaly"], "unknown command repaly; did you mean replay?"),
                (["replay"], "replay needs a capture"),
                (["replay", "--regoin", region, walk], "unknown option --regoin; did you mean --region?"),
                (["replay", "--region", region, "--region", region, walk], "region a is given twice"),
                (["replay", "--region", "*=" + region, walk], "the name * is taken by the region of every iBeacon"),
                (["replay", "--region", "a=6F1C1B8E", walk], "'6F1C1B8E' is not a UUID"),
                (
                    ["replay", "--profile", "nearest", walk],
                    "profile 'nearest' is not built in; there is adaptive, apple, altbeacon"
                ),
                (["replay", "--events", "ranging,regions", walk], "unknown event 'regions'"),
                (["replay", "--format", "xml", walk], "format 'xml' is none of json, table and geojson"),
                (["replay", "--speed", "0", walk], "speed '0' is neither a number above 0 nor max"),
                (["replay", "--follow=yes", walk], "--follow takes no value"),
                (["scan", "--speed", "2"], "--speed is an option of replay"),
                (["help", "repaly"], "unknown command repaly; did you mean replay?"),
                (["replay", walk, "--events"], "--events needs a value"),
                (["replay", "-", "-"], "standard input can be read only once"),
                (["decode"], "decode needs bytes"),
                (["decode", "--kind", "hci", "00"], "unknown kind 'hci'"),
            ] as [([String], String)])
        func aCommandLineThatCannotBeFollowedIs64(arguments: [String], message: String) throws {
            let run = try Program.run(arguments)
            #expect(run.status == 64)
            #expect(run.output.isEmpty)
            #expect(run.errors.hasPrefix("skerry: \(message)"), "\(run.errors)")
        }

        @Test(
            arguments: [
                ("", "an empty file"), ("ffd8ffe000104a464946000101", "a JPEG image"),
                ("68656c6c6f2c20776f726c640a", "text"),
                ("6274736e6f6f700000000001", "a btsnoop header that is cut short"),
                (
                    "6274736e6f6f700000000001000003ee",
                    "btsnoop with datalink 1006; 1001, 1002, 1003 and 2001 can be read"
                ),
                (
                    "d4c3b2a102000400000000000000000000000400 01000000",
                    "pcap of link type 1, which holds no Bluetooth LE"
                ),
            ] as [(String, String)])
        func aFileThatIsNoCaptureIs65(hex: String, found: String) throws {
            let folder = try TemporaryFolder()
            try folder.write("file", bytes(hex))
            for paths in [[folder.path("file")], [Self.walk, folder.path("file")]] {
                let run = try Program.run(["replay"] + paths)
                #expect(run.status == 65)
                #expect(run.output.isEmpty)
                #expect(
                    run.errors.hasPrefix("skerry: \(folder.path("file")): not a capture that can be read, but \(found)")
                )
            }
        }

        @Test func aFileThatCannotBeOpenedIs66() throws {
            let folder = try TemporaryFolder()
            for path in [folder.path("missing"), folder.url.path] {
                for paths in [[path], [Self.walk, path]] {
                    let run = try Program.run(["replay"] + paths)
                    #expect(run.status == 66)
                    #expect(run.output.isEmpty)
                    #expect(run.errors.hasPrefix("skerry: \(path): ") && run.errors.hasSuffix("\n"))
                }
            }
            #expect(try Program.run(["replay", "--config", folder.path("missing"), Self.walk]).status == 66)
        }

        @Test func bytesThatAreNotHexadecimalAre65AndTheOthersAreExplained() throws {
            let run = try Program.run(["decode", "020106", "0201zz", "020"])
            #expect(run.status == 65)
            #expect(
                run.lines == [
                    #"{"kind":"ad","reports":[{"beacons":[],"structures":[{"offset":0,"type":1,"name":"Flags","value":"06","flags":["LE General Discoverable Mode","BR/EDR Not Supported"]}]}],"malformed":{}}"#,
                    #"{"error":"argument 2: 'z' at column 5 is not a hexadecimal digit"}"#,
                    #"{"error":"argument 3: an odd number of hexadecimal digits"}"#,
                ])
        }

        @Test func anOutputThatFailsIs74() throws {
            let run = try Program.shell("exec \"$0\" replay \"$1\" > /dev/full", [Self.walk])
            #expect(run.status == 74)
            #expect(run.errors == "skerry: standard output: No space left on device\n")
        }

        @Test(arguments: [["replay", "--events", "advertisement", walk], ["decode", "020106"]])
        func aClosedPipeEndsTheProgramQuietlyWith0(arguments: [String]) throws {
            let folder = try TemporaryFolder()
            let pipe = Pipe()
            let process = Program.process(
                arguments, output: pipe.fileHandleForWriting, errors: try folder.create("errors"))
            try pipe.fileHandleForReading.close()
            try Program.start(process)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 0)
            #expect(try folder.read("errors").isEmpty)
        }

        @Test func aReaderThatTakesOneLineGetsIt() throws {
            let run = try Program.shell("\"$0\" replay --events advertisement \"$1\" | head -n 1", [Self.walk])
            #expect(run.lines.count == 1 && run.errors == "")
            #expect(try run.objects()[0]["seq"] as? Int == 1)
        }

        @Test func aCutFileIsAnErrorEventAnd0() throws {
            let folder = try TemporaryFolder()
            try folder.write("cut.btsnoop", Data(contentsOf: URL(fileURLWithPath: Self.walk)).dropLast(10))
            let run = try Program.run(["replay", "--events", "error,statistics", folder.path("cut.btsnoop")])
            #expect(run.status == 0 && run.errors == "")
            let events = try run.objects()
            #expect(events.map { $0["event"] as? String } == ["error", "statistics"])
            #expect(events[0]["domain"] as? String == "capture" && events[0]["recoverable"] as? Bool == false)
            #expect(events[1]["containerErrors"] as? Int == 1)
        }

        /// Where the event is not printed, somebody must see it all the same, once.
        @Test(
            arguments: [
                (["--events", "ranging"], true), (["--format", "geojson"], true), (["--format", "table"], false),
                (["--events", "error"], false), ([], false),
            ] as [([String], Bool)])
        func anErrorThatIsLeftOutIsALineOnStandardError(options: [String], isTold: Bool) throws {
            let folder = try TemporaryFolder()
            try folder.write("cut", Data(contentsOf: URL(fileURLWithPath: Self.walk)).prefix(5000))
            let run = try Program.run(["replay"] + options + [folder.path("cut")])
            #expect(run.status == 0)
            let line = "skerry: cut: record 92 at byte 4957 is cut: 43 of at least 82 bytes\n"
            #expect(run.errors == (isTold ? line : ""))
            let isPrinted = String(decoding: run.output, as: UTF8.self).contains("record 92 at byte 4957 is cut")
            #expect(isPrinted != isTold)
        }

        @Test(arguments: [
            ["--help"], ["-h"], ["help"], ["help", "scan"], ["replay", "--help"], ["decode", "-h"], ["--version"],
            ["-V"],
        ])
        func helpAndVersionGoToStandardOutput(arguments: [String]) throws {
            let run = try Program.run(arguments)
            #expect(run.status == 0 && !run.output.isEmpty && run.errors == "")
        }

        @Test func anErrorInTheConfigurationNamesFileLineAndReason() throws {
            let folder = try TemporaryFolder()
            try folder.write("skerry.conf", Data("# regions\n[region office]\nuiid = 1\n".utf8))
            let run = try Program.run(["replay", "--config", folder.path("skerry.conf"), Self.walk])
            #expect(run.status == 64 && run.output.isEmpty)
            #expect(
                run.errors
                    == "skerry: \(folder.path("skerry.conf")):3: unknown key \"uiid\" in [region office]; did you mean uuid?\n"
            )
        }
    }
}

/// Bytes from hexadecimal digits.
private func bytes(_ hex: String) -> Data {
    let digits = hex.compactMap(\.hexDigitValue)
    return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
}
