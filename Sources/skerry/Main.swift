import Glibc
import SkerryCore
import SkerryIO

@main
enum Main {
    static let version = "0.1.0"

    static func main() {
        Signals.install()
        let words = Array(CommandLine.arguments.dropFirst())
        let code = run(words)
        // To be asked to end is the good end of a scan, and of nothing else.
        if words.first != "scan", words.first != "record" { Signals.endIfInterrupted() }
        exit(code.rawValue)
    }

    static func run(_ arguments: [String]) -> ExitCode {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "--help", "-h":
            return show(help)
        case "--version", "-V":
            return show("skerry \(version)\n")
        case nil:
            return fail(.usage, "which command?\n\n" + help)
        case let word?:
            do throws(UsageError) {
                guard word == "help" else { return try Command.named(word).run(rest) }
                guard rest.count <= 1 else { throw UsageError("help takes one command, not '\(rest[1])' too") }
                return show(try rest.first.map(Command.named)?.help() ?? help)
            } catch {
                return fail(.usage, error.message + "\nTry 'skerry --help'.")
            }
        }
    }

    /// Writes text that was asked for.
    static func show(_ text: String) -> ExitCode {
        do throws(SystemError) {
            try FileDescriptor.standardOutput.write(text)
            return .success
        } catch {
            return outputFailed(error)
        }
    }

    /// Says on standard error why, and gives the code to end with.
    static func fail(_ code: ExitCode, _ message: String) -> ExitCode {
        FileDescriptor.standardError.print("skerry: \(message)\n")
        return code
    }

    /// Says on standard error that input is waited for where standard input is a terminal, which looks like a program that
    /// hangs.
    static func sayWhetherTerminalIsRead(_ paths: [String]) {
        guard paths.contains("-"), FileDescriptor.standardInput.isTerminal else { return }
        FileDescriptor.standardError.print("skerry: reading from the terminal; Ctrl-D on a line of its own ends it\n")
    }

    /// An input that can't be used.
    static func fail(_ error: InputError) -> ExitCode {
        switch error {
        // Asked to end while a pipe was waited for.
        case .cannotOpen(_, let reason) where reason.isInterruption && Signals.endRequested: .success
        case .cannotOpen("", _): fail(.noInput, "an empty path names no file")
        case .cannotOpen(let path, let reason):
            fail(reason.isPermission ? .noPermission : .noInput, "\(path): \(reason.message(of: path))")
        case .unrecognised(let path, let found):
            fail(.unusableData, "\(path): \(found)")
        }
    }

    /// A file that can't be written.
    static func fail(_ error: OutputError) -> ExitCode {
        fail(error.reason.isPermission ? .noPermission : .outputFailed, "\(error.path): \(error.message)")
    }

    /// Scanning that can't begin.
    static func fail(_ error: ScanError) -> ExitCode {
        if case .notPermitted = error { fail(.noPermission, error.message) } else { fail(.noAdapter, error.message) }
    }

    /// A failed write: a reader that went away is no failure.
    ///
    /// - Parameter path: Where standard output goes, if it was named.
    static func outputFailed(_ error: SystemError, path: String? = nil) -> ExitCode {
        if error.isBrokenPipe || error.isInterruption { return .success }
        return fail(.outputFailed, "\(path ?? "standard output"): \(error.message)")
    }

    static let help = """
        Usage: skerry COMMAND [OPTION]... [OPERAND]...

        Finds iBeacons and other Bluetooth LE beacons and tells what is near, and which
        regions are entered and left, as JSON lines.

        \(commands)

        'skerry help COMMAND' tells more. 'skerry --version' prints the version.

        """

    /// A line for each command.
    private static var commands: String {
        let width = Command.all.map(\.name.count).max()! + 2
        return Command.all.map { command in
            "  " + command.name + String(repeating: " ", count: width - command.name.count) + command.summary
        }.joined(separator: "\n")
    }
}
