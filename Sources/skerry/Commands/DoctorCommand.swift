import SkerryCore
import SkerryIO

/// `skerry doctor`: what this machine can do, what is missing, and what changes that.
enum DoctorCommand {
    enum Format {
        case text, json
    }

    struct Arguments {
        var format = Format.text
        var wantsHelp = false
    }

    static let options = OptionTable<Arguments>(options: [
        Option(name: "--format", value: "FORMAT", help: "text (the default) or json, a line for each finding") {
            (arguments, value) throws(UsageError) in
            switch value {
            case "text": arguments.format = .text
            case "json": arguments.format = .json
            default: throw UsageError("format '\(value)' is none of text and json")
            }
        },
        .help(\.wantsHelp),
    ])

    static let help = """
        Usage: skerry doctor [--format FORMAT]

        Tells what of this machine matters to 'skerry scan', what is missing, and the
        command that changes it. Nothing is changed. To be run as who will scan.

        \(options.help)

        Exit code: 0 when scanning works, 69 when no adapter can be used, 77 when this
        program may not use it.

        Examples:
          skerry doctor
          skerry doctor --format json | jq -r 'select(.level == "problem").fix'

        """

    static func run(_ words: [String]) -> ExitCode {
        var arguments = Arguments()
        do throws(UsageError) {
            let operands = try options.parse(words, into: &arguments)
            if arguments.wantsHelp { return Main.show(help) }
            guard operands.isEmpty else { throw UsageError("doctor takes no operand '\(operands[0])'") }
        } catch {
            return Main.fail(.usage, error.message + "\nTry 'skerry doctor --help'.")
        }
        let diagnosis = Diagnosis(MachineProbe.probe())
        let shown = Main.show(arguments.format == .json ? lines(diagnosis) : text(diagnosis))
        guard shown == .success else { return shown }
        return switch diagnosis.obstacle {
        case nil: .success
        case .adapter?: .noAdapter
        case .permission?: .noPermission
        }
    }

    private static func text(_ diagnosis: Diagnosis) -> String {
        diagnosis.findings.map { finding in
            let level = finding.level.rawValue
            let column = String(repeating: " ", count: 9)
            let first = level + column.dropFirst(level.count) + "\(finding.topic): \(finding.message)\n"
            return first + (finding.fix.map { "\(column)→ \($0)\n" } ?? "")
        }.joined()
    }

    private static func lines(_ diagnosis: Diagnosis) -> String {
        var line = JSONLine(capacity: 4096)
        for finding in diagnosis.findings {
            line.literal("{\"topic\":")
            line.string(finding.topic.rawValue)
            line.member("level", finding.level.rawValue)
            line.member("message", finding.message)
            if let fix = finding.fix { line.member("fix", fix) }
            line.literal("}\n")
        }
        return line.takeString()
    }
}
