import Testing

@testable import SkerryCore

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
        run.turn(60) {
            $0.change(daemon, to: .listening)
            $0.change(adapter, to: .listening)
        }
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
        #expect(changes(run.events) == ["1.0 enter", "3685.0 exit"] && changes(replay.events) == changes(run.events))
        guard case .statistics(let statistics) = run.events.last?.content else { return }
        #expect(statistics.recording == RecordingStatistics(records: 59, dropped: 0))
    }

    /// What a skipped time is recorded as must not switch on a scan that is another program's, and off.
    @Test("a stall says nothing of scans that are off, whoever has switched them")
    func stall() throws {
        let door = BeaconRegion(name: "door", uuid: Packet.office)!
        var run = LiveRun(regions: [door])
        run.scan.recorder = BTSnoopWriter()
        let adapter = run.scan.addSource(name: "hci0", kind: "monitor")
        let uncertain = run.scan.addSource(name: "hci1", kind: "monitor")
        run.turn(0) {
            $0.start()
            $0.change(adapter, to: .paused)
            $0.change(uncertain, to: .listening, detail: "another program scans")
        }
        let packets: [Timed] = [
            (1, Packet.extendedScan(true)), (1, Packet.complete(0x2042, status: 0)), (2, Packet.iBeacon()),
        ]
        for (seconds, packet) in packets {
            run.turn(seconds) { $0.receive(HCIPacket(h4: packet.rawSpan), from: adapter) }
        }
        for packet in [Packet.extendedScan(false), Packet.complete(0x2042, status: 0)] {
            run.turn(3) { $0.receive(HCIPacket(h4: packet.rawSpan), from: uncertain) }
        }
        // The one that its program lets scan has not heard; the other one's scan is off, though it was said to be on.
        run.turn(50) { $0.stall(for: 40 * .second) }
        run.turn(80) { $0.stop(ScannerStatistics()) }
        #expect(run.trace.contains("72.0 exit outside"), "\(run.trace)")
        let file = run.scan.recorder?.takePieces().flatMap(\.bytes) ?? []
        let replay = try Playback([CaptureStream(name: "file", bytes: file)], regions: [door])
        let told = replay.events.compactMap { event -> String? in
            guard case .scanner(let state, _) = event.content, let source = event.source, state != .ended else {
                return nil
            }
            return "\(Playback.seconds(event.time!)) \(source.rawValue) \(state.rawValue)"
        }
        #expect(
            told == [
                "0.0 0 listening", "0.0 0 paused", "0.0 1 listening", "0.0 1 paused", "0.0 1 listening",
                "1.0 0 listening", "3.0 1 paused", "3.0 0 paused", "43.0 0 listening",
            ], "\(told)")
    }

    @Test("so it does of a scan of another program that ends by itself")
    func timeout() throws {
        let door = BeaconRegion(name: "door", uuid: Packet.office)!
        var run = LiveRun(regions: [door])
        run.scan.recorder = BTSnoopWriter()
        let adapter = run.scan.addSource(name: "hci0", kind: "monitor")
        run.turn(0) {
            $0.start()
            $0.change(adapter, to: .paused)
        }
        let packets: [Timed] = [
            (1, Packet.extendedScan(true)), (1, Packet.complete(0x2042, status: 0)), (2, Packet.iBeacon()),
            (10, Packet.event([0x11])), (100, Packet.extendedScan(true)), (115, Packet.other),
        ]
        for (seconds, packet) in packets {
            run.turn(seconds) { $0.receive(HCIPacket(h4: packet.rawSpan), from: adapter) }
        }
        run.turn(125) { $0.stop(ScannerStatistics()) }
        let file = run.scan.recorder?.takePieces().flatMap(\.bytes) ?? []
        let replay = try Playback([CaptureStream(name: "file", bytes: file)], regions: [door])
        func told(_ events: [Event]) -> [String] {
            events.compactMap { event in
                switch event.content {
                case .region(let change): "\(Playback.seconds(event.time!)) \(change.transition.name)"
                case .scanner(let state, _): "\(Playback.seconds(event.time!)) \(state.rawValue)"
                default: nil
                }
            }
        }
        let course = ["1.0 listening", "2.0 enter", "10.0 paused", "100.0 listening"]
        #expect(told(run.events).starts(with: ["0.0 paused"] + course))
        #expect(told(replay.events).starts(with: ["0.0 listening", "0.0 paused"] + course))
    }
}
