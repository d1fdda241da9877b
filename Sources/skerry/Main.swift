import Glibc
import SkerryCore
import SkerryIO

@main
enum Main {
    static let version = "0.1.0"

    static func main() {
        Signals.install()
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    static func run(_ arguments: [String]) -> ExitCode {
        let commands = ["scan", "record", "replay", "decode", "evaluate", "calibrate", "doctor"]
        switch arguments.first {
        case "scan": return ScanCommand.run(Array(arguments.dropFirst()))
        case "record": return RecordCommand.run(Array(arguments.dropFirst()))
        case "doctor": return DoctorCommand.run(Array(arguments.dropFirst()))
        case "replay": return ReplayCommand.run(Array(arguments.dropFirst()))
        case "decode": return DecodeCommand.run(Array(arguments.dropFirst()))
        case "evaluate": return EvaluateCommand.run(Array(arguments.dropFirst()))
        case "calibrate": return CalibrateCommand.run(Array(arguments.dropFirst()))
        case "--help", "help":
            return show(help)
        case "--version":
            return show("skerry \(version)\n")
        case let word?:
            let near = commands.min { editDistance($0, word) < editDistance($1, word) }!
            let hint = editDistance(near, word) <= 2 ? "; did you mean \(near)?" : ""
            return fail(.usage, "unknown command \(word)\(hint)\nTry 'skerry --help'.")
        case nil:
            return fail(.usage, "which command?\n\n" + help)
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
            fail(reason.isPermission ? .noPermission : .noInput, "\(path): \(reason.message)")
        case .unrecognised(let path, let found):
            fail(.unusableData, "\(path): \(found)")
        }
    }

    /// Scanning that can't begin.
    static func fail(_ error: ScanError) -> ExitCode {
        if case .notPermitted = error { fail(.noPermission, error.message) } else { fail(.noAdapter, error.message) }
    }

    /// A failed write: a reader that went away is no failure.
    static func outputFailed(_ error: SystemError) -> ExitCode {
        if error.isBrokenPipe || error.isInterruption { return .success }
        return fail(.outputFailed, "standard output: \(error.message)")
    }

    static let help = """
        Usage: skerry COMMAND [OPTION]... [OPERAND]...

        Finds iBeacons and other Bluetooth LE beacons and tells what is near, and which
        regions are entered and left, as JSON lines.

          scan       hear what is on the air
          record     the same, and keep what was heard as a capture
          replay     play captures of Bluetooth traffic
          decode     explain the bytes of single advertisements
          calibrate  what to set for a beacon at one metre, or for a compass
          evaluate   measure distances, zones and exits on labelled recordings
          doctor     what this machine lacks for scanning, and what changes that

        'skerry COMMAND --help' tells more. 'skerry --version' prints the version.

        """
}
