import Testing

@testable import SkerryCore

/// A live run, told the time by hand.
private struct LiveRun {
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
    mutating func turn(_ seconds: Double, _ body: (inout Scan) -> Void = { _ in }) {
        self.seconds = seconds
        let elapsed = Int64(seconds * 1e6)
        let asleep = Int64(slept * 1e6)
        scan.setClock(monotonic: elapsed - asleep, asleep: asleep, wall: begin + (elapsed + error))
        body(&scan)
        scan.advance()
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

@Suite struct ScanTests {
    private static let door = BeaconRegion(name: "door", uuid: Packet.office)!

    @Test func sourcesAreDeafUntilTheySayThatTheyListen() {
        var run = LiveRun(regions: [Self.door])
        let source = run.scan.addSource(name: "hci0", kind: "hci")
        run.turn(0) { $0.start() }
        run.turn(100)
        run.turn(101) { $0.change(source, to: .poweredOff, detail: "switch it on") }
        run.turn(102) { $0.change(source, to: .poweredOff, detail: "switch it on") }
        run.turn(200) { $0.change(source, to: .listening) }
        run.turn(240)
        #expect(run.events.first?.kind == .start)
        #expect(run.trace == ["101.0 poweredOff: switch it on", "200.0 listening", "230.0 determined outside"])
    }

    @Test func noRegionIsLeftWhileNothingCanBeHeard() {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        run.turn(1) {
            let stamp = BTSnoopFile.begin + 500_000
            $0.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: source, stamp: stamp)
        }
        run.turn(10) { $0.change(source, to: .failed, detail: "unplugged") }
        run.turn(1000) { $0.change(source, to: .listening) }
        run.turn(1100)
        // 20.5 of the 30 s are left.
        #expect(
            run.trace == [
                "0.0 listening", "0.5 enter inside", "10.0 failed: unplugged", "1000.0 listening",
                "1020.5 exit outside",
            ])
    }

