import SkerryCore
import Testing

@testable import skerry

@Suite struct OptionTests {
    private struct Words: Equatable {
        var given: [String] = []
    }

    private static let table = OptionTable<Words>(options: [
        Option(name: "--region", value: "NAME=ID", help: "a region") { (words, value) in
            words.given.append("region:" + value)
        },
        Option(name: "--events", value: "LIST", help: "events to print,\nwith commas between") {
            (words, value) throws(UsageError) in
            guard !value.isEmpty else { throw UsageError("no events") }
            words.given.append("events:" + value)
        },
        Option(name: "--follow", value: nil, help: "wait for more") { (words, _) in words.given.append("follow") },
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
            (["--event=x"], "unknown option --event; did you mean --events?"),
            (["-f"], "unknown option -f"),
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
                  --events LIST            events to print,
                                           with commas between
                  --follow                 wait for more
                """)
    }

    @Test(
        arguments: [
            ("", "", 0), ("--region", "--region", 0), ("--region", "--regoin", 2), ("", "abc", 3), ("abc", "", 3),
            ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("replay", "relpay", 2),
        ] as [(String, String, Int)])
    func editDistanceCountsInsertionsDeletionsAndReplacements(a: String, b: String, distance: Int) {
        #expect(editDistance(a, b) == distance)
        #expect(editDistance(b, a) == distance)
    }
}
