import SkerryCore
import Testing

@testable import skerry

/// What would do nothing is refused, or said.
@Suite struct EffectTests {
    private func settings(_ words: [String], file: String = "") throws -> (given: Settings, all: Settings) {
        var arguments = ReplayCommand.Arguments()
        _ = try ReplayCommand.options.parse(words, into: &arguments)
        let given = arguments.settings
        try arguments.settings.complete(from: Configuration.read("[settings]\n" + file, path: "a.conf"))
        return (given, arguments.settings)
    }

    @Test(
        arguments: [
            (["--fence", "a=1,1,50"], "--fence needs a receiver: --gps"),
            (["--gps-offset", "1h"], "--gps-offset needs a receiver: --gps"),
            (["--distance-filter", "5"], "--distance-filter needs a receiver: --gps"),
            (["--significant"], "--significant needs a receiver: --gps"),
            (["--heading-filter", "5"], "--heading-filter needs a receiver: --gps"),
            (["--geotag"], "--geotag needs a receiver: --gps"),
            (["--destination", "1,1"], "--destination needs a receiver: --gps"),
        ] as [([String], String)])
    func whatNeedsAReceiver(words: [String], message: String) throws {
        let (given, all) = try settings(words)
        #expect(throws: UsageError(message)) { try all.checkEffect(of: given, hasReceiver: false) }
        try all.checkEffect(of: given, hasReceiver: true)
    }

    @Test(
        arguments: [
            (["--arrival-radius", "5"], "", "--arrival-radius needs --destination"),
            (["--significant", "--distance-filter", "5"], "", "--distance-filter has no say beside --significant"),
            (["--distance-filter", "5"], "significant = yes", "--distance-filter has no say beside significant"),
            (
                ["--geotag", "--events", "region"], "",
                "--geotag is for advertisement and ranging, which --events leaves out"
            ),
            (
                ["--destination", "1,1", "--events", "region"], "",
                "--destination is for guidance, which --events leaves out"
            ),
            (
                ["--format", "table", "--events", "region"], "",
                "--events is for --format json; table has its own choice of events"
            ),
            (
                ["--format", "geojson", "--count", "1"], "",
                "--count is for --format json; geojson has its own choice of events"
            ),
        ] as [([String], String, String)])
    func whatAnotherOptionMakesIdle(words: [String], file: String, message: String) throws {
        let (given, all) = try settings(words, file: file)
        #expect(throws: UsageError(message)) { try all.checkEffect(of: given, hasReceiver: true) }
    }

    /// One file serves several commands.
    @Test(
        arguments: [
            ([], "geotag = yes\ndestination = 1,1\ndistance-filter = 5\nsignificant = yes"), ([], "arrival-radius = 5"),
            ([], "format = table\nevents = region"), (["--events", "region"], "format = table"),
            (["--format", "table"], "events = region"), (["--count", "5"], "format = geojson"),
        ] as [([String], String)])
    func keysMayBeIdle(words: [String], file: String) throws {
        let (given, all) = try settings(words, file: file)
        try all.checkEffect(of: given, hasReceiver: false)
    }

    @Test func theFileMayGiveWhatAnOptionNeeds() throws {
        let (given, all) = try settings(["--arrival-radius", "5"], file: "destination = 1,1")
        try all.checkEffect(of: given, hasReceiver: true)
    }

    @Test(
        arguments: [
            ("region", [], true, false, "region events need a region (--region, --fence)"),
            ("region,error", [], true, false, "region events need a region (--region, --fence)"),
            ("region", ["--region", "a=*"], true, false, nil),
            ("region", ["--region", "a=*"], false, true, "region events need a capture"),
            ("region", ["--fence", "a=1,1,50"], true, false, "region events need a receiver (--gps)"),
            ("region", ["--fence", "a=1,1,50"], false, true, nil),
            ("region", ["--fence", "a=1,1,50", "--state", "x"], true, false, nil),
            ("region", ["--state", "x"], true, false, "region events need a region (--region, --fence)"),
            (
                "location,heading", [], true, false,
                "location events need a receiver (--gps), heading events need a receiver (--gps)"
            ),
            ("location", [], false, true, nil),
            ("location,ranging", [], true, false, nil),
            ("guidance", [], true, true, "guidance events need a destination (--destination)"),
            ("guidance", ["--destination", "1,1"], true, false, "guidance events need a receiver (--gps)"),
            ("guidance", ["--destination", "1,1"], false, true, nil),
            ("ranging", [], false, true, "ranging events need a capture"),
            ("start", [], false, false, nil), ("error", [], true, false, nil), ("statistics", [], true, false, nil),
        ] as [(String, [String], Bool, Bool, String?)])
    func aRunThatCanPrintNothingSaysWhy(
        events: String, words: [String], hasRadio: Bool, hasReceiver: Bool, reason: String?
    ) throws {
        for (options, file) in [(["--events", events], ""), ([], "events = " + events)] {
            let (_, all) = try settings(words + options, file: file)
            // A table, which a terminal shows, has its own choice.
            guard all.outputFormat == .json else { continue }
            #expect(
                all.silence(hasRadio: hasRadio, hasReceiver: hasReceiver)
                    == reason.map { "nothing will be printed: " + $0 })
        }
    }
}