    /// A controller that filters duplicates reports a beacon once in a scan: it is silent until the next, which says that it
    /// is gone.
    @Test func aScanBegunAnewLetsSilenceCount() {
        var run = LiveRun(regions: [Self.door])
        let source = run.scan.addSource(name: "hci0", kind: "bluez")
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening, filtersDuplicates: true)
        }
        run.turn(1)
        run.hear(Packet.iBeacon(), source)
        run.turn(500) { $0.renew(source) }
        run.turn(600)
        #expect(run.trace == ["0.0 listening", "1.0 enter inside", "530.0 exit outside"])
    }

    /// That a controller that fell silent is reset says nothing of who is there: two beacons may have left in company, as many
    /// as four don't.
    @Test(arguments: [(2, ["100.0 exit outside"]), (4, [])] as [(Int, [String])])
    func aRemedyForSilenceIsNoHearing(beacons: Int, exits: [String]) {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        for half in 1...20 {
            run.turn(Double(half) / 2)
            for minor in 1...beacons { run.hear(Packet.iBeacon(minor: UInt16(minor)), source) }
        }
        run.turn(50) { $0.change(source, to: .deaf, detail: "the controller is reset") }
        run.turn(60) { $0.change(source, to: .deaf, detail: "it is opened anew") }
        run.turn(1000)
        #expect(run.trace.filter { $0.contains("exit") && $0.contains("side") } == exits)
    }

    /// What waits in the kernel was heard before what is due now.
    @Test func whatIsHeardLateCountsFromItsStamp() {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        run.turn(1)
        run.hear(Packet.iBeacon(), source)
        // The loop was late by a minute.
        run.turn(61) {
            for stamp in [20, 40, 60] {
                let moment = BTSnoopFile.begin + Int64(stamp) * .second
                $0.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: source, stamp: moment)
            }
        }
        #expect(run.trace == ["0.0 listening", "1.0 enter inside"])
        run.turn(91)
        #expect(run.trace.last == "90.0 exit outside")
    }

    /// What a source says of itself comes after what it has heard, and so does what goes wrong elsewhere: more may wait.
    @Test func nothingFallsDueBeforeAllPacketsAreTold() {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        run.turn(1)
        run.hear(Packet.iBeacon(), source)
        // The loop was late by a minute, and reads one packet at once.
        run.turn(61) { scan in
            for stamp in [20, 40] {
                let moment = BTSnoopFile.begin + Int64(stamp) * .second
                scan.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: source, stamp: moment)
                scan.report(.noAdapter)
                scan.change(source, to: .listening, detail: "since \(stamp)")
                scan.renew(source)
            }
            let moment = BTSnoopFile.begin + 60 * .second
            scan.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: source, stamp: moment)
        }
        #expect(
            run.trace.filter { !$0.contains("rangingUnavailable") } == [
                "0.0 listening", "1.0 enter inside", "20.0 listening: since 20", "40.0 listening: since 40",
            ])
        run.turn(91)
        #expect(run.trace.last == "90.0 exit outside")
    }

    /// Who is asked to end while packets wait has not heard the silence behind them.
    @Test func anEndAmongLatePacketsIsNoExit() {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        run.turn(1)
        run.hear(Packet.iBeacon(), source)
        run.turn(100) {
            let moment = BTSnoopFile.begin + 20 * .second
            $0.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: source, stamp: moment)
            $0.stop(ScannerStatistics())
        }
        #expect(!run.trace.contains { $0.contains("exit") }, "\(run.trace)")
    }

    @Test func aSleepIsNoSilence() throws {
        let park = CircularRegion(name: "park", centre: Coordinate(latitude: 47, longitude: 8)!, radius: 1000)!
        var run = LiveRun(regions: [Self.door], circles: [park])
        run.scan.recorder = BTSnoopWriter()
        let source = run.scan.addSource(name: "hci0", kind: "hci")
        run.scan.addGPSD(name: "gpsd")
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening)
        }
        for second in 1...4 {
            run.turn(Double(second) + 0.2) {
                $0.receive(readLine(GPSLines.fix(Double(second), 47, 8))!.report)
                $0.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: source)
            }
        }
        // Until then 5.8 s of silence were listened.
        run.turn(10)
        run.slept = 28_800
        run.turn(28_811)
        let sleep = run.trace
        run.turn(28_900) {
            let other = Packet.other
            $0.receive(HCIPacket(h4: other.span.bytes), from: source)
            $0.stop(ScannerStatistics())
        }
        #expect(sleep.contains("28810.0 listening: this machine slept for 28800.0 s"))
        #expect(run.trace.contains("28834.2 exit outside"), "\(run.trace)")
        #expect(run.trace.contains("28810.0 determined unknown"), "the place was not known for hours")
        #expect(run.scan.statistics.timeJumps == 0)
        let exit = run.events.compactMap { if case .region(let change) = $0.content { change } else { nil } }.last
        #expect(Playback.seconds(try #require(exit?.beaconEvidence?.lastSeen)) == 4.2)
        // No reports for the night.
        #expect(run.events.count { $0.kind == .ranging } < 60)
        let file = run.scan.recorder?.takePieces().flatMap(\.bytes) ?? []
        let replay = try Playback([CaptureStream(name: "file", bytes: file)], regions: [Self.door])
        #expect(replay.trace(.region) == ["1.2 enter door", "28834.2 exit door"])
    }

    /// The silence before a sleep and the one behind it are one, also of a scanner that woke up deaf.
    @Test func aScannerThatIsDeafAfterASleepIsNotLeft() {
        var run = LiveRun(regions: [Self.door], profile: .adaptive)
        let source = run.scan.addSource(name: "hci0", kind: "hci")
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening)
        }
        for half in 0..<40 {
            run.turn(Double(half) / 2) { scan in
                for beacon in 1...4 {
                    let packet = Packet.iBeacon(minor: UInt16(beacon))
                    scan.receive(HCIPacket(h4: packet.span.bytes), from: source)
                }
            }
        }
        run.slept = 3600
        run.turn(3621)
        run.turn(7200)
        #expect(
            run.trace.suffix(2) == [
                "3619.5 listening: this machine slept for 3600.0 s",
                "3629.5 deaf: nothing was heard for 10 s; the exit times wait",
            ], "\(run.trace)")
        #expect(run.scan.summary == "hci0: deaf")
        run.error = 60 * .second
        run.turn(7201)
        #expect(run.trace.last == "7261.0 deaf: the clock of this machine was set forward by 60.0 s")
    }

    @Test func whatHasEndedEndsOnce() {
        var run = LiveRun()
        let former = run.scan.addSource(name: "hci0", kind: "hci")
        let source = run.scan.addSource(name: "hci1", kind: "hci")
        run.turn(0) {
            $0.start()
            $0.change(former, to: .ended, detail: "it has come back as hci1")
            $0.change(source, to: .listening)
        }
        run.turn(1) { $0.stop(ScannerStatistics()) }
        #expect(
            run.trace == [
                "0.0 ended: it has come back as hci1", "0.0 listening", "1.0 ended", "1.0 0 reports",
            ])
    }

    /// One beacon alone is not enough to tell that a silence is the scanner's.
    @Test func whoCouldNotRunHasNotListened() {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        run.turn(1) { $0.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: source) }
        run.turn(5)
        run.turn(45) { $0.stall(for: 40 * .second) }
        run.turn(80)
        #expect(
            run.trace == [
                "0.0 listening", "1.0 enter inside", "45.0 listening: this program could not run for 40.0 s",
                "71.0 exit outside",
            ])
    }

    /// The kernel drops packets while a turn is waited for; one beacon alone is then as silent as one that has gone. What the
    /// kernel kept is of before and after the hole.
    @Test func whatWasLostIsNoSilence() throws {
        var run = LiveRun(regions: [Self.door])
        run.scan.recorder = BTSnoopWriter()
        let source = run.scan.addSource(name: "hci0", kind: "hci")
        func noise(_ scan: inout Scan, _ second: Int64) {
            let other = Packet.other
            let stamp = BTSnoopFile.begin + second * .second
            scan.receive(HCIPacket(h4: other.span.bytes), from: source, stamp: stamp)
        }
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening)
        }
        run.turn(1) { $0.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: source) }
        run.turn(41) {
            noise(&$0, 2)
            $0.miss()
            noise(&$0, 40)
        }
        // While more is lost than is read, all the time.
        for second in 42..<100 {
            run.turn(Double(second)) {
                noise(&$0, Int64(second) - 1)
                $0.miss()
                $0.miss()
            }
        }
        run.turn(130) { $0.stop(ScannerStatistics()) }
        #expect(run.trace.prefix(3) == ["0.0 listening", "1.0 enter inside", "128.0 exit outside"], "\(run.trace)")
        let file = run.scan.recorder?.takePieces().flatMap(\.bytes) ?? []
        let replay = try Playback([CaptureStream(name: "file", bytes: file)], regions: [Self.door])
        #expect(replay.trace(.region).first == "1.0 enter door")
        #expect(!replay.trace(.region).contains { $0.hasPrefix("3") }, "\(replay.trace(.region))")
    }

    @Test func aStepOfTheWallClockMovesTimesButNoExits() throws {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        run.turn(5)
        run.hear(Packet.iBeacon(), source)
        run.error = 3600 * .second
        run.turn(10)
        run.error = -100 * .second
        run.turn(40) { $0.stop(ScannerStatistics()) }
        #expect(
            run.trace == [
                "0.0 listening", "5.0 enter inside",
                "3610.0 listening: the clock of this machine was set forward by 3600.0 s",
                "-60.0 listening: the clock of this machine was set back by 3700.0 s", "-65.0 exit outside",
                "-60.0 ended", "-60.0 1 reports",
            ])
        let exit = run.events.compactMap { if case .region(let change) = $0.content { change } else { nil } }.last
        #expect(Playback.seconds(try #require(exit?.beaconEvidence?.lastSeen)) == -95)
        #expect(run.scan.statistics.timeJumps == 2)
    }

    @Test func othersCommandsTellWhatCanBeHeard() {
        var run = LiveRun()
        let source = run.scan.addSource(name: "hci0", kind: "monitor")
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening)
        }
        for (second, packet) in [
            (1, Packet.scan(false)), (2, Packet.scan(true)), (3, Packet.reset), (4, Packet.complete(0x0C03, status: 0)),
        ] {
            run.turn(Double(second))
            run.hear(packet, source)
        }
        run.turn(5)
        #expect(run.trace == ["0.0 listening", "1.0 paused", "2.0 listening", "3.0 paused"])
    }

    @Test func whatOthersHaveFromTheControllerCounts() {
        var run = LiveRun(regions: [Self.door])
        let source = run.scan.addSource(name: "hci0", kind: "bluez")
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening, filtersDuplicates: true)
        }
        let frame = Array(Packet.iBeacon()[17..<44])
        run.turn(1) {
            $0.hear(
                frame.span.bytes, address: DeviceAddress(bits: 1), addressType: .random, rssi: -70, from: source)
        }
        run.turn(500)
        #expect(run.trace == ["0.0 listening", "1.0 enter inside"])
        #expect(run.scan.statistics.reports == 1)
    }

    @Test func gpsdComesAndGoes() {
        var run = LiveRun()
        run.scan.addGPSD(name: "gpsd")
        run.turn(0) { $0.start() }
        func report(_ line: String) -> GPSDReport { readLine(line)!.report }
        run.turn(1) { $0.receive(.connected(release: "3.25")) }
        // Times on the receiver's clock, which agrees; epochs end with the next.
        let fix = { (second: Double) in report(GPSLines.fix(second, 47, 8)) }
        run.turn(2.2) { $0.receive(fix(2)) }
        run.turn(3.2) { $0.receive(fix(3)) }
        run.turn(4) { $0.receive(.disconnected(reason: "it closed the connection")) }
        run.turn(30)
        #expect(
            run.trace == [
                "2.0 location", "4.0 network: gpsd: it closed the connection", "3.0 location",
                "14.0 locationUnknown: no receiver knows the place at the moment",
            ])
    }
}

