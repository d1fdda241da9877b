import Testing

@testable import SkerryCore

@Suite("A live run that reads what it heard late")
struct ScanLatenessTests {
    private static let door = BeaconRegion(name: "door", uuid: Packet.office)!

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

    @Test func whatWaitedWhileTheProgramCouldNotRunIsJoined() {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        let frame = Array(Packet.iBeacon().dropFirst(17).dropLast())
        run.turn(1) {
            let packet = Packet.extended(Array(frame.prefix(9)), eventType: 0x20)
            $0.receive(HCIPacket(h4: packet.span.bytes), from: source, stamp: BTSnoopFile.begin + 900_000)
        }
        run.turn(6) {
            $0.stall(for: 5 * .second)
            let packet = Packet.extended(Array(frame.dropFirst(9)))
            $0.receive(HCIPacket(h4: packet.span.bytes), from: source, stamp: BTSnoopFile.begin + 910_000)
        }
        #expect(run.trace.last == "6.0 enter inside", "\(run.trace)")
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
            $0.miss(1000, of: [source])
            noise(&$0, 40)
        }
        // While more is lost than is read, all the time.
        for second in 42..<100 {
            run.turn(Double(second)) {
                noise(&$0, Int64(second) - 1)
                $0.miss(500, of: [source])
                $0.miss(500, of: [source])
            }
        }
        run.turn(130) { $0.stop(ScannerStatistics()) }
        // Of 40 s a part in 1001 was listened, of 58 s one in 501.
        #expect(
            run.trace.prefix(3) == ["0.0 listening", "1.0 enter inside", "128.844213 exit outside"], "\(run.trace)")
        let file = run.scan.recorder?.takePieces().flatMap(\.bytes) ?? []
        let replay = try Playback([CaptureStream(name: "file", bytes: file)], regions: [Self.door])
        #expect(replay.trace(.region).first == "1.0 enter door")
        #expect(!replay.trace(.region).contains { $0.hasPrefix("3") }, "\(replay.trace(.region))")
    }
}
