@testable import SkerryCore

/// A live run, told the time by hand.
struct LiveRun {
    var scan: Scan
    private(set) var events: [Event] = []
    private let begin = BTSnoopFile.begin
    /// By which the wall clock is wrong.
    var error: Int64 = 0
    /// Seconds that the machine slept.
    var slept = 0.0
    private var seconds = 0.0

    init(
        regions: [BeaconRegion] = [Playback.everything], circles: [CircularRegion] = [], profile: Profile = .apple,
        wanted: EventKinds = Playback.allEvents
    ) {
        var circleSettings = CircleSettings()
        circleSettings.staleness = 600
        let engine = Engine(
            settings: ProximitySettings(profile: profile), regions: regions, circles: circles,
            circleSettings: circleSettings, wanted: wanted, seed: 1)
        let clock = RunClock(monotonic: 0, wall: BTSnoopFile.begin)
        scan = Scan(engine: engine, version: "1", command: "scan", clock: clock, seed: 1)
    }

    /// A run that begins with one adapter that listens.
    static func listening(regions: [BeaconRegion]) -> (run: LiveRun, source: SourceID) {
        var run = LiveRun(regions: regions)
        let source = run.scan.addSource(name: "hci0", kind: "hci")
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening)
        }
        return (run, source)
    }

    /// A turn of the loop at a time in seconds.
    ///
    /// - Parameter readsAll: Whether no packets wait behind those that it told.
    mutating func turn(_ seconds: Double, readsAll: Bool = true, _ body: (inout Scan) -> Void = { _ in }) {
        self.seconds = seconds
        let elapsed = Int64(seconds * 1e6)
        let asleep = Int64(slept * 1e6)
        scan.setClock(monotonic: elapsed - asleep, asleep: asleep, wall: begin + (elapsed + error))
        body(&scan)
        if readsAll { scan.advance() }
        events += scan.events
        scan.drain()
    }

    /// Hears a packet, behind which none waits.
    mutating func hear(_ packet: [UInt8], _ source: SourceID) {
        scan.receive(HCIPacket(h4: packet.span.bytes), from: source)
        scan.advance()
    }

    /// What happened, without ranging: seconds on the wall clock, kind and what of it.
    var trace: [String] {
        events.compactMap { event in
            let time = Playback.seconds(event.time!)
            switch event.content {
            case .scanner(let state, let detail):
                return "\(time) \(state.rawValue)" + (detail.map { ": \($0)" } ?? "")
            case .region(let change):
                return "\(time) \(change.transition.name) \(change.state)"
            case .error(let fault): return "\(time) \(fault.name.rawValue): \(fault.message)"
            case .location: return "\(time) location"
            case .statistics(let statistics): return "\(time) \(statistics.reports) reports"
            default: return nil
            }
        }
    }
}
