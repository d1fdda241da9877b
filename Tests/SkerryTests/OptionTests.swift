import SkerryCore
import Testing

@testable import skerry

@Suite struct OptionTests {
    private struct Words: Equatable {
        var given: [String] = []
    }

    private static let table = OptionTable<Words>(options: [
        Option(name: "--region", value: "NAME=ID", isRepeatable: true, help: "a region") { (words, value) in
            words.given.append("region:" + value)
        },
        Option(
            name: "--events", letter: "e", value: "LIST",
            help: "events to print, with commas between; a long help goes on below, a word at a time"
        ) {
            (words, value) throws(UsageError) in
            guard !value.isEmpty else { throw UsageError("no events") }
            words.given.append("events:" + value)
        },
        Option(name: "--follow", letter: "f", value: nil, help: "wait for more") { (words, _) in
            words.given.append("follow")
        },
        Option(name: "--format", value: "FORMAT", help: "of lines") { (words, value) in
            words.given.append("format:" + value)
        },
        Option(name: "--format-of-times", value: "FORMAT", help: "of times") { (words, value) in
            words.given.append("times:" + value)
        },
    ])

    @Test(
        arguments: [
            ([], [], []),
            (["a", "b"], [], ["a", "b"]),
            (["--region", "x=1", "a"], ["region:x=1"], ["a"]),
            (["--region=x=1", "a"], ["region:x=1"], ["a"]),
            (["--region="], ["region:"], []),
            (["--region", ""], ["region:"], []),
            (["--region", "--follow"], ["region:--follow"], []),
            (["a", "--follow", "b", "--events", "y"], ["follow", "events:y"], ["a", "b"]),
            (["--follow", "--follow"], ["follow", "follow"], []),
            (["--", "--follow", "--"], [], ["--follow", "--"]),
            (["-", "--follow"], ["follow"], ["-"]),
            (["--region", "-", "--", "-"], ["region:-"], ["-"]),
            (["--region", "--", "a"], ["region:--"], ["a"]),
            (["--region=ä=é"], ["region:ä=é"], []),
            (["--region", "x", "--region", "y"], ["region:x", "region:y"], []),
            (["-f", "-e", "x", "-"], ["follow", "events:x"], ["-"]),
            (["-ex", "-f"], ["events:x", "follow"], []),
            (["-e", "-f"], ["events:-f"], []),
            // Cut short where it is clear; the whole name is clear in any case.
            (["--ev", "x", "--fol", "--r=y"], ["events:x", "follow", "region:y"], []),
            (["--format", "x", "--format-", "y"], ["format:x", "times:y"], []),
        ] as [([String], [String], [String])])
    func optionsAndOperandsAreRead(arguments: [String], given: [String], operands: [String]) throws {
        var words = Words()
        #expect(try Self.table.parse(arguments, into: &words) == operands)
        #expect(words.given == given)
    }

    @Test(
        arguments: [
            (["--bogus"], "unknown option --bogus"),
            (["--regoin", "x"], "unknown option --regoin; did you mean --region?"),
            (["--evnets=x"], "unknown option --evnets; did you mean --events?"),
            (["--egs"], "unknown option --egs"),
            (["-x"], "unknown option -x"),
            (["-fe"], "--follow takes no value"),
            (["-e"], "--events needs a value"),
            (["--fo"], "--fo could be --follow or --format or --format-of-times"),
            (["--form=x"], "--form could be --format or --format-of-times"),
            (["--f"], "--f could be --follow or --format or --format-of-times"),
            (["--=x"], "unknown option --"),
            (["--events", "x", "-e", "y"], "--events is given twice"),
            (["--speed", "2"], "--speed is an option of replay"),
            (["--adapter=hci0"], "--adapter is an option of scan, record"),
            (["--region"], "--region needs a value"),
            (["a", "--events"], "--events needs a value"),
            (["--follow=1"], "--follow takes no value"),
            (["--follow="], "--follow takes no value"),
            (["--events="], "no events"),
        ] as [([String], String)])
    func whatCannotBeFollowedSaysWhy(arguments: [String], message: String) {
        var words = Words()
        #expect(throws: UsageError(message)) { try Self.table.parse(arguments, into: &words) }
    }

    @Test func helpHasALineOrMoreForEachOption() {
        #expect(
            Self.table.help == """
                  --region NAME=ID         a region
                  -e, --events LIST        events to print, with commas between; a long help
                                           goes on below, a word at a time
                  -f, --follow             wait for more
                  --format FORMAT          of lines
                  --format-of-times FORMAT
                                           of times
                """)
    }

    @Test(
        arguments: [
            ("", "", 0), ("--region", "--region", 0), ("--region", "--regoin", 2), ("", "abc", 3), ("abc", "", 3),
            ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("replay", "relpay", 2),
        ] as [(String, String, Int)])
    func editDistanceCountsInsertionsDeletionsAndReplacements(a: String, b: String, distance: Int) {
        #expect(Spelling.distance(a, b) == distance)
        #expect(Spelling.distance(b, a) == distance)
    }

    @Test(
        arguments: [
            ("repaly", "replay"), ("sca", "scan"), ("gsp", nil), ("ev", nil), ("", nil), ("recrod", "record"),
        ] as [(String, String?)])
    func onlyWhatIsNearIsWorthAQuestion(word: String, near: String?) {
        #expect(Spelling.nearest(to: word, among: ["scan", "gps", "replay", "record"]) == near)
    }
}
