import Testing

@testable import SkerryCore

/// A live run, told the time by hand.
private struct LiveRun {
    var scan: Scan
    private(set) var events: [Event] = []
    private let begin = BTSnoopFile.begin
    /// By which the wall clock is wrong.
    var error: Int64 = 0
    private var seconds = 0.0

    init(regions: [BeaconRegion] = [Playback.everything], wanted: EventKinds = Playback.allEvents) {
        let engine = Engine(settings: ProximitySettings(profile: .apple), regions: regions, wanted: wanted, seed: 1)
        let clock = RunClock(monotonic: 0, wall: BTSnoopFile.begin)
        scan = Scan(engine: engine, version: "1", command: "scan", clock: clock, seed: 1)
    }

    /// A turn of the loop at a time in seconds.
    mutating func turn(_ seconds: Double, _ body: (inout Scan) -> Void = { _ in }) {
        self.seconds = seconds
        let elapsed = Int64(seconds * 1e6)
        scan.setClock(monotonic: elapsed, wall: begin + (elapsed + error))
        body(&scan)
        scan.advance()
        events += scan.events
        scan.drain()
    }

    mutating func hear(_ packet: [UInt8], _ source: SourceID) {
        scan.receive(HCIPacket(h4: packet.span.bytes), from: source)
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
        var run = LiveRun(regions: [Self.door])
        let source = run.scan.addSource(name: "hci0", kind: "hci")
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening)
        }
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

    /// What waits in the kernel was heard before what is due now.
    @Test func whatIsHeardLateCountsFromItsStamp() {
        var run = LiveRun(regions: [Self.door])
        let source = run.scan.addSource(name: "hci0", kind: "hci")
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening)
        }
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

    @Test func aStepOfTheWallClockMovesTimesButNoExits() throws {
        var run = LiveRun(regions: [Self.door])
        let source = run.scan.addSource(name: "hci0", kind: "hci")
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening)
        }
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
