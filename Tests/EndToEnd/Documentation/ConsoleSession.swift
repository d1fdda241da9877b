import Foundation

/// What the `console` blocks of a document do in a folder of their own, where `skerry` is a command and `Captures` are at
/// hand. Blocks that name a file are that file.
struct ConsoleSession {
    /// A command, with what the document or the shell prints after it.
    struct Step: Equatable {
        var command: String
        var output: [String]
        var status: Int32 = 0
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("bin"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("bin/skerry"), withDestinationPath: Program.url.path)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("Captures"), withDestinationPath: Program.captures.path)
    }

    /// Makes the file of a block that names one.
    func place(_ block: Document.Block) throws {
        let words = block.info.split(separator: " ")
        guard words.count == 2 else { return }
        try folder.write(String(words[1]), Data((block.lines.joined(separator: "\n") + "\n").utf8))
    }

    /// The commands of a block. One goes on as long as a quote is open, or where its line ends with `|` or `\`.
    static func steps(_ block: Document.Block) -> [Step] {
        var steps: [Step] = []
        for line in block.lines {
            if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2)), output: []))
            } else if let last = steps.last, last.output.isEmpty, goesOn(last.command) {
                steps[steps.count - 1].command += "\n" + line
            } else if !steps.isEmpty {
                steps[steps.count - 1].output.append(line)
            }
        }
        return steps
    }

    private static func goesOn(_ command: String) -> Bool {
        command.hasSuffix("|") || command.hasSuffix("\\") || !command.count(where: { $0 == "'" }).isMultiple(of: 2)
    }

    /// Runs the commands of a block in one shell.
    ///
    /// - Returns: The same, with what they printed on both streams, and their statuses.
    func run(_ steps: [Step]) throws -> [Step] {
        // A byte that nothing prints tells where the output of a command ends.
        let lines = steps.map { "\($0.command)\nstatus=$?; printf '\\036%d\\036' $status; (exit $status)\n" }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec 2>&1\n" + lines.joined()]
        process.currentDirectoryURL = folder.url
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        process.environment = [
            "PATH": folder.path("bin") + ":" + path, "LC_ALL": "C", "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try folder.create("printed")
        try Program.start(process)
        process.waitUntilExit()
        let printed = String(decoding: try folder.read("printed"), as: UTF8.self)
            .split(separator: "\u{1E}", omittingEmptySubsequences: false)
        return steps.enumerated().map { number, step in
            guard printed.count > 2 * number + 1, let status = Int32(printed[2 * number + 1]) else {
                return Step(command: step.command, output: ["(the shell did not come to it)"], status: -1)
            }
            var output = printed[2 * number].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if output.last == "" { output.removeLast() }
            return Step(command: step.command, output: output, status: status)
        }
    }
}
