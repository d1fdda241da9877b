import Testing

@testable import SkerryCore

/// What the host's commands in a capture say of the scan, and what follows from it for exits: deaf is not gone.
@Suite struct ScanStateTests {
    private static let door = BeaconRegion(name: "door", uuid: Packet.office, major: 1, minor: 1)!
    private static let beacon = Packet.iBeacon()

    private func trace(_ packets: [Timed], _ kinds: EventKind = .region) throws -> [String] {
        try Playback(packets, regions: [Self.door]).trace(kinds)
    }

    @Test func aCaptureListensBeforeTheFirstCommand() throws {
        #expect(try trace([(0, Packet.other)], .scanner) == ["0.0 listening", "0.0 ended"])
    }

    /// Commands that end the scan; then ones that begin it.
    @Test func exitTimeIsListenedTime() throws {
        for off in [Packet.scan(false), Packet.extendedScan(false), Packet.reset, Packet.event([0x11])] {
            for on in [Packet.scan(true), Packet.extendedScan(true)] {
                let packets: [Timed] = [
                    (0, Self.beacon), (10, off), (100, on), (119.999, Packet.other), (121, Packet.other),
                ]
                let playback = try Playback(packets, regions: [Self.door])
                #expect(playback.trace(.region) == ["0.0 enter door", "120.0 exit door"])
                #expect(playback.trace(.scanner) == ["0.0 listening", "10.0 paused", "100.0 listening", "121.0 ended"])
                guard case .region(let left) = playback.events.last(where: { $0.kind == .region })?.content else {
                    return
                }
                #expect(left.beaconEvidence!.listening == 0.25)
                #expect(left.beaconEvidence!.silence == 30 * .second)
            }
        }
    }

    @Test func nobodyExitsWhileTheScanIsOff() throws {
        #expect(try trace([(0, Self.beacon), (10, Packet.scan(false)), (1e7, Packet.other)]) == ["0.0 enter door"])
    }

