import SkerryCore
import SkerryIO

/// `skerry record`: a scan that keeps what it hears as a capture.
enum RecordCommand {
    static let options = OptionTable<ScanCommand.Arguments>(
        options: [
            Option(
                name: "--rotate", value: "SIZE",
                help: """
                    begin a new file before one is longer (64k, 10M, 1G; \(BTSnoopWriter.shortestFile) bytes at least); \
                    FILE.1 is the one before
                    """
            ) {
                (arguments, value) throws(UsageError) in
                let bounds = BTSnoopWriter.shortestFile...1_000_000_000_000_000
                arguments.settings.scan.recording.fileLength = try Settings.size(value, "rotate", bounds)
            },
            Option(name: "--keep", value: "N", help: "with --rotate: keep so many files before (default: 9)") {
                (arguments, value) throws(UsageError) in
                arguments.settings.scan.recording.keeps = Int(try Settings.number(value, "keep", 1...999, ""))
            },
        ] + ScanCommand.options.options)

    static let help = """
        Usage: skerry record [OPTION]... FILE

        Scans as 'skerry scan' does, and writes the advertising reports that are heard
        to FILE, a btsnoop capture that skerry replay, btmon and Wireshark read. A
        recording that FILE held before is lost; with --rotate it becomes FILE.1. Any
        other file is left as it is, and ends the program.

        \(options.help)

        Examples:
          skerry record desk.btsnoop
          skerry record --rotate 10M --keep 4 --events region,error hall.btsnoop

        """

    static func run(_ words: [String]) -> ExitCode {
        var arguments = ScanCommand.Arguments()
        do throws(UsageError) {
            let operands = try options.parse(words, into: &arguments)
            if arguments.wantsHelp { return Main.show(help) }
            guard operands.count == 1 else { throw UsageError("record needs one file to write") }
            guard operands[0] != "-" else {
                throw UsageError("standard output is for events; name a file")
            }
            guard !operands[0].isEmpty else { throw UsageError("an empty path names no file") }
            arguments.settings.scan.recording.path = operands[0]
        } catch {
            return Main.fail(.usage, error.message + "\nTry 'skerry record --help'.")
        }
        return ScanCommand.start(arguments, command: "record")
    }
}
