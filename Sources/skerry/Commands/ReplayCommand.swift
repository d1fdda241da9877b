import SkerryCore
import SkerryIO

/// `skerry replay`: plays captures and logs of receivers.
enum ReplayCommand {
    struct Arguments {
        var settings = Settings()
        var logs: [String] = []
        var wantsHelp = false
    }

    static let options = OptionTable<Arguments>(
        options: Settings.table(\.settings, formats: "json, table or geojson, a map") + optionsOfCaptures
            + optionsOfLogs + Settings.tableOfEnd(\.settings, clock: "of the recording")
            + LocationOptions.table(\.settings.location) + [
                .help(\.wantsHelp)
            ])

    private static let optionsOfCaptures: [Option<Arguments>] = [
        Option(name: "--speed", value: "N", help: "N times as fast as recorded, or max (the default)") {
            (arguments, value) throws(UsageError) in
            arguments.settings.speed = try Settings.speed(value)
        },
        Option(name: "--follow", value: nil, help: "at the end of a file wait for more") { (arguments, _) in
            arguments.settings.follows = true
        },
    ]

    private static let optionsOfLogs: [Option<Arguments>] = [
        Option(
            name: "--gps", value: "FILE", isRepeatable: true,
            help:
                "play a log of a receiver too, repeatable: gpsd's JSON, or what a receiver sent, which gpsdecode reads"
        ) {
            (arguments, value) throws(UsageError) in
            guard !value.hasPrefix("gpsd://") else {
                throw UsageError("replay plays files, and \(value) is none")
            }
            arguments.logs.append(value)
        },
        Option(name: "--gps-offset", value: "TIME", help: "add to all times of these logs: seconds, or 5m, -2h, 1d") {
            (arguments, value) throws(UsageError) in
            arguments.settings.location.gpsOffset = try Settings.duration(
                value, "gps-offset", LocationOptions.offsets)
        },
    ]

    static let help = """
        Usage: skerry replay [OPTION]... [CAPTURE]...

        Plays captures of Bluetooth traffic and logs of receivers on a virtual clock,
        merged by time, and prints what a scanner would have told. Reads btsnoop, pcap,
        pcapng, Apple PacketLogger and hcidump files, told apart by content; - is
        standard input. Without --region, every iBeacon is ranged in the region *.

        \(options.help)

        Examples:
          skerry replay --region a=E2C56DB5-DFFB-48D2-B060-D0F5A71096E0 btsnoop_hci.log
          skerry replay --format table --speed 10 --gps walk.json walk.btsnoop

        """

    static func run(_ words: [String]) -> ExitCode {
        var arguments = Arguments()
        let paths: [String]
        do throws(UsageError) {
            paths = try options.parse(words, into: &arguments)
            if arguments.wantsHelp {
                return Main.show(help)
            }
            let inputs = paths + arguments.logs
            guard !inputs.isEmpty else { throw UsageError("replay needs a capture or --gps FILE") }
            guard inputs.count <= 1000 else { throw UsageError("at most 1000 files can be played at once") }
            guard inputs.count(where: { $0 == "-" }) <= 1 else {
                throw UsageError("standard input can be read only once")
            }
        } catch {
            return Main.fail(.usage, error.message + "\nTry 'skerry replay --help'.")
        }
        var settings = arguments.settings
        if let failure = settings.readConfiguration() { return failure }
        // The file's state is that of a scan: a capture of another day or place must not take its place unasked.
        settings.statePath = arguments.settings.statePath
        do throws(UsageError) {
            let hasReceiver = !arguments.logs.isEmpty
            try settings.checkEffect(of: arguments.settings, hasReceiver: hasReceiver)
            if let silence = settings.silence(hasRadio: !paths.isEmpty, hasReceiver: hasReceiver) {
                FileDescriptor.standardError.print("skerry: \(silence)\n")
            }
            return play(paths, logs: arguments.logs, settings, try settings.proximity(), try settings.circleSettings())
        } catch {
            return Main.fail(.usage, error.message)
        }
    }