    @Test func otherCommandsChangeNothing() throws {
        let commands: [[UInt8]] = [
            [0x01, 0x0B, 0x20, 0x07, 0x01, 0x10, 0x00, 0x10, 0x00, 0x00, 0x00], [0x01, 0x0C, 0x20, 0x01, 0x00],
            [0x01, 0x0C, 0x20], [0x01], [0x01, 0x0A, 0x20, 0x01, 0x00], [0x02, 0x0C, 0x20, 0x02, 0x00, 0x00],
        ]
        for command in commands {
            #expect(
                try trace([(0, Self.beacon), (10, command), (40, Packet.other)]) == [
                    "0.0 enter door", "30.0 exit door",
                ])
        }
    }

    @Test(arguments: [0x200C, 0x2042, 0x0C03] as [UInt16])
    func aRefusedCommandChangesNothing(opcode: UInt16) throws {
        let command =
            opcode == 0x200C ? Packet.scan(false) : opcode == 0x2042 ? Packet.extendedScan(false) : Packet.reset
        let status: [UInt8] = [0x04, 0x0F, 0x04, 0x0C, 0x01] + .le(opcode)
        for refusal in [Packet.complete(opcode, status: 0x0C), status] {
            let packets: [Timed] = [(0, Self.beacon), (10, command), (10, refusal), (40, Packet.other)]
            #expect(try trace(packets) == ["0.0 enter door", "30.0 exit door"])
        }
        let packets: [Timed] = [
            (0, Self.beacon), (10, command), (10, Packet.complete(opcode, status: 0)), (40, Packet.other),
        ]
        #expect(try trace(packets) == ["0.0 enter door"])
    }

    @Test func theAnswerToAnotherCommandIsNoRefusal() throws {
        #expect(
            try trace([
                (0, Self.beacon), (10, Packet.scan(false)), (10, Packet.complete(0x200B, status: 0x0C)),
                (50, Packet.other),
            ]) == ["0.0 enter door"])
    }

    @Test func aRefusedStartLeavesTheScanOff() throws {
        #expect(
            try trace([
                (0, Self.beacon), (10, Packet.scan(false)), (20, Packet.scan(true)),
                (20, Packet.complete(0x200C, status: 0x0C)), (200, Packet.other),
            ]) == ["0.0 enter door"])
    }

    /// As bluetoothd scans in the background: for devices that it knows. A beacon is none, so its silence says nothing.
    @Test(arguments: [0, 1, 2, 3] as [UInt8], [false, true])
    func aScanForKnownDevicesHearsNoBeacon(policy: UInt8, isExtended: Bool) throws {
        let off = isExtended ? Packet.extendedScan(false) : Packet.scan(false)
        let on = isExtended ? Packet.extendedScan(true) : Packet.scan(true)
        let parameters =
            isExtended ? Packet.extendedScanParameters(policy: policy) : Packet.scanParameters(policy: policy)
        let opcode: UInt16 = isExtended ? 0x2041 : 0x200B
        let course: [Timed] = [(0, Self.beacon), (10, off), (10, parameters), (10, on), (100, Packet.other)]
        let hears = policy & 1 == 0
        #expect(try trace(course) == ["0.0 enter door"] + (hears ? ["30.0 exit door"] : []))
        let states = try trace(course, .scanner)
        #expect(states == ["0.0 listening", "10.0 paused"] + (hears ? ["10.0 listening"] : []) + ["100.0 ended"])
        // A refused command changes nothing; a reset ends the policy.
        for others in [[Packet.complete(opcode, status: 0x0C)], [Packet.complete(opcode, status: 0), Packet.reset]] {
            var packets: [Timed] = [(0, Self.beacon), (10, off), (10, parameters)]
            packets += others.map { (seconds: 10, packet: $0) }
            packets += [(10, on), (100, Packet.other)]
            #expect(try trace(packets) == ["0.0 enter door", "30.0 exit door"])
        }
    }

    @Test func theDuplicateFilterIsShown() throws {
        #expect(
            try trace(
                [(0, Packet.scan(true, filter: true)), (1, Packet.extendedScan(true)), (2, Packet.other)], .scanner)
                == [
                    "0.0 listening", "0.0 listening: the controller filters duplicates", "1.0 listening", "2.0 ended",
                ])
    }

    /// A beacon that was reported is not reported again until the scan begins anew.
    @Test func silenceUnderTheDuplicateFilterIsNoExit() throws {
        let filtered = Packet.scan(true, filter: true)
        #expect(try trace([(0, filtered), (1, Self.beacon), (100, Packet.other)]) == ["1.0 enter door"])
        // Anew at 101: the beacon, were it there, would be reported again; its silence counts from the end at 100.
        let restarted: [Timed] = [(0, filtered), (1, Self.beacon), (100, Packet.scan(false)), (101, filtered)]
        #expect(try trace(restarted + [(132, Packet.other)]) == ["1.0 enter door", "131.0 exit door"])
        #expect(try trace(restarted + [(130, Self.beacon), (300, Packet.other)]) == ["1.0 enter door"])
    }

    /// As BlueZ does it: scans that filter, one after another. Who is not reported in them has gone.
    @Test(arguments: [3, 10.24] as [Double], Profile.allCases)
    func silenceThroughManyFilteredScansIsAnExit(length: Double, profile: Profile) throws {
        var packets: [Timed] = []
        for scan in 0..<300 {
            let begin = Double(scan) * length
            packets += [(begin, Packet.scan(false)), (begin + 0.01, Packet.scan(true, filter: true))]
            if begin < 60 { packets.append((begin + 0.5, Self.beacon)) }
        }
        let trace = try Playback(packets, regions: [Self.door], profile: profile).trace(.region)
        #expect(trace.last?.hasSuffix("exit door") == true)
        #expect(trace.filter { $0.hasSuffix("enter door") }.count <= 1 || profile == .altbeacon)
    }

    @Test func aBeaconTheFilterHasNotReportedYetExits() throws {
        #expect(
            try trace([(0, Self.beacon), (10, Packet.scan(true, filter: true)), (40, Packet.other)])
                == ["0.0 enter door", "30.0 exit door"])
    }

    @Test func aRefusedStopLeavesTheFilterOn() throws {
        #expect(
            try trace([
                (0, Packet.scan(true, filter: true)), (1, Self.beacon), (10, Packet.scan(false)),
                (10, Packet.complete(0x200C, status: 0x0C)), (100, Packet.other),
            ]) == ["1.0 enter door"])
    }

    @Test func aHoleOfADayUnderTheDuplicateFilterCostsNoWork() throws {
        let playback = try Playback(
            [(0, Packet.scan(true, filter: true)), (1, Self.beacon), (86_400, Packet.other)], regions: [Self.door])
        #expect(playback.trace(.ranging).count < 100)
    }

    @Test func aHoleOfYearsWhileTheScanIsOffCostsNoWork() throws {
        let playback = try Playback(
            [(0, Self.beacon), (10, Packet.scan(false)), (1e11, Packet.scan(true)), (1e11 + 25, Packet.other)],
            regions: [Self.door])
        #expect(playback.trace(.region) == ["0.0 enter door", "100000000020.0 exit door"])
        #expect(playback.trace(.ranging).count < 100)
    }

    /// A monitor capture with two adapters: what is said to one says nothing of the other.
    @Test func eachAdapterOfACaptureHasItsOwnScan() throws {
        var file = BTSnoopFile(datalink: 2001)
        func add(_ packet: [UInt8], _ adapter: UInt32, at seconds: Double) {
            file.add(Array(packet.dropFirst()), at: seconds, flags: adapter << 16 | (packet[0] == 1 ? 2 : 3))
        }
        add(Self.beacon, 0, at: 0)
        add(Packet.other, 1, at: 0)
        add(Packet.scan(false), 1, at: 5)
        add(Packet.other, 0, at: 40)
        let playback = try Playback([file.stream()], regions: [Self.door])
        #expect(playback.trace(.region) == ["0.0 enter door", "30.0 exit door"])
        #expect(playback.sources.count == 2)
        #expect(
            playback.trace(.scanner) == ["0.0 listening", "0.0 listening", "5.0 paused", "40.0 ended", "40.0 ended"])
    }
}