@Suite("A live gpsd after a step of the clock")
struct ScanGPSTests {
    /// The last place before silence, or before gpsd goes, comes from the receiver's clock too.
    @Test(arguments: [false, true]) func timesAreThoseOfTheReceiver(hangsUp: Bool) {
        var run = LiveRun()
        run.scan.addGPSD(name: "gpsd")
        run.turn(0) { $0.start() }
        run.error = 3600 * .second
        run.turn(1) { $0.receive(.connected(release: "3.25")) }
        run.turn(2.2) { $0.receive(readLine(GPSLines.fix(3602, 47, 8))!.report) }
        run.turn(4) { if hangsUp { $0.receive(.disconnected(reason: "it closed the connection")) } }
        run.turn(5)
        #expect(run.trace.contains("3602.0 location"), "\(run.trace)")
    }
}

@Suite("Recording a live run")
struct ScanRecordingTests {
    @Test("a replay of what was recorded tells the same")
    func sameAgain() throws {
        let door = BeaconRegion(name: "door", uuid: Packet.office)!
        var run = LiveRun(regions: [door])
        run.scan.recorder = BTSnoopWriter()
        let adapter = run.scan.addSource(name: "hci0", kind: "hci")
        let daemon = run.scan.addSource(name: "bluez", kind: "bluez")
        run.turn(0) {
            $0.start()
            $0.change(adapter, to: .listening)
            $0.change(daemon, to: .listening)
        }
        for second in 1...20 {
            run.turn(Double(second)) { scan in
                let beacon = Packet.iBeacon()
                scan.receive(HCIPacket(h4: beacon.span.bytes), from: adapter)
                scan.hear(
                    Packet.iBeacon(minor: 2).span.bytes.extracting(14..<44), address: DeviceAddress(bits: 9),
                    addressType: .random, rssi: -80, from: daemon)
            }
        }
        run.turn(25) { $0.change(adapter, to: .poweredOff) }
        run.turn(26) { $0.change(daemon, to: .failed) }
        // The wall clock is set; so are the times of the events.
        run.error = 3_600_000_000
        run.turn(60) { $0.change(daemon, to: .listening) }
        run.turn(100) {
            let other = Packet.other
            $0.receive(HCIPacket(h4: other.span.bytes), from: adapter)
        }
        run.turn(101) { $0.stop(ScannerStatistics()) }
        let pieces = run.scan.recorder?.takePieces() ?? []
        let file = pieces.flatMap(\.bytes)
        let replay = try Playback([CaptureStream(name: "file", bytes: file)], regions: [door])
        func heard(_ events: [Event]) -> [String] {
            events.compactMap { event in
                event.advertisement.map {
                    "\(Playback.seconds(event.time!)) \($0.address) \($0.rssi ?? 0) \($0.beacon)"
                }
            }
        }
        #expect(heard(replay.events) == heard(run.events) && heard(run.events).count == 40)
        func changes(_ events: [Event]) -> [String] {
            events.compactMap { event in
                guard case .region(let change) = event.content else { return nil }
                return "\(Playback.seconds(event.time!)) \(change.transition.name)"
            }
        }
        #expect(changes(run.events) == ["1.0 enter", "3684.0 exit"] && changes(replay.events) == changes(run.events))
        guard case .statistics(let statistics) = run.events.last?.content else { return }
        #expect(statistics.recording == RecordingStatistics(records: 57, dropped: 0))
    }
}
