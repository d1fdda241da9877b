import Foundation
import Glibc
import SkerryCore
import Testing

@testable import SkerryIO

@Suite(
    "A controller behind H4", .serialized,
    .enabled(if: SimulatedController.path != nil, "no C compiler builds the simulated controller"))
struct H4SourceTests {
    private static let uuid = "uuid=E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
    private static let listening = "listening: passive extended scan on LE 1M"

    /// On the air: beacons near and far, without a level, with a public address, in a long advert that comes in pieces,
    /// and reports that run past their event.
    private static let air = """
        beacon addr=C0:00:00:00:00:01 \(uuid) major=1 minor=1 rssi=-60 every=10 count=20
        beacon addr=C0:00:00:00:00:02 \(uuid) major=1 minor=2 rssi=127 every=15 count=10
        beacon addr=00:00:5E:00:53:03 \(uuid) major=0 minor=0 rssi=-93 every=7 count=30 atype=public pdu=ind
        beacon addr=C0:00:00:00:00:04 \(uuid) major=65535 minor=4 rssi=-70 every=20 count=10 pdu=ext
        adv addr=C0:00:00:00:00:05 pdu=ext frag=100 rssi=-50 every=20 count=10 data=\(long)
        event scan=1 every=30 count=5 hex=3e0502010001c0
        """

    /// 197 bytes of somebody's data, then an iBeacon.
    private static let long =
        "c4ff5900" + String(repeating: "5a", count: 193)
        + "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000070005c5"

    private static let legacy = [
        "10 x C0:00:00:00:00:02 random 1/2 - legacy", "20 x C0:00:00:00:00:01 random 1/1 -60 legacy",
        "30 x 00:00:5E:00:53:03 public 0/0 -93 legacy",
    ]
    private static let extended =
        (legacy + [
            "10 x C0:00:00:00:00:04 random 65535/4 -70 extended", "10 x C0:00:00:00:00:05 random 7/5 -50 extended",
        ]).sorted()

    @Test(
        "who is on the air, how often and how strong, is what is heard",
        arguments: [
            ([], extended), (["--strict"], extended), (["--batch", "5"], extended), (["--no-ext"], legacy),
            (["--no-ext", "--strict", "--batch", "5"], legacy),
        ] as [([String], [String])], [true, false])
    func air(setting: (options: [String], frames: [String]), isSerial: Bool) throws {
        let controller = try SimulatedController(
            Self.air, setting.options, port: isSerial ? nil : SimulatedController.freePort())
        let run = try ScanRun(controller.address)
        let total = setting.frames == Self.legacy ? 60 : 80
        try run.run { $0.total >= total && $0.scan.statistics.malformed[.legacyReportTruncated] >= 5 }
        // Nothing more comes.
        try run.run(seconds: 0.3) { _ in false }
        run.source.stop()
        #expect(run.frames == setting.frames)
        let statistics = run.scan.statistics
        #expect(statistics.malformed[.legacyReportTruncated] == 5)
        #expect(statistics.rssiUnavailable == 10)
        #expect(run.source.counts == ScannerStatistics())
        let kind = setting.frames == Self.legacy ? "legacy" : "extended"
        #expect(run.states == ["listening: passive \(kind) scan on LE 1M"])
        let said = controller.end()
        #expect(said.contains("\(kind) scan on, passive, all adverts"))
        #expect(said.contains("\(kind) scan off"))
    }

    @Test("an active scan hears scan responses too")
    func active() throws {
        let controller = try SimulatedController(
            "adv addr=C0:00:00:00:00:01 pdu=ind every=10 count=10 data=020106 rsp=04095a5a5a",
            port: SimulatedController.freePort())
        let run = try ScanRun(controller.address, isActive: true)
        try run.run { $0.scan.statistics.reports >= 20 }
        #expect(run.scan.statistics.reports == 20)
        #expect(run.states == ["listening: active extended scan on LE 1M"])
    }

    @Test("none is lost, however fast they come")
    func fast() throws {
        let controller = try SimulatedController(
            "beacon \(Self.uuid) rssi=-60", ["--seq", "--rate", "20000", "--total", "10000"],
            port: SimulatedController.freePort())
        let run = try ScanRun(controller.address)
        try run.run { $0.scan.statistics.reports >= 10_000 }
        #expect(run.heard.count == 10_000)
        #expect(run.total == 10_000)
    }

