import SkerryCore
import SkerryIO
import Testing

@testable import skerry

@Suite struct ScanOptionsTests {
    @Test(
        arguments: [
            (
                ["--backend", "h4:/dev/ttyUSB0,115200", "--adapter", "hci0"],
                "--backend h4 brings its own controller, and takes no --adapter"
            ),
            (
                ["--backend", "h4:tcp:localhost:1", "--exclusive"],
                "--exclusive is not for --backend h4; such a controller is nobody else's"
            ),
            (
                ["--backend", "monitor", "--exclusive"],
                "--exclusive is not for --backend monitor; others scan there as they like"
            ),
            (
                ["--backend", "monitor", "--active"],
                "--active is not for --backend monitor; others scan there as they like"
            ),
            (["--backend", "bluez", "--coded"], "--coded is not for --backend bluez; others scan there as they like"),
        ] as [([String], String)])
    func whatWouldBeIgnoredIsAnError(words: [String], message: String) throws {
        var arguments = ScanCommand.Arguments()
        _ = try ScanCommand.options.parse(words, into: &arguments)
        #expect(throws: UsageError(message)) { try arguments.settings.scan.check() }
    }

    @Test(
        arguments: [
            [], ["--exclusive", "--active", "--coded", "--adapter", "hci0"], ["--backend", "hci", "--exclusive"],
            ["--backend", "monitor", "--adapter", "hci0"], ["--backend", "bluez", "--adapter", "all"],
            ["--backend", "h4:tcp:localhost:1", "--active", "--coded"],
        ])
    func whatIsHeededIsNone(words: [String]) throws {
        var arguments = ScanCommand.Arguments()
        _ = try ScanCommand.options.parse(words, into: &arguments)
        try arguments.settings.scan.check()
    }

    @Test func filesAreKeptWhereTheyRotate() throws {
        var options = ScanOptions()
        options.recording.keeps = 3
        #expect(throws: UsageError("--keep needs --rotate")) { try options.check() }
        options.recording.fileLength = BTSnoopWriter.shortestFile
        try options.check()
    }

    @Test func theCommandLineWinsOverTheFile() throws {
        let file = try Configuration.read(
            "[settings]\ngps = gpsd://there\nbackend = monitor\nadapter = hci1", path: "a.conf"
        ).scan
        var options = ScanOptions()
        options.complete(from: file)
        #expect(options.backend == .monitor && options.adapter == .name("hci1"))
        #expect(options.gpsd == GPSDAddress("gpsd://there"))
        options = ScanOptions()
        (options.backend, options.adapter) = (.automatic, .all)
        options.gpsd = GPSDAddress("gpsd://here")
        options.complete(from: file)
        #expect(options.backend == .automatic && options.adapter == .all)
        #expect(options.gpsd == GPSDAddress("gpsd://here"))
        // A controller of one's own takes the place of the file's adapter too.
        options = ScanOptions()
        options.backend = try ScanOptions.backend("h4:tcp:localhost:1")
        options.complete(from: file)
        #expect(options.adapter == nil)
        try options.check()
    }

    /// Who scans otherwise than the file says leaves what it wants of its own back end.
    @Test(
        arguments: [
            ([], true, true), (["--active"], true, true), (["--backend", "hci"], true, true),
            (["--backend", "h4:tcp:localhost:1"], true, true), (["--backend", "bluez"], false, false),
            (["--backend", "monitor"], false, false),
        ] as [([String], Bool, Bool)])
    func theFileSaysHowToScan(words: [String], active: Bool, coded: Bool) throws {
        var arguments = ScanCommand.Arguments()
        _ = try ScanCommand.options.parse(words, into: &arguments)
        let file = try Configuration.read("[settings]\nactive = Yes\ncoded = on", path: "a.conf")
        try arguments.settings.complete(from: file)
        let options = arguments.settings.scan
        #expect(options.isActive == active && options.usesCodedPHY == coded)
        try options.check(arguments.settings.places)
    }

    @Test func whatContradictsTheFileNamesItsLine() throws {
        let file = try Configuration.read("[settings]\nbackend = bluez", path: "a.conf")
        var arguments = ScanCommand.Arguments()
        _ = try ScanCommand.options.parse(["--active"], into: &arguments)
        try arguments.settings.complete(from: file)
        #expect(
            throws: UsageError("--active is not for backend bluez (a.conf:2); others scan there as they like")
        ) { try arguments.settings.scan.check(arguments.settings.places) }
    }
}
