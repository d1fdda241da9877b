import Testing

@testable import SkerryCore

@Suite("A live run whose clocks do not go on evenly")
struct ScanClockTests {
    private static let door = BeaconRegion(name: "door", uuid: Packet.office)!

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
}
