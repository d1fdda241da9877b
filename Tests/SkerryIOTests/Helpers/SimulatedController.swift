import Foundation
import Glibc
import Testing

/// The scripted controller of Tests/Testbed, in a process of its own; it ends with its owner.
final class SimulatedController {
    /// Built once for all tests; `nil` without a C compiler.
    static let path: String? = build()

    /// Where it is, as `H4Address` writes it.
    let address: String
    private let process = Process()
    private let messages = Pipe()
    private let folder: TestFolder

    /// - Parameters:
    ///   - script: What is on the air.
    ///   - port: For TCP; `nil` for a serial port, which is a pseudo terminal.
    init(_ script: String, _ options: [String] = [], port: UInt16?) throws {
        folder = try TestFolder()
        process.executableURL = URL(filePath: try #require(Self.path))
        let transport = port.map { ["--tcp", "\($0)"] } ?? ["--pty"]
        process.arguments = transport + ["-s", try folder.file("air", script.utf8)] + options
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        // The first message says where it is.
        var message = Data()
        while message.last != UInt8(ascii: "\n") {
            let piece = messages.fileHandleForReading.availableData
            try #require(!piece.isEmpty, "the simulated controller ends at once")
            message += piece
        }
        let place = try #require(String(decoding: message, as: UTF8.self).split { $0.isWhitespace }.last)
        address = port.map { "tcp:127.0.0.1:\($0)" } ?? String(place)
    }

    deinit { _ = end() }

    /// Ends it.
    ///
    /// - Returns: What it said since it began.
    func end() -> String {
        guard process.isRunning else { return "" }
        // Other signals are blocked in what a test starts.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// A TCP port that nobody has.
    static func freePort() throws -> UInt16 { try LoopbackServer().port }

    private static func build() -> String? {
        guard let compiler = program("gcc") else { return nil }
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Testbed/hcisim.c")
        let built = FileManager.default.temporaryDirectory.appending(path: "skerry-hcisim-\(getpid())").path()
        let process = Process()
        process.executableURL = URL(filePath: compiler)
        process.arguments = ["-O2", "-o", built, source.path(), "-lm"]
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        atexit { unlink(FileManager.default.temporaryDirectory.appending(path: "skerry-hcisim-\(getpid())").path()) }
        return process.terminationStatus == 0 ? built : nil
    }
}
