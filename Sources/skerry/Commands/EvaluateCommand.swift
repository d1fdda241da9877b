import SkerryCore
import SkerryIO

/// `skerry evaluate`: measures the profiles on labelled recordings.
enum EvaluateCommand {
    enum Format: String {
        case text, json
    }

    struct Arguments {
        var profiles = Profile.allCases
        var format = Format.text
        var wantsHelp = false
    }

    private struct File {
        let path: String
        let recordings: [Recording]
    }

    static let options = OptionTable<Arguments>(options: [
        Option(name: "--profile", value: "NAME", help: "adaptive, apple or altbeacon (default: all of them)") {
            (arguments, value) throws(UsageError) in
            arguments.profiles = [try Settings.profile(value)]
        },
        Option(name: "--format", value: "FORMAT", help: "text (the default), or json: one object a file and profile") {
            (arguments, value) throws(UsageError) in
            guard let format = Format(rawValue: value) else {
                throw UsageError("format '\(value)' is neither text nor json")
            }
            arguments.format = format
        },
        .help(\.wantsHelp),
    ])

    static let help = """
        Usage: skerry evaluate [OPTION]... CSV...

        Measures how well the profiles tell distances, zones and exits, on recordings
        with labels: one advert a line, the first line names the columns; - is standard
        input. The columns:

          session,timestamp_s,rssi_dbm,measured_power_dbm,true_distance_m,true_zone
          and maybe drop_mask

        What is measured follows from the labels:
          true_distance_m    errors of distance and zone; how often the zone changes
                             where the distance is always the same; how long a move
                             takes to show where it grows after 30 s and falls after
                             60 s
          inside, outside    (in true_zone) crossings of a doorway
          present            (in true_zone) false exits and the delay of true ones,
                             also with the adverts left out that drop_mask marks

        \(options.help)

        Examples:
          skerry evaluate desk.csv
          skerry evaluate --format json desk.csv | jq .distance.logRMSE

        """

    /// The most bytes of one file; a million adverts.
    private static let limit = 64 << 20

    static func run(_ words: [String]) -> ExitCode {
        var arguments = Arguments()
        let paths: [String]
        do throws(UsageError) {
            paths = try options.parse(words, into: &arguments)
            if arguments.wantsHelp {
                return Main.show(help)
            }
            guard !paths.isEmpty else { throw UsageError("evaluate needs a file of recordings") }
            guard paths.count(where: { $0 == "-" }) <= 1 else {
                throw UsageError("standard input can be read only once")
            }
        } catch {
            return Main.fail(.usage, error.message + "\nTry 'skerry evaluate --help'.")
        }
        Main.sayWhetherTerminalIsRead(paths)
        var files: [File] = []
        for path in paths {
            let text: String
            do throws(InputError) {
                text = try TextFile.read(path, limit: limit, allowsStandardInput: true)
            } catch {
                return Main.fail(error)
            }
            if Signals.endRequested { return .success }
            do throws(RecordingReader.Failure) {
                files.append(File(path: path, recordings: try RecordingReader.read(text)))
            } catch {
                return Main.fail(.unusableData, "\(path):\(error.line): \(error.reason)")
            }
        }
        return evaluate(files, arguments)
    }

    private static func evaluate(_ files: [File], _ arguments: Arguments) -> ExitCode {
        var line = JSONLine(capacity: 4096)
        var code = ExitCode.success
        var isFirst = true
        for file in files {
            let evaluations = arguments.profiles.map { Evaluation(file.recordings, profile: $0) }
            guard !evaluations[0].isEmpty else {
                code = Main.fail(.unusableData, "\(file.path): no labels that anything could be measured against")
                continue
            }
            switch arguments.format {
            case .json: for evaluation in evaluations { evaluation.write(file: file.path, to: &line) }
            case .text:
                let block = EvaluationText.block(file.path, evaluations)
                line.raw(Array((isFirst ? block : "\n" + block).utf8))
            }
            isFirst = false
            do throws(SystemError) {
                try unsafe line.withBytes { (bytes) throws(SystemError) in
                    try unsafe FileDescriptor.standardOutput.writeAll(bytes)
                }
            } catch {
                return Main.outputFailed(error)
            }
            line.removeAll()
        }
        return code
    }
}
