import Foundation
import Testing

/// The program under test, which the build puts beside the bundle of tests.
enum Program {
    /// How a run ended and what it said.
    struct Run {
        var status: Int32
        var output: Data
        var errors: String

        var lines: [String] { String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init) }

        /// The lines as JSON objects.
        func objects() throws -> [[String: Any]] { try lines.map(Program.object) }
    }

    static let url: URL = {
        let places = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(fileURLWithPath: $0) }]
        let candidates = places.compactMap { $0?.deletingLastPathComponent().appendingPathComponent("skerry") }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? candidates[0]
    }()

    /// The package's own folder.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let captures = root.appendingPathComponent("Captures")

    /// A process of the program that has not been started.
    static func process(_ arguments: [String], output: FileHandle, errors: FileHandle) -> Process {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        return process
    }

    /// Runs the program to its end.
    static func run(_ arguments: [String], input: Data? = nil) throws -> Run {
        let folder = try TemporaryFolder()
        let process = process(
            arguments, output: try folder.create("output"), errors: try folder.create("errors"))
        if let input { process.standardInput = try FileHandle(forReadingFrom: folder.write("input", input)) }
        return try finish(process, folder)
    }

    /// Runs a line of the shell, in which `$0` is the program and `$1`… are the arguments.
    static func shell(_ line: String, _ arguments: [String] = []) throws -> Run {
        let folder = try TemporaryFolder()
        let process = process(
            ["-c", line, url.path] + arguments, output: try folder.create("output"), errors: try folder.create("errors")
        )
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        return try finish(process, folder)
    }

    /// Starts a process. The runner's threads block signals, and a child would inherit that.
    static func start(_ process: Process) throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
    }

    private static func finish(_ process: Process, _ folder: TemporaryFolder) throws -> Run {
        try start(process)
        process.waitUntilExit()
        return Run(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: try folder.read("output"), errors: String(decoding: try folder.read("errors"), as: UTF8.self))
    }

    static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
}

/// A folder for the files of one test; it goes with the last that holds it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func create(_ name: String) throws -> FileHandle {
        try FileHandle(forWritingTo: write(name, Data()))
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }

    @discardableResult
    func write(_ name: String, _ data: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file
    }
}
