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
}
