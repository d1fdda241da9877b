import Foundation
import Testing

/// A script of `Tests/VM` that runs, once, in the virtual machine of the testbed: a real kernel with scripted controllers.
struct VirtualMachine {
    /// What one case of a script left.
    struct Case {
        let events: [[String: Any]]
        let status: Int?
        let errors: String
        /// The log of its controller.
        let controller: String

        /// The last event.
        var statistics: [String: Any] { events.last { $0["event"] as? String == "statistics" } ?? [:] }

        func events(_ kind: String) -> [[String: Any]] { events.filter { $0["event"] as? String == kind } }

        /// What the source was said to do, in order.
        var states: [String] {
            events("scanner").filter { !Self.tellsOfStop($0) }.compactMap { $0["state"] as? String }
        }

        /// How often the program was said to have been stopped. Where the machine is busy, the virtual one is, too.
        var stops: Int { events("scanner").count(where: Self.tellsOfStop) }

        private static func tellsOfStop(_ event: [String: Any]) -> Bool {
            (event["detail"] as? String)?.hasPrefix("this program could not run for ") == true
        }

        /// How many advertising reports the controller has sent.
        var reportsSent: Int? {
            controller.firstMatch(of: /commands [0-9]+, reports ([0-9]+) in/).flatMap { Int($0.1) }
        }

        /// What the controller did last of `scan on` and `scan off`.
        var lastScan: Substring? { controller.matches(of: /scan (on|off)/).last?.1 }
    }

    /// All at once, from the first time that one is wanted: each waits most of the time.
    nonisolated(unsafe) private static let runs = [
        "faults.sh": Result { try start("faults.sh", Program.url.path) },
        "backends.sh": Result { try start("backends.sh", Program.url.path) },
        "bluez.sh": Result { try start("bluez.sh", Program.url.path) },
        "doctor.sh": Result { try start("doctor.sh", Program.url.path) },
    ]
    nonisolated(unsafe) private static let load = Result { try start("load.sh", release ?? "") }

    /// An optimised program, which `Tests/run` builds: in the virtual machine others are too slow for many adverts.
    static let release = ProcessInfo.processInfo.environment["SKERRY_RELEASE"].flatMap { $0.isEmpty ? nil : $0 }

    private static let cache = URL(
        fileURLWithPath: ProcessInfo.processInfo.environment["TESTBED_CACHE"]
            ?? NSHomeDirectory() + "/.cache/ble-testbed")
    private static let testbed = Program.root.appendingPathComponent("Tests/Testbed/vmrun")

    /// Whether it can run here; `Tests/setup test` installs it where root does.
    static var isThere: Bool {
        let files = ["vmlinux", "initrd.cpio", "hcisim"].map { cache.appendingPathComponent($0).path }
        return geteuid() == 0 && (files + ["/usr/bin/qemu-system-x86_64"]).allSatisfy(FileManager.default.fileExists)
    }

    private static func start(_ script: String, _ program: String) throws -> (Process, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = testbed
        process.arguments = [
            "-c", "none", "--timeout", "400", "--keep", folder.url.path, "--", "bash",
            Program.root.appendingPathComponent("Tests/VM/\(script)").path, program,
            cache.appendingPathComponent("hcisim").path,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try folder.create("vmrun.err")
        try Program.start(process)
        return (process, folder)
    }

    /// What a case of a script left, once the script has run.
    static func result(of name: String, in script: String) throws -> Case {
        let (process, folder) = try (runs[script] ?? load).get()
        process.waitUntilExit()
        let messages = String(decoding: try folder.read("vmrun.err"), as: UTF8.self)
        #expect(process.terminationStatus == 0, "\(script): \(messages)")
        func text(_ kind: String) -> String {
            String(decoding: (try? folder.read("\(name).\(kind)")) ?? Data(), as: UTF8.self)
        }
        return Case(
            events: try text("ndjson").split(separator: "\n").map { try Program.object(String($0)) },
            status: Int(text("status").trimmingCharacters(in: .whitespacesAndNewlines)), errors: text("err"),
            controller: text("hcisim"))
    }
}
