import Foundation
import Glibc

/// A controller whose answers are made by bumble, in a process of its own; it ends with its owner.
final class BumbleController {
    /// Whether `python3` knows bumble.
    static let isThere: Bool = {
        let process = python(["-c", "import bumble"])
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Where it will be, as `H4Address` writes it.
    let address: String
    private let process: Process
    private let folder: TestFolder

    init(_ script: String) throws {
        folder = try TestFolder()
        let port = try SimulatedController.freePort()
        address = "tcp:127.0.0.1:\(port)"
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Testbed/bumble_beacons.py").path()
        let air = try folder.file("air", script.utf8)
        process = Self.python([program, "--transport", "tcp-server:127.0.0.1:\(port)", "-s", air])
        try process.run()
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static func python(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }
}
