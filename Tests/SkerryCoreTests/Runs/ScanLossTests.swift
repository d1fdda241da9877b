import Testing

@testable import SkerryCore

/// Exit times while the kernel drops packets all the time: they become longer, and end.
@Suite("A live run that loses packets all the time")
struct ScanLossTests {
    private static let door = BeaconRegion(name: "door", uuid: Packet.office)!

    /// A second of the loss: so many packets of others are read half a second late, then it is told how many were lost.
    private func second(
        _ run: inout LiveRun, _ second: Int, received: Int, lost: UInt64, hears beacon: [UInt8]? = nil,
        readsAll: Bool, _ source: SourceID
    ) {
        let stamp = BTSnoopFile.begin + (Int64(second) * .second - 500_000)
        let other = Packet.other
        run.turn(Double(second), readsAll: readsAll) { scan in
            for number in 0..<received {
                let isBeacon = number == 0 && beacon != nil
                scan.receive(HCIPacket(h4: (isBeacon ? beacon! : other).span.bytes), from: source, stamp: stamp)
            }
            scan.miss(lost, of: [source])
        }
    }

    private func exits(_ run: LiveRun) -> [Double] {
        run.events.compactMap { event in
            if case .region(let change) = event.content, change.transition == .exit {
                Playback.seconds(event.time!)
            } else {
                nil
            }
        }
    }

    /// The exit time of 30 s, divided by the share that is received.
    @Test(
        "an exit comes later by what was lost, whether or not the loop ever reads all",
        arguments: [(10, 10, 60.0), (10, 0, 30), (1, 3, 120), (1, 99, 3000)], [true, false])
    func exitsCome(loss: (received: Int, lost: Int, seconds: Double), readsAll: Bool) throws {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        let end = Int(loss.seconds) + 200
        for now in 1...end {
            second(
                &run, now, received: loss.received, lost: UInt64(loss.lost),
                hears: now <= 100 ? Packet.iBeacon() : nil, readsAll: readsAll, source)
        }
        // What was decided is told now at the latest.
        run.turn(Double(end))
        #expect(exits(run).count == 1 && run.trace.count == 3, "\(run.trace)")
        let exit = try #require(exits(run).first)
        // Heard last at 99.5 s; loss is told once a second.
        #expect(abs(exit - 99.5 - loss.seconds) <= 2, "\(exit)")
    }

    @Test(
        "who is still there, and heard now and then, does not exit",
        arguments: [(50, 20_000), (99, 60_000)], [Profile.apple, .adaptive])
    func nobodyExitsFalsely(loss: (percent: Int, seconds: Int), profile: Profile) {
        var run = LiveRun(regions: [Self.door], profile: profile, wanted: EventKinds(.region))
        let source = run.scan.addSource(name: "hci0", kind: "hci")
        run.turn(0) {
            $0.start()
            $0.change(source, to: .listening)
        }
        var random = SeededGenerator(seed: 7)
        let received = loss.percent == 50 ? 2 : 1
        for now in 1...loss.seconds {
            // One advert a second, of which chance takes its share.
            let isHeard = Int.random(in: 0..<100, using: &random) >= loss.percent
            second(
                &run, now, received: received, lost: UInt64(received * loss.percent / (100 - loss.percent)),
                hears: isHeard ? Packet.iBeacon() : nil, readsAll: false, source)
        }
        #expect(exits(run).isEmpty, "\(exits(run))")
        #expect(run.events.count { $0.kind == .region } == 1)
    }

    @Test("what is lost while the program could not run is not counted twice")
    func stall() {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        run.turn(1) { $0.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: source) }
        run.turn(5)
        let other = Packet.other
        run.turn(45) {
            $0.stall(for: 40 * .second)
            $0.receive(HCIPacket(h4: other.span.bytes), from: source, stamp: BTSnoopFile.begin + 6 * .second)
            $0.miss(999, of: [source])
        }
        run.turn(80)
        #expect(exits(run) == [71])
    }

    @Test("what one adapter loses, another has heard")
    func others() {
        var (run, source) = LiveRun.listening(regions: [Self.door])
        let other = run.scan.addSource(name: "hci1", kind: "hci")
        run.turn(0.5) { $0.change(other, to: .listening) }
        run.turn(0.75) { $0.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: other) }
        for now in 1...100 { second(&run, now, received: 1, lost: 99, readsAll: true, source) }
        #expect(exits(run).count == 1 && abs((exits(run).first ?? 0) - 30.75) <= 1, "\(exits(run))")
        // Both at once.
        var (both, first) = LiveRun.listening(regions: [Self.door])
        let last = both.scan.addSource(name: "hci1", kind: "hci")
        both.turn(0.5) { $0.change(last, to: .listening) }
        both.turn(0.75) { $0.receive(HCIPacket(h4: Packet.iBeacon().span.bytes), from: last) }
        let noise = Packet.other
        for now in 1...100 {
            both.turn(Double(now)) { scan in
                for source in [first, last] { scan.receive(HCIPacket(h4: noise.span.bytes), from: source) }
                for source in [first, last] { scan.miss(1, of: [source]) }
            }
        }
        #expect(exits(both).count == 1 && abs((exits(both).first ?? 0) - 60.75) <= 2, "\(exits(both))")
    }
}
