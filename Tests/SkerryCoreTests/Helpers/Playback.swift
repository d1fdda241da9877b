import Testing

@testable import SkerryCore

/// A run of a replay over captures in memory.
struct Playback {
    private(set) var events: [Event] = []
    private(set) var sources: [String] = []
    /// What the run leaves for the next one.
    private(set) var state: SavedState?
    private let regions: [BeaconRegion]
    private let circles: [CircularRegion]

    static let everything = BeaconRegion(name: BeaconRegion.everything, isMonitored: false)!
    static let allEvents = EventKinds(EventKind.allCases.map(EventKinds.init))

    init(
        _ captures: [CaptureStream], logs: [GPSLog] = [], offset: Int64 = 0,
        location: LocationSettings = LocationSettings(), regions: [BeaconRegion] = [everything],
        circles: [CircularRegion] = [], circleSettings: CircleSettings = CircleSettings(), restoring: SavedState? = nil,
        seed: UInt64 = 1,
        settings: ProximitySettings = ProximitySettings(profile: .apple), wanted: EventKinds = allEvents
    ) throws {
        self.regions = regions
        self.circles = circles
        var engine = Engine(
            settings: settings, regions: regions, circles: circles, circleSettings: circleSettings, location: location,
            wanted: wanted, seed: seed)
        if let restoring { engine.restore(restoring) }
        var replay = Replay(engine: engine, version: "1", command: "replay", seed: seed)
        for var capture in captures {
            try #require(try capture.recognise())
            replay.add(capture)
        }
        for log in logs { replay.add(log, offset: offset) }
        while true {
            let step = replay.run()
            take(&replay)
            switch step {
            case .finished:
                state = replay.engine.savedState()
                return
            case .needsBytes(let number): replay.supply(input: number) { _ in 0 }
            case .hasEvents, .reachedLimit, .allPaused: break
            }
        }
    }

    /// One capture of H4 packets, with times in seconds.
    init(
        _ packets: [Timed], regions: [BeaconRegion] = [everything], profile: Profile = .apple
    ) throws {
        try self.init(packets, regions: regions, settings: ProximitySettings(profile: profile))
    }

    /// The same with settings of its own.
    init(_ packets: [Timed], regions: [BeaconRegion] = [everything], settings: ProximitySettings) throws {
        try self.init([BTSnoopFile(packets).stream()], regions: regions, settings: settings)
    }

    private mutating func take(_ replay: inout Replay) {
        events += replay.engine.events
        sources = replay.engine.sourceNames
        replay.drain()
    }

    var statistics: Statistics {
        guard case .statistics(let statistics) = events.last?.content else { fatalError("a run ends with statistics") }
        return statistics
    }

    var advertisements: [Advertisement] {
        events.compactMap { if case .advertisement(let heard) = $0.content { heard } else { nil } }
    }

    var rangings: [(seconds: Double, ranging: Ranging)] {
        events.compactMap { event in
            if case .ranging(let ranging) = event.content { (Self.seconds(event.time!), ranging) } else { nil }
        }
    }

    var headings: [Heading] {
        events.compactMap { if case .heading(let heading) = $0.content { heading } else { nil } }
    }

    var errors: [Fault] {
        events.compactMap { if case .error(let fault) = $0.content { fault } else { nil } }
    }

    /// The lines of the output.
    func lines(_ wanted: EventKinds = allEvents) -> [String] {
        var line = JSONLine(capacity: 64)
        var writer = EventLine(wanted: wanted, regions: regions.map(\.name) + circles.map(\.name))
        writer.write(events, sources: sources, to: &line)
        return line.takeString().split(separator: "\n").map(String.init)
    }

    /// A word or more for each event of some kinds, in order: seconds since the first moment, then what happened.
    func trace(_ kinds: EventKind...) -> [String] {
        events.filter { kinds.contains($0.kind) }.map { event in
            (event.time.map { "\(Self.seconds($0))" } ?? "-") + " " + describe(event)
        }
    }

    static func seconds(_ time: Timestamp) -> Double { Double(time - BTSnoopFile.begin) / 1e6 }

    private func describe(_ event: Event) -> String {
        switch event.content {
        case .start: "start"
        case .advertisement(let heard), .annotatedAdvertisement(let heard, _, _):
            "heard \(heard.rssi.map(String.init) ?? "?")"
        case .ranging(let ranging):
            ([regions[ranging.region].name] + ranging.beacons.map(Self.describe)).joined(separator: " ")
        case .region(let change):
            "\(change.transition) \((regions.map(\.name) + circles.map(\.name))[change.region])"
        case .location(let fix): "at \(fix.coordinate.latitude) \(fix.coordinate.longitude)"
        case .heading(let heading): "heads \(heading.trueHeading ?? -1) \(heading.magneticHeading ?? -1)"
        case .guidance(let step): "\(step.distance.rounded()) m \(step.arrow?.rawValue ?? "?") \(step.hasArrived)"
        case .scanner(let state, let detail): ([state.rawValue] + (detail.map { [$0] } ?? [])).joined(separator: ": ")
        case .error(let fault): "error \(fault.name)"
        case .statistics: "statistics"
        }
    }

    private static func describe(_ beacon: RangedBeacon) -> String {
        "\(beacon.identity.major)/\(beacon.identity.minor)=\(beacon.proximity)"
    }
}

/// What `decode` says of a payload, but for its AD structures.
func explain(_ hex: String, _ kind: Explanation.Kind? = nil) -> String {
    explain([UInt8](hex: hex), kind)
}

func explain(_ bytes: [UInt8], _ kind: Explanation.Kind? = nil) -> String {
    withoutStructures(explanation(bytes, kind)[...])
}

/// All that `decode` says of a payload.
func explanation(_ bytes: [UInt8], _ kind: Explanation.Kind? = nil) -> String {
    var line = JSONLine(capacity: 64)
    Explanation.write(bytes, kind: kind ?? Explanation.Kind(guessing: bytes), to: &line)
    return String(line.takeString().dropLast())
}

/// Leaves out what stands between the beacons of a report and its end; no text in it may have brackets.
private func withoutStructures(_ text: Substring) -> String {
    guard let start = text.firstRange(of: ",\"structures\":")?.lowerBound else { return String(text) }
    var depth = 0
    let end = text[start...].firstIndex { character in
        depth += "[{".contains(character) ? 1 : "]}".contains(character) ? -1 : 0
        return depth < 0
    }!
    return text[..<start] + withoutStructures(text[end...])
}
