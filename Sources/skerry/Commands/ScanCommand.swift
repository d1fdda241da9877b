import SkerryCore
import SkerryIO

/// `skerry scan`: hears what is on the air.
enum ScanCommand {
    struct Arguments {
        var settings = Settings()
        var wantsHelp = false
    }

    static let options = OptionTable<Arguments>(
        options: optionsOfScan + Settings.table(\.settings, formats: "json or table")
            + Settings.tableOfEnd(\.settings, clock: "of scanning")
            + LocationOptions.table(\.settings.location) + [
                .help(\.wantsHelp)
            ])

    private static let optionsOfScan: [Option<Arguments>] = [
        Option(
            name: "--adapter", value: "NAME", help: "hci0 and the like, an address, or all (the default)"
        ) {
            (arguments, value) throws(UsageError) in
            arguments.settings.scan.adapter = try ScanOptions.adapter(value)
        },
        Option(
            name: "--backend", value: "KIND",
            help: """
                who hears: hci (the kernel's sockets), monitor (listens only), bluez (bluetoothd, no privileges), or a \
                controller of one's own, h4:DEVICE[,BAUD[,crtscts]] or h4:tcp:HOST:PORT (default: auto, the first that \
                works here)
                """
        ) {
            (arguments, value) throws(UsageError) in
            arguments.settings.scan.backend = try ScanOptions.backend(value)
        },
        Option(
            name: "--exclusive", value: nil,
            help: "with hci: take the adapter, which must be down, away from the kernel"
        ) { (arguments, _) in arguments.settings.scan.isExclusive = true },
        Option(name: "--active", value: nil, help: "ask advertisers for scan responses too") { (arguments, _) in
            arguments.settings.scan.isActive = true
        },
        Option(name: "--coded", value: nil, help: "scan LE Coded too, where the controller can") { (arguments, _) in
            arguments.settings.scan.usesCodedPHY = true
        },
        Option(
            name: "--gps", value: "URL", help: "location and heading from gpsd://HOST:PORT (default port: 2947)"
        ) {
            (arguments, value) throws(UsageError) in
            arguments.settings.scan.gpsd = try ScanOptions.gpsd(value)
        },
    ]

    static let help = """
        Usage: skerry scan [OPTION]...

        Hears beacons and prints what is near and which regions are entered and left,
        until SIGINT, SIGTERM or SIGHUP. SIGUSR1 prints statistics in between.
        Without --region, every iBeacon is ranged in the region *.

        \(options.help)

        Examples:
          skerry scan --region office=E2C56DB5-DFFB-48D2-B060-D0F5A71096E0
          skerry scan --gps gpsd://localhost --events region,location | jq .

        """

    static func run(_ words: [String]) -> ExitCode {
        var arguments = Arguments()
        do throws(UsageError) {
            let operands = try options.parse(words, into: &arguments)
            if arguments.wantsHelp { return Main.show(help) }
            guard operands.isEmpty else {
                throw UsageError("scan takes no operand '\(operands[0])'; did you mean replay?")
            }
        } catch {
            return Main.fail(.usage, error.message + "\nTry 'skerry scan --help'.")
        }
        return start(arguments, command: "scan")
    }

    /// Scans as the command line and the configuration say.
    static func start(_ arguments: Arguments, command: String) -> ExitCode {
        var settings = arguments.settings
        if let failure = settings.readConfiguration() { return failure }
        do throws(UsageError) {
            if settings.format == .geojson { throw UsageError("format geojson is for replay: a map wants an end") }
            try settings.scan.check(settings.places)
            try settings.checkEffect(of: arguments.settings, hasReceiver: settings.scan.gpsd != nil)
            if let silence = settings.silence(hasRadio: true, hasReceiver: settings.scan.gpsd != nil) {
                FileDescriptor.standardError.print("skerry: \(silence)\n")
            }
            if let path = settings.scan.recording.path, path == settings.statePath {
                throw UsageError("\(path) can't hold both the recording and the state")
            }
            return scan(settings, try settings.proximity(), try settings.circleSettings(), command: command)
        } catch {
            return Main.fail(.usage, error.message)
        }
    }

    private static func scan(
        _ settings: Settings, _ proximity: ProximitySettings, _ circles: CircleSettings, command: String
    ) -> ExitCode {
        let options = settings.scan
        Signals.listenForStatistics()
        let isTable = settings.outputFormat == .table
        // The table has its own choice of what it shows.
        let wanted = isTable ? TableView.wanted : settings.events ?? .standard
        let regions = settings.regionsToWatch
        let seed = UInt64.random(in: .min ... .max)
        var location = settings.location.settings
        location.oldestFirstFix = 15 * .second
        var engine = Engine(
            settings: proximity, regions: regions, circles: settings.fences, circleSettings: circles,
            location: location,
            wanted: settings.kinds(toKnow: wanted), seed: seed)
        let state: StateFile?
        do throws(ExitCode) { state = try settings.openState(restoring: &engine) } catch { return error }
        let recording: CaptureFile?
        // Before an adapter is touched. What the file holds goes only when there is something to write.
        do throws(OutputError) { recording = try options.recording.open() } catch { return Main.fail(error) }
        let clock = RunClock(
            monotonic: MachineClock.monotonic, asleep: MachineClock.asleep,
            wall: Timestamp(microseconds: MachineClock.wall))
        var scan = Scan(engine: engine, version: Main.version, command: command, clock: clock, seed: seed)
        if options.recording.path != nil { scan.recorder = BTSnoopWriter(fileLength: options.recording.fileLength) }
        var ladder = ScanLadder(options)
        let source: any ScanSource
        do throws(ScanError) {
            source = try ladder.open(into: &scan)
        } catch {
            // Whoever was asked at the start need not answer any more.
            return Signals.endRequested ? .success : Main.fail(error)
        }
        if let failure = settings.openOutput(besides: []) {
            source.stop()
            return failure
        }
        if options.gpsd != nil { scan.addGPSD(name: "gpsd") }
        if let choice = ladder.choice { FileDescriptor.standardError.print("skerry: \(choice)\n") }
        var loop = ScanLoop(
            sources: [source], gpsd: options.gpsd.map(GPSDClient.init), state: state, recording: recording,
            duration: settings.duration)
        do throws(SystemError) {
            if isTable {
                var output = LiveTableOutput()
                try loop.run(&scan, into: &output)
            } else {
                var output = QueuedJSONOutput(
                    .standardOutput, wanted: wanted, regions: regions.map(\.name) + settings.fences.map(\.name),
                    limit: settings.count ?? .max)
                try loop.run(&scan, into: &output)
            }
        } catch {
            return Main.outputFailed(error, path: settings.outputPath)
        }
        return loop.failure.map { Main.fail($0) } ?? .success
    }
}
