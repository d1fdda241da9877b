import SkerryCore
import SkerryIO

/// `skerry decode`: explains bytes.
enum DecodeCommand {
    struct Arguments {
        var kind: Explanation.Kind?
        var wantsHelp = false
    }

    static let options = OptionTable<Arguments>(options: [
        Option(
            name: "--kind", value: "KIND",
            help: "what the bytes are: h4, ad, scan_record, mfr or ll; without it, their beginning tells"
        ) {
            (arguments, value) throws(UsageError) in
            guard let kind = Explanation.Kind(rawValue: value) else {
                let known = Explanation.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("unknown kind '\(value)'; there are \(known)")
            }
            arguments.kind = kind
        },
        .help(\.wantsHelp),
    ])

    static let help = """
        Usage: skerry decode [--kind KIND] HEX...
               skerry decode [--kind KIND] -

        Explains payloads given as hexadecimal digits, one JSON object for each: the
        beacons and all AD structures. Bytes may stand apart (02 01 06, 02:01:06,
        02-01-06) and begin with 0x. With -, reads one payload a line from standard
        input.

        \(options.help)

        Kinds: h4           an HCI packet from its type byte on (begins 04 3E)
               ad           advertising data: AD structures
               scan_record  what Android hands out: data, scan response, zeros
               mfr          manufacturer data from its company on (4C 00 or .. .. BE AC)
               ll           a link-layer packet from its address on (begins D6 BE 89 8E)

        Examples:
          skerry decode 0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640001c5
          cut -d, -f3 payloads.csv | skerry decode --kind ad -

        """

    static func run(_ words: [String]) -> ExitCode {
        var arguments = Arguments()
        let operands: [String]
        do throws(UsageError) {
            operands = try options.parse(words, into: &arguments)
        } catch {
            return Main.fail(.usage, error.message + "\nTry 'skerry decode --help'.")
        }
        if arguments.wantsHelp {
            return Main.show(help)
        }
        guard !operands.isEmpty else { return Main.fail(.usage, "decode needs bytes\nTry 'skerry decode --help'.") }
        var line = JSONLine(capacity: 4096)
        var code = ExitCode.success
        do throws(SystemError) {
            if operands == ["-"] {
                Main.sayWhetherTerminalIsRead(operands)
                var lines = LineReader()
                var number = 0
                while let text = nextLine(&lines, &code) {
                    number += 1
                    explain(text, "line \(number)", arguments.kind, &line, &code)
                    try write(&line)
                }
            } else {
                for (number, text) in payloads(operands).enumerated() {
                    guard !text.allSatisfy(\.isWhitespace) else {
                        refuse("argument \(number + 1): it is empty", &line, &code)
                        try write(&line)
                        continue
                    }
                    explain(text, "argument \(number + 1)", arguments.kind, &line, &code)
                    try write(&line)
                }
            }
        } catch {
            return Main.outputFailed(error)
        }
        return code
    }

    /// The next line; `nil` also where standard input can't be read, which is said.
    private static func nextLine(_ lines: inout LineReader, _ code: inout ExitCode) -> String? {
        do throws(SystemError) {
            return try lines.next()
        } catch {
            code = Main.fail(.noInput, "standard input: \(error.message)")
            return nil
        }
    }

    private static func write(_ line: inout JSONLine) throws(SystemError) {
        try unsafe line.withBytes { (bytes) throws(SystemError) in
            try unsafe FileDescriptor.standardOutput.writeAll(bytes)
        }
        line.removeAll()
    }

    /// One line of output for each payload, also for one that is no hexadecimal digits.
    private static func explain(
        _ text: String, _ place: String, _ kind: Explanation.Kind?, _ line: inout JSONLine, _ code: inout ExitCode
    ) {
        do throws(UsageError) {
            let bytes = try HexDigits.bytes(text)
            Explanation.write(bytes, kind: kind ?? Explanation.Kind(guessing: bytes), to: &line)
        } catch {
            refuse("\(place): \(error.message)", &line, &code)
        }
    }

    private static func refuse(_ reason: String, _ line: inout JSONLine, _ code: inout ExitCode) {
        line.literal("{\"error\":")
        line.string(reason)
        line.literal("}\n")
        code = Main.fail(.unusableData, reason)
    }

    /// The payloads that the words are: single bytes, as other programs print them, are one together.
    private static func payloads(_ words: [String]) -> [String] {
        let bytes = words.map { try? HexDigits.bytes($0) }
        guard words.count > 1, bytes.allSatisfy({ $0?.count == 1 }) else { return words }
        FileDescriptor.standardError.print("skerry: these \(words.count) single bytes are read as one payload\n")
        return [words.joined(separator: " ")]
    }
}
