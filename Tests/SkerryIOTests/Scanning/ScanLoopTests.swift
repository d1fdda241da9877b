import Glibc
import SkerryCore
import Testing

@testable import SkerryIO

@Suite("The loop")
struct ScanLoopTests {
    private static let uuid = ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")!

    private static var now: Timestamp { Timestamp(microseconds: MachineClock.wall) }

    /// Hears a beacon, keeps the loop waiting, and then has so much to read that it takes many turns, while gpsd goes on.
    private final class Backlog: ScanSource {
        let interests: [Poller.Interest] = []
        let deadline: Int64? = .min
        let counts = ScannerStatistics()
        let server: LoopbackServer
        let source: SourceID
        let close: () -> Void
        private var isGreeted = false
        private var lastHeard: Timestamp?
        private var begin: Timestamp?

        init(_ server: LoopbackServer, _ scan: inout Scan, close: @escaping () -> Void) {
            self.server = server
            self.close = close
            source = scan.addSource(name: "hci0", kind: "hci")
            scan.change(source, to: .listening)
        }

        func step(_ ready: [Poller.Events], now: Int64, into scan: inout Scan) -> Bool {
            server.proceed()
            guard let moment = lastHeard else {
                greet(&scan)
                return true
            }
            sendPlace()
            guard moment < ScanLoopTests.now + -400_000 else {
                close()
                return true
            }
            hear(at: moment + 400_000, &scan)
            return false
        }

        func stop() {}

        private func greet(_ scan: inout Scan) {
            if server.hasPeer, !isGreeted {
                isGreeted = true
                server.send("{\"class\":\"VERSION\",\"release\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\r\n")
            }
            guard server.heard.hasSuffix("\n") else { return }
            server.send("{\"class\":\"WATCH\",\"enable\":true,\"json\":true}\r\n")
            if begin == nil { begin = ScanLoopTests.now }
            guard ScanLoopTests.now - begin! > 500_000 else { return }
            hear(at: ScanLoopTests.now, &scan)
            // Not yet so long that it is told.
            usleep(1_900_000)
        }

        private func sendPlace() {
            var line = JSONLine(capacity: 40)
            line.time(ScanLoopTests.now)
            let time = line.takeString()
            server.send("{\"class\":\"TPV\",\"device\":\"a\",\"mode\":2,\"time\":\(time),\"lat\":47,\"lon\":8}\r\n")
            usleep(20_000)
        }

        private func hear(at moment: Timestamp, _ scan: inout Scan) {
            lastHeard = moment
            let data: [UInt8] = [26, 0xFF, 0x4C, 0, 2, 0x15] + ScanLoopTests.identity + [0, 1, 0, 2, 0xC5]
            let report: [UInt8] = [0x02, 1, 0, 1, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC4]
            let packet = [0x04, 0x3E, UInt8(report.count)] + report
            scan.receive(HCIPacket(h4: packet.span.bytes), from: source, stamp: moment)
        }
    }

    private static let identity: [UInt8] = [
        0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
    ]

    private final class Heard {
        var transitions: [String] = []
        var details: [String] = []
        var locations = 0
    }

    private struct Ear: LiveOutput, ~Copyable {
        let heard: Heard
        let descriptor: Int32
        var waiting: Int { 0 }
        var interest: Poller.Interest? { Poller.Interest(descriptor: descriptor, events: []) }

        func write(_ events: [Event], sources: [String]) {
            for event in events {
                if case .region(let change) = event.content { heard.transitions.append("\(change.transition)") }
                if case .scanner(_, let detail?) = event.content { heard.details.append(detail) }
                if event.kind == .location { heard.locations += 1 }
            }
        }
        func send() {}
    }

    /// Is stopped once at work, and ends the run in the turn after that.
    private final class Stopped: ScanSource {
        let interests: [Poller.Interest] = []
        let deadline: Int64? = .min
        let counts = ScannerStatistics()
        private let close: () -> Void
        private var turns = 0

        init(_ scan: inout Scan, close: @escaping () -> Void) {
            self.close = close
            scan.change(scan.addSource(name: "hci0", kind: "hci"), to: .listening)
        }

        func step(_ ready: [Poller.Events], now: Int64, into scan: inout Scan) -> Bool {
            turns += 1
            if turns == 2 { usleep(2_200_000) }
            if turns == 3 { close() }
            return true
        }

        func stop() {}
    }

    @Test("who was stopped says so, also when it was at work", .timeLimit(.minutes(1)))
    func stopped() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[1]) }
        let engine = Engine(settings: ProximitySettings(profile: .adaptive), regions: [], wanted: .standard, seed: 1)
        let clock = RunClock(
            monotonic: MachineClock.monotonic, asleep: MachineClock.asleep, wall: Self.now)
        var scan = Scan(engine: engine, version: "1", command: "scan", clock: clock, seed: 1)
        var loop = ScanLoop(sources: [Stopped(&scan) { close(ends[0]) }], gpsd: nil)
        let heard = Heard()
        var ear = Ear(heard: heard, descriptor: ends[1])
        try loop.run(&scan, into: &ear)
        #expect(heard.details.count == 1)
        #expect(heard.details.first?.hasPrefix("this program could not run for 2.") == true)
    }

    @Test("what waits in the kernel is heard before gpsd's time counts", .timeLimit(.minutes(1)))
    func backlog() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[1]) }
        let server = try LoopbackServer()
        let region = BeaconRegion(name: "door", uuid: Self.uuid, exitTime: 1)!
        let engine = Engine(
            settings: ProximitySettings(profile: .adaptive), regions: [region], wanted: .standard, seed: 1)
        let clock = RunClock(
            monotonic: MachineClock.monotonic, asleep: MachineClock.asleep, wall: Self.now)
        var scan = Scan(engine: engine, version: "1", command: "scan", clock: clock, seed: 1)
        scan.addGPSD(name: "gpsd")
        var isOpen = true
        let source = Backlog(server, &scan) {
            if isOpen { close(ends[0]) }
            isOpen = false
        }
        var loop = ScanLoop(sources: [source], gpsd: GPSDClient(GPSDAddress("gpsd://127.0.0.1:\(server.port)")!))
        let heard = Heard()
        var ear = Ear(heard: heard, descriptor: ends[1])
        try loop.run(&scan, into: &ear)
        #expect(heard.transitions == ["enter"])
        #expect(heard.locations > 0)
    }
}
