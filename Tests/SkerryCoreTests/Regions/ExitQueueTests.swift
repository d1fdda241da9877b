import Testing

@testable import SkerryCore

@Suite struct ExitQueueTests {
    @Test func theEarliestDeadlineComesFirst() {
        var generator = SeededGenerator(seed: 3)
        var queue = ExitQueue()
        var model: [(deadline: Int64, slot: UInt32)] = []
        for _ in 0..<3000 {
            if UInt8.random(in: 0..<3, using: &generator) > 0 {
                let entry = (Int64.random(in: 0..<50, using: &generator), UInt32.random(in: 0..<50, using: &generator))
                queue.push(ExitQueue.Entry(deadline: entry.0, slot: entry.1, rule: 0, generation: 0))
                model.append(entry)
                model.sort { $0 < $1 }
            } else {
                let first = queue.popFirst()
                #expect(first?.deadline == model.first?.deadline && first?.slot == model.first?.slot)
                model = Array(model.dropFirst())
            }
            #expect(queue.first?.deadline == model.first?.deadline)
        }
    }

    /// Against a sorted array.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func entriesComeInOrderWhateverWasRemoved(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = ExitQueue()
        var model: [Int64] = []
        for _ in 0..<40 {
            for slot in 0..<UInt32.random(in: 0..<100, using: &generator) {
                let deadline = Int64.random(in: 0..<500, using: &generator)
                queue.push(ExitQueue.Entry(deadline: deadline, slot: slot, rule: 0, generation: 0))
                model.append(deadline)
            }
            let divisor = Int64.random(in: 2..<5, using: &generator)
            queue.removeAll { $0.deadline % divisor == 0 }
            model.removeAll { $0 % divisor == 0 }
            model.sort()
            #expect(queue.count == model.count)
            for expected in model.prefix(model.count / 2) { #expect(queue.popFirst()?.deadline == expected) }
            model.removeFirst(model.count / 2)
        }
    }

    /// Where gaps grow shorter, every sighting shortens the exit time that is queued; beacons come and go meanwhile.
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func queuesAreAsLongAsWhatIsKnown(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let regions = [
            BeaconRegion(name: "all", uuid: Packet.office)!,
            BeaconRegion(name: "quick", uuid: Packet.office, exitTime: 2)!,
        ]
        let engine = Engine(
            settings: ProximitySettings(profile: .adaptive), regions: regions, wanted: Playback.allEvents, seed: seed)
        var scan = Scan(
            engine: engine, version: "1", command: "scan", clock: RunClock(monotonic: 0, wall: BTSnoopFile.begin),
            seed: seed)
        let source = scan.addSource(name: "hci0", kind: "hci")
        scan.change(source, to: .listening)
        var (elapsed, known, longest) = (Int64(0), 0, 0)
        for round in 0..<10 {
            let gap: Int64 = round % 2 == 0 ? 4_000_000 : 20_000
            let beacons = UInt16.random(in: 20..<150, using: &generator)
            for _ in 0..<60 {
                elapsed += gap
                scan.setClock(monotonic: elapsed, wall: BTSnoopFile.begin + elapsed)
                for minor in 0..<beacons {
                    scan.receive(HCIPacket(h4: Packet.iBeacon(minor: minor).span.bytes), from: source)
                }
                scan.advance()
                scan.drain()
                known = max(known, scan.engine.table.count)
                longest = max(longest, scan.engine.scanners[0].exits.count)
                // Of each beacon an entry a rule, and as many that are outdated.
                #expect(scan.engine.scanners[0].exits.count <= ExitQueue.leastRoom + 2 * 2 * known)
            }
        }
        #expect(longest > ExitQueue.leastRoom)
        let other = Packet.other
        for _ in 0..<1000 {
            elapsed += .second
            scan.setClock(monotonic: elapsed, wall: BTSnoopFile.begin + elapsed)
            scan.receive(HCIPacket(h4: other.span.bytes), from: source)
            scan.advance()
            scan.drain()
        }
        #expect(scan.engine.table.count == 0 && scan.engine.scanners[0].exits.count == 0)
    }
}
