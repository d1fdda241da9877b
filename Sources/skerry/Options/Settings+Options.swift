import SkerryCore
import SkerryIO

// What commands that tell events have in common.
extension Settings {
    /// Their options.
    ///
    /// - Parameters:
    ///   - place: Where the command keeps them.
    ///   - formats: Those that it can write, for people.
    static func table<Arguments>(
        _ place: any WritableKeyPath<Arguments, Settings> & Sendable, formats: String
    ) -> [Option<Arguments>] {
        [
            Option(
                name: "--region", value: "NAME=ID", isRepeatable: true,
                help: """
                    range and monitor a beacon region, repeatable. ID is UUID[/MAJOR[/MINOR]]; what is left out matches \
                    any
                    """
            ) {
                (arguments, value) throws(UsageError) in
                try arguments[keyPath: place].add(try Settings.region(value))
            },
            Option(
                name: "--fence", value: "NAME=CIRCLE", isRepeatable: true,
                help: "monitor a circle on the ground, repeatable: LAT,LON,RADIUS in degrees and metres"
            ) {
                (arguments, value) throws(UsageError) in
                try arguments[keyPath: place].add(try Settings.fence(value))
            },
            Option(name: "--config", value: "FILE", help: "regions and settings from a file; options win") {
                (arguments, value) in arguments[keyPath: place].configurationPath = value
            },
            Option(name: "--state", value: "FILE", help: "keep the states of regions there, and go on from them") {
                (arguments, value) throws(UsageError) in
                arguments[keyPath: place].statePath = try Settings.statePath(value)
            },
            Option(
                name: "--events", value: "LIST",
                help: """
                    events to print, with commas between: start, advertisement, ranging, region, location, heading, \
                    guidance, scanner, error, statistics (default: all but advertisement)
                    """
            ) {
                (arguments, value) throws(UsageError) in
                arguments[keyPath: place].events = try Settings.events(value)
            },
            Option(
                name: "--format", value: "FORMAT",
                help: """
                    \(formats) (default: table on a terminal where none of --events, --count and --output is given, else \
                    json, which alone takes --events and --count)
                    """
            ) {
                (arguments, value) throws(UsageError) in
                arguments[keyPath: place].format = try Settings.format(value)
            },
            Option(
                name: "--profile", value: "NAME",
                help: "estimator and exit rules: adaptive (the default), apple or altbeacon"
            ) {
                (arguments, value) throws(UsageError) in
                arguments[keyPath: place].profile = try Settings.profile(value)
            },
        ]
    }

    /// Fills what the command line left open from the configuration file, if one was named.
    ///
    /// - Returns: The code to end with where that can't be used.
    mutating func readConfiguration() -> ExitCode? {
        guard let path = configurationPath else { return nil }
        let bytes: [UInt8]
        do throws(InputError) {
            bytes = try TextFile.bytes(of: path)
        } catch {
            return Main.fail(error)
        }
        do throws(UsageError) {
            try complete(from: try Configuration.read(bytes, path: path))
            return nil
        } catch {
            return Main.fail(.usage, error.message)
        }
    }

    /// Reads the file of states, if one was named, and lets an engine go on from it.
    ///
    /// - Throws: The code to end with where it can't be read or written.
    func openState(restoring engine: inout Engine) throws(ExitCode) -> StateFile? {
        guard let statePath else { return nil }
        let file: StateFile
        do throws(InputError) { file = try StateFile(path: statePath) } catch { throw Main.fail(error) }
        do throws(OutputError) { try file.check() } catch { throw Main.fail(error) }
        if let saved = file.saved { engine.restore(saved) }
        return file
    }

    /// What an engine must know for what is told, and for what is kept though it is not told. Errors are told anyhow.
    func kinds(toKnow wanted: EventKinds) -> EventKinds {
        let known = wanted.union(EventKinds(.error))
        return statePath == nil ? known : known.union(EventKinds(.region))
    }

    /// What the events are written as: a table for people on a terminal, unless they have said which events they want, or how
    /// many, or where.
    var outputFormat: Format {
        let isForPeople = outputPath == nil && events == nil && count == nil
        return format ?? (isForPeople && FileDescriptor.standardOutput.isTerminal ? .table : .json)
    }

    /// What is ranged and monitored: every iBeacon where no region is given.
    var regionsToWatch: [BeaconRegion] {
        regions.isEmpty ? [BeaconRegion(name: BeaconRegion.everything, isMonitored: false)!] : regions
    }
}
