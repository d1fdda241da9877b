import Testing

@testable import SkerryCore

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
}
