/// A command of the program: what it is called and does, and its options.
struct Command: Sendable {
    let name: String
    /// A line for people.
    let summary: String
    /// What `--help` prints; made only where it is asked for, as are the options.
    let help: @Sendable () -> String
    let options: @Sendable () -> [any OptionText]
    /// Runs it with the words behind its name.
    let run: @Sendable ([String]) -> ExitCode

    static let all = [
        Command(
            name: "scan", summary: "hear what is on the air", help: { ScanCommand.help },
            options: { ScanCommand.options.options }, run: ScanCommand.run),
        Command(
            name: "record", summary: "the same, and keep what was heard as a capture", help: { RecordCommand.help },
            options: { RecordCommand.options.options }, run: RecordCommand.run),
        Command(
            name: "replay", summary: "play captures of Bluetooth traffic", help: { ReplayCommand.help },
            options: { ReplayCommand.options.options }, run: ReplayCommand.run),
        Command(
            name: "decode", summary: "explain the bytes of single advertisements", help: { DecodeCommand.help },
            options: { DecodeCommand.options.options }, run: DecodeCommand.run),
        Command(
            name: "calibrate", summary: "what to set for a beacon at one metre, or for a compass",
            help: { CalibrateCommand.help }, options: { CalibrateCommand.options.options }, run: CalibrateCommand.run),
        Command(
            name: "evaluate", summary: "measure distances, zones and exits on labelled recordings",
            help: { EvaluateCommand.help }, options: { EvaluateCommand.options.options }, run: EvaluateCommand.run),
        Command(
            name: "doctor", summary: "what this machine lacks for scanning, and what changes that",
            help: { DoctorCommand.help }, options: { DoctorCommand.options.options }, run: DoctorCommand.run),
    ]

    /// The command of a name.
    static func named(_ name: String) throws(UsageError) -> Command {
        if let command = all.first(where: { $0.name == name }) { return command }
        let hint = Spelling.nearest(to: name, among: all.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        throw UsageError("unknown command \(name)\(hint)")
    }
}