    @Test("a controller that goes away and comes back")
    func comesBack() throws {
        let port = try SimulatedController.freePort()
        let air = "beacon \(Self.uuid) major=1 minor=1 rssi=-60 every=10"
        var controller: SimulatedController? = try SimulatedController(air, port: port)
        let run = try ScanRun("tcp:localhost:\(port)")
        #expect(try run.run { $0.total >= 10 })
        controller = nil
        #expect(try run.run { $0.states.count >= 2 })
        controller = try SimulatedController(air, ["--no-ext"], port: port)
        let before = run.total
        #expect(try run.run { $0.total >= before + 10 })
        run.source.stop()
        #expect(
            run.states == [
                Self.listening, "failed: it closed the connection", "listening: passive legacy scan on LE 1M",
            ])
        #expect(run.source.counts.reopened == 1)
        _ = controller
    }

    @Test("a controller that reports an error is reset and scans again")
    func hardwareError() throws {
        let air = """
            beacon \(Self.uuid) major=1 minor=1 rssi=-60 every=10
            event at=200 scan=1 hex=100142
            """
        let controller = try SimulatedController(air, port: SimulatedController.freePort())
        let run = try ScanRun(controller.address)
        #expect(try run.run { $0.states.count >= 3 })
        #expect(run.states == [Self.listening, "paused: the controller reports a hardware error", Self.listening])
        #expect(run.source.counts.controllerResets == 1)
    }

    @Test(
        "what does not answer, or talks nonsense, or tells what it was not asked for",
        arguments: [
            ([], false), ([0x48, 0x54, 0x54, 0x50, 0x04, 0x3E], true),
            ([4, 0x3E, 15, 2, 1, 0, 0, 1, 2, 3, 4, 5, 0xC6, 3, 2, 1, 6, 0xC5], false),
        ] as [([UInt8], Bool)])
    func nonsense(bytes: [UInt8], isSkipped: Bool) throws {
        let server = try LoopbackServer()
        let run = try ScanRun("tcp:127.0.0.1:\(server.port)")
        let end = MachineClock.monotonic + 2_500_000
        while MachineClock.monotonic < end {
            server.proceed()
            if server.hasPeer, server.isDone { server.send(bytes) }
            try run.run(seconds: 0.02) { _ in false }
        }
        #expect(run.states == ["failed: the controller does not answer Reset"])
        #expect((run.source.counts.skippedBytes > 0) == isSkipped && run.total == 0)
        #expect(server.heard.utf8.starts(with: [0x01, 0x03, 0x0C, 0x00]))
    }

    @Test("addresses where nothing is")
    func nothing() throws {
        let advice = "does the controller listen there, and are host and port right?"
        let port = try SimulatedController.freePort()
        let refused = try ScanRun("tcp:127.0.0.1:\(port)")
        #expect(try refused.run(seconds: 5) { !$0.states.isEmpty })
        #expect(refused.states == ["failed: Connection refused at 127.0.0.1:\(port); \(advice)"])
        let unknown = try ScanRun("tcp:nowhere.invalid:1")
        #expect(try unknown.run(seconds: 15) { !$0.states.isEmpty })
        #expect(unknown.states == ["failed: there is no host nowhere.invalid; \(advice)"])
        #expect(throws: ScanError.noAdapter("there is no /dev/nothing; 'ls /dev/serial/by-id' names those that are")) {
            _ = try ScanRun("/dev/nothing")
        }
        #expect(
            throws: ScanError.unavailable(
                "/dev/null is no serial port; 'ls /dev/serial/by-id' names those that are")
        ) {
            _ = try ScanRun("/dev/null")
        }
        let controller = try SimulatedController("", port: nil)
        #expect(throws: ScanError.unavailable("\(controller.address): Invalid argument")) {
            _ = try ScanRun("\(controller.address),123")
        }
    }

    @Test("how a serial port is set", arguments: [true, false])
    func serial(hasFlowControl: Bool) throws {
        let controller = try SimulatedController("", port: nil)
        let descriptor = try FileDescriptor.serial(
            controller.address, speed: 1_000_000, hasFlowControl: hasFlowControl)
        var port = termios()
        let number = descriptor.number
        #expect(tcgetattr(number, &port) == 0)
        #expect(cfgetospeed(&port) == speed_t(B1000000))
        #expect(port.c_cflag & tcflag_t(CRTSCTS) == (hasFlowControl ? tcflag_t(CRTSCTS) : 0))
        #expect(port.c_cflag & tcflag_t(CSIZE | PARENB | CSTOPB) == tcflag_t(CS8))
        #expect(port.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
        #expect(port.c_iflag & tcflag_t(IXON | ICRNL | ISTRIP) == 0)
    }

    @Test("a port that fails while the scan is switched off keeps nobody")
    func failingPort() throws {
        let port = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // TIOCSPTLCK and TIOCGPTN, ioctl_tty(2).
        var (isLocked, number) = (Int32(0), UInt32(0))
        try #require(ioctl(port, UInt(0x4004_5431), &isLocked) == 0 && ioctl(port, UInt(0x8004_5430), &number) == 0)
        let run = try ScanRun("/dev/pts/\(number)")
        try run.run(seconds: 0.1) { _ in false }
        // Reset, of four bytes, and the command that ends the scan, of six.
        Thread.detachNewThread {
            var (room, count) = ([UInt8](repeating: 0, count: 16), 0)
            while count < 10 {
                let got = read(port, &room, room.count)
                if got <= 0 { break }
                count += got
            }
            close(port)
        }
        let begin = MachineClock.monotonic
        run.source.stop()
        #expect(MachineClock.monotonic - begin < 700_000)
    }

    @Test(
        "another implementation's controller",
        .enabled(if: BumbleController.isThere, "bumble is not installed for python3"))
    func bumble() throws {
        let controller = try BumbleController(
            """
            beacon addr=C0:00:00:00:00:01 \(Self.uuid) major=1 minor=1 rssi=-60 every=20 count=20
            beacon addr=C0:00:00:00:00:02 \(Self.uuid) major=1 minor=2 rssi=127 every=30 count=10
            """)
        let run = try ScanRun(controller.address)
        try run.run(seconds: 30) { $0.total >= 30 }
        run.source.stop()
        #expect(
            run.frames == [
                "10 x C0:00:00:00:00:02 random 1/2 - legacy", "20 x C0:00:00:00:00:01 random 1/1 -60 legacy",
            ])
        #expect(run.states.last == Self.listening)
    }
}
