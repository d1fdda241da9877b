import SkerryCore
import SkerryIO

// Where the events of a run go, and when it ends by itself.
extension Settings {
    /// The options for it.
    ///
    /// - Parameters:
    ///   - place: Where the command keeps them.
    ///   - clock: What a time is measured by, for people.
    static func tableOfEnd<Arguments>(
        _ place: any WritableKeyPath<Arguments, Settings> & Sendable, clock: String
    ) -> [Option<Arguments>] {
        [
            Option(
                name: "--output", letter: "o", value: "FILE",
                help: "write the events to a file, as > of a shell does; - is standard output"
            ) {
                (arguments, value) throws(UsageError) in
                guard !value.isEmpty else { throw UsageError("--output needs the name of a file") }
                arguments[keyPath: place].outputPath = value == "-" ? nil : value
            },
            Option(
                name: "--count", value: "N",
                help: "end after N events were printed; the statistics, if they are wanted, are one more"
            ) {
                (arguments, value) throws(UsageError) in
                guard let count = Int(value), count > 0 else {
                    throw UsageError("count '\(value)' is not a whole number above 0")
                }
                arguments[keyPath: place].count = count
            },
            Option(name: "--for", value: "TIME", help: "end after so many seconds \(clock), or 5m, 2h, 1d") {
                (arguments, value) throws(UsageError) in
                arguments[keyPath: place].duration = Int64(
                    (try Settings.duration(value, "for", 0...1_000_000_000) * 1e6).rounded())
            },
        ]
    }

    /// Lets standard output be the file that was named, if one was. To be called when all else is open: where a run can't
    /// begin, the file stays as it was.
    ///
    /// - Parameter others: Files that the run reads or writes besides.
    /// - Returns: The code to end with where that fails.
    func openOutput(besides others: [String]) -> ExitCode? {
        guard let outputPath else { return nil }
        let all = others + [configurationPath, statePath, scan.recording.path].compactMap(\.self)
        if let other = all.first(where: { FileDescriptor.isOneFile(outputPath, $0) || outputPath == $0 }) {
            return Main.fail(.usage, "\(outputPath): the events can't go where \(other) is, which this run needs")
        }
        do throws(SystemError) {
            try FileDescriptor.redirectStandardOutput(to: outputPath)
            return nil
        } catch {
            if error.isInterruption, Signals.endRequested { return .success }
            return Main.fail(error.isPermission ? .noPermission : .outputFailed, "\(outputPath): \(error.message)")
        }
    }
}