    private static func play(
        _ captures: [String], logs: [String], _ settings: Settings, _ proximity: ProximitySettings,
        _ circles: CircleSettings
    ) -> ExitCode {
        let format = settings.outputFormat
        // The table has its own choice of what it shows.
        let wanted =
            switch format {
            case .json: settings.events ?? .standard
            case .table: TableView.wanted
            case .geojson: GeoJSON.wanted
            }
        let regions = settings.regionsToWatch
        let seed = UInt64.random(in: .min ... .max)
        var engine = Engine(
            settings: proximity, regions: regions, circles: settings.fences, circleSettings: circles,
            location: settings.location.settings,
            wanted: settings.kinds(toKnow: wanted), seed: seed)
        // What comes behind the last event that is wanted does not show, in the statistics neither.
        if settings.count != nil { engine.batch = 1 }
        let state: StateFile?
        do throws(ExitCode) { state = try settings.openState(restoring: &engine) } catch { return error }
        var replay = Replay(engine: engine, version: Main.version, command: "replay", seed: seed)
        let inputs: [any ReplayInput]
        Main.sayWhetherTerminalIsRead(captures + logs)
        do throws(InputError) {
            inputs = try open(captures, logs: logs, settings, in: &replay)
        } catch {
            return Signals.endRequested ? .success : Main.fail(error)
        }
        if let failure = settings.openOutput(besides: captures + logs) { return failure }
        let loop = ReplayLoop(
            inputs: inputs, speed: settings.speed ?? .maximum, follows: settings.follows, state: state,
            duration: settings.duration)
        let lengths = inputs.map(\.length)
        var progress = Progress(total: lengths.contains(nil) ? nil : lengths.reduce(0) { $0 + ($1 ?? 0) })
        do throws(SystemError) {
            defer { progress.finish() }
            switch format {
            case .table:
                var output = TableOutput()
                try loop.run(&replay, into: &output, progress: { progress.update($0) })
            case .json:
                var output = JSONOutput(
                    wanted: wanted, regions: regions.map(\.name) + settings.fences.map(\.name),
                    limit: settings.count ?? .max)
                try loop.run(&replay, into: &output, progress: { progress.update($0) })
            case .geojson:
                var output = GeoJSONOutput(regions: regions.map(\.name) + settings.fences.map(\.name))
                try loop.run(&replay, into: &output, progress: { progress.update($0) })
            }
        } catch {
            return Main.outputFailed(error, path: settings.outputPath)
        }
        for sentence in replay.advice { FileDescriptor.standardError.print("skerry: \(sentence)\n") }
        return .success
    }

    /// Opens and recognises all inputs before the first event.
    private static func open(
        _ captures: [String], logs: [String], _ settings: Settings, in replay: inout Replay
    ) throws(InputError) -> [any ReplayInput] {
        var inputs: [any ReplayInput] = []
        for (path, name) in zip(captures + logs, names(captures + logs)) {
            if inputs.count < captures.count {
                let input = try CaptureInput(path: path)
                replay.add(try input.recognise(name: name, follows: settings.follows))
                inputs.append(input)
            } else {
                let input = try GPSLogInput(path: path)
                let offset = Int64(((settings.location.gpsOffset ?? 0) * 1e6).rounded())
                replay.add(try input.recognise(name: name, follows: settings.follows), offset: offset)
                inputs.append(input)
            }
        }
        return inputs
    }

    /// What events call the inputs: the last part of the path, the whole path where two are alike.
    private static func names(_ paths: [String]) -> [String] {
        func last(_ path: String) -> String { String(path.split(separator: "/").last ?? "/") }
        return paths.map { path in
            paths.count { last($0) == last(path) } > 1 ? path : last(path)
        }
    }
}
