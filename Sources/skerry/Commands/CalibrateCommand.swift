import SkerryCore
import SkerryIO

/// `skerry calibrate`: what to set so that distances are right for one beacon and receiver, or the field of a compass.
enum CalibrateCommand {
    struct Arguments {
        var beacon: BeaconRegion?
        var isCompass = false
        var isLevel = false
        var wantsHelp = false
    }

    static let options = OptionTable<Arguments>(options: [
        Option(
            name: "--beacon", value: "ID",
            help: "which iBeacon, where several are heard: UUID[/MAJOR[/MINOR]]"
        ) {
            (arguments, value) throws(UsageError) in
            arguments.beacon = try Settings.region(named: "beacon", identity: value)
        },
        Option(name: "--compass", value: nil, help: "calibrate a compass from a log of gpsd's JSON instead") {
            (arguments, _) in arguments.isCompass = true
        },
        Option(name: "--level", value: nil, help: "with --compass: it was turned level, once around") {
            (arguments, _) in arguments.isLevel = true
        },
        .help(\.wantsHelp),
    ])

    static let help = """
        Usage: skerry calibrate [--beacon ID] CAPTURE
               skerry calibrate --compass [--level] LOG

        Tells the measured power of an iBeacon and the gain of the receiver from a
        capture made at one metre: about 20 s, in free sight, the receiver moved slowly
        along 30 cm without coming nearer. The levels are sorted, a tenth is dropped at
        each end, and the mean of the rest is taken.

        With --compass tells the field of magnets and steel that move with a
        magnetometer, from gpsd's ATT reports (mag_x, mag_y, mag_z) while it is turned
        slowly in all directions, a minute or more; a vehicle turns level, once around.

        Prints lines for a configuration file, and on standard error which other
        iBeacons were heard, the strongest first; - is standard input.

        \(options.help)

        Examples:
          timeout 20 skerry record metre.btsnoop; skerry calibrate metre.btsnoop
          gpspipe -w -x 120 | skerry calibrate --compass -

        """

    static func run(_ words: [String]) -> ExitCode {
        var arguments = Arguments()
        let paths: [String]
        do throws(UsageError) {
            paths = try options.parse(words, into: &arguments)
            if arguments.wantsHelp {
                return Main.show(help)
            }
            guard paths.count == 1 else {
                throw UsageError("calibrate needs one \(arguments.isCompass ? "log" : "capture")")
            }
            if arguments.isCompass, arguments.beacon != nil { throw UsageError("a compass is no beacon") }
            if arguments.isLevel, !arguments.isCompass { throw UsageError("--level is for --compass") }
        } catch {
            return Main.fail(.usage, error.message + "\nTry 'skerry calibrate --help'.")
        }
        if arguments.isCompass {
            return CompassCalibration.run(paths[0], turned: arguments.isLevel ? .level : .allRound)
        }
        do throws(InputError) {
            Main.sayWhetherTerminalIsRead(paths)
            let input = try CaptureInput(path: paths[0])
            let stream = try input.recognise(name: paths[0], follows: false)
            return calibrate(stream, input, arguments.beacon ?? BeaconRegion(name: "beacon")!)
        } catch {
            return Signals.endRequested ? .success : Main.fail(error)
        }
    }

    private static func calibrate(_ stream: CaptureStream, _ input: CaptureInput, _ beacon: BeaconRegion) -> ExitCode {
        let seed = UInt64.random(in: .min ... .max)
        let engine = Engine(
            settings: ProximitySettings(profile: .adaptive), regions: [beacon], wanted: EventKinds(.advertisement),
            seed: seed)
        var replay = Replay(engine: engine, version: Main.version, command: "calibrate", seed: seed)
        replay.add(stream)
        var output = CalibrationOutput(beacon)
        do throws(SystemError) {
            try ReplayLoop(inputs: [input], speed: .maximum, follows: false).run(&replay, into: &output) { _ in }
        } catch {
            return Main.outputFailed(error)
        }
        let wanted = output.wanted
        guard let (identity, heard) = wanted.first else {
            let reason = output.heard.isEmpty ? "no iBeacon was heard" : "no such iBeacon was heard, but these"
            return Main.fail(.unusableData, "\(stream.name): \(reason)" + list(output.heard))
        }
        guard wanted.count == 1 else {
            let count = "\(wanted.count)\(output.heard.count >= CalibrationOutput.limit ? " or more" : "")"
            return Main.fail(
                .unusableData, "\(stream.name): \(count) iBeacons were heard; name one with --beacon" + list(wanted))
        }
        let others = output.heard.filter { $0.key != identity }
        if !others.isEmpty {
            FileDescriptor.standardError.print(
                "skerry: \(stream.name): other iBeacons were heard too" + list(others) + "\n")
        }
        do throws(Calibration.Refusal) {
            let calibration = try Calibration(heard.levels)
            let gain = calibration.measuredPower - Double(heard.claimed)
            guard heard.claimed <= -20, calibration.measuredPower <= -20, abs(gain) <= 40 else {
                return Main.fail(
                    .unusableData,
                    "\(stream.name): \(name(identity)): claims \(heard.claimed) dBm at one metre, where it is heard with "
                        + "\(fixed(calibration.measuredPower)): set its measured power")
            }
            return Main.show(lines(identity, heard.claimed, calibration))
        } catch {
            return Main.fail(.unusableData, "\(stream.name): \(name(identity)): \(reason(error))")
        }
    }

    private static func lines(_ identity: BeaconIdentity, _ claimed: Int8, _ calibration: Calibration) -> String {
        let power = calibration.measuredPower
        return """
            # \(name(identity)) at one metre: \(calibration.samples) samples in \(fixed(calibration.span)) s,
            # \(fixed(power)) dBm, standard deviation \(fixed(calibration.deviation)) dB. The beacon claims \(claimed) dBm.
            # Either set its measured power to \(Int(power.rounded())), or leave it and correct this receiver:
            [settings]
            receiver-gain = \(fixed(power - Double(claimed)))

            """
    }

    private static func reason(_ refusal: Calibration.Refusal) -> String {
        switch refusal {
        case .tooFewSamples(let count):
            "heard \(count) times with a level; \(Calibration.fewestSamples) are needed"
        case .tooShort(let seconds):
            "heard for \(fixed(seconds)) s; \(Int(Calibration.shortestSpan)) s are needed"
        case .tooMuchSpread(let deviation):
            "its levels vary by \(fixed(deviation)) dB (standard deviation, at most \(Int(Calibration.greatestDeviation))): "
                + "was it at one metre all the time, in free sight?"
        }
    }

    /// A colon and a line for each, the strongest first; nothing where there is none.
    private static func list(_ heard: [BeaconIdentity: CalibrationOutput.Heard]) -> String {
        let order = heard.sorted { ($1.value.levels.mean ?? -128, $0.key) < ($0.value.levels.mean ?? -128, $1.key) }
        let lines = order.map { identity, heard in
            let level = heard.levels.mean.map { "\(fixed($0)) dBm" } ?? "no level"
            return "\n  \(name(identity))  \(level), \(heard.count == 1 ? "once" : "\(heard.count) times")"
        }
        return lines.isEmpty ? "" : ":" + lines.joined()
    }

    private static func name(_ identity: BeaconIdentity) -> String {
        "\(identity.uuid)/\(identity.major)/\(identity.minor)"
    }

    /// With at most one decimal, halves away from zero.
    private static func fixed(_ number: Double) -> String {
        var line = JSONLine(capacity: 32)
        line.decimal(number, decimals: 1)
        return line.takeString()
    }
}
