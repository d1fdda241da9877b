import Testing

@testable import SkerryCore

@Suite struct BlueZScanTests {
    private static let second = Int64(1_000_000)

    /// An adapter that is on, and what it was asked by now.
    private struct Run {
        var scan = BlueZScan()
        var now: Int64 = 100 * second
        var asked: [BlueZScan.Call] = []

        init(monitors: Bool, isPowered: Bool = true) {
            if monitors { scan.appeared(offersMonitors: true, at: now) }
            scan.appeared(isPowered: isPowered, at: now)
            take()
        }

        mutating func take() { asked += scan.takeCalls() }

        /// What was asked since.
        mutating func calls() -> [BlueZScan.Call] {
            take()
            defer { asked = [] }
            return asked
        }

        /// Answers what is asked until nothing is; refuses what is among the refusals.
        mutating func answer(_ refusals: [BlueZScan.Call: String] = [:]) {
            while let call = asked.first {
                asked.removeFirst()
                let refusal = refusals[call].map { BlueZScan.Refusal(name: $0, message: "words") }
                scan.answered(call, refusal, at: now)
                if call == .registerMonitor, refusal == nil { scan.activatedMonitor(at: now) }
                take()
            }
        }

        mutating func wait(_ seconds: Double) {
            now += Int64(seconds * 1e6)
            scan.advance(to: now)
            take()
        }

        var states: ScannerState? { scan.status?.state }
    }

    @Test func asksForAMonitorFirst() {
        var run = Run(monitors: true)
        #expect(run.calls() == [.registerMonitor])
        run.scan.answered(.registerMonitor, nil, at: run.now)
        #expect(run.calls() == [], "the scan would begin with the filter")
        run.scan.activatedMonitor(at: run.now)
        #expect(run.calls() == [.setDiscoveryFilter])
        run.scan.answered(.setDiscoveryFilter, nil, at: run.now)
        #expect(run.calls() == [.startDiscovery])
        #expect(run.scan.status == nil)
        run.scan.answered(.startDiscovery, nil, at: run.now)
        #expect(run.scan.status == .listening)
        #expect(run.scan.scans == 1)
        #expect(run.scan.deadline == run.now + 5 * Self.second, "only a silence is asked after")
    }

    /// Quiet air is asked after at growing intervals; what does not answer has failed before the shortest exit time is over.
    @Test func asksBluetoothdThatIsSilentForASignOfLife() {
        var run = Run(monitors: true)
        run.answer()
        var waits: [Int64] = []
        for _ in 0..<6 {
            let due = run.scan.deadline!
            waits.append((due - run.now) / Self.second)
            run.wait(Double(due - run.now) / 1e6)
            #expect(run.asked == [.ping])
            run.answer()
            #expect(run.scan.status == .listening)
        }
        #expect(waits == [5, 10, 20, 40, 60, 60])
        run.scan.heard(at: run.now)
        run.wait(4)
        run.scan.heard(at: run.now)
        run.wait(4.9)
        #expect(run.calls() == [])
        run.wait(0.1)
        #expect(run.calls() == [.ping])
        run.wait(2)
        #expect(run.scan.status == BlueZScan.Status(state: .failed, detail: "bluetoothd does not answer"))
        #expect(run.scan.counts.commandTimeouts == 1)
        run.scan.answered(.ping, nil, at: run.now)
        #expect(run.states == .failed, "its discovery may have ended meanwhile")
        run.wait(1)
        run.answer()
        #expect(run.scan.status == .listening)
    }

    /// There every scan is a call that must be answered.
    @Test func asksForNoSignWhereDuplicatesAreFiltered() {
        var run = Run(monitors: false)
        run.answer()
        run.scan.heard(at: run.now)
        run.wait(5)
        #expect(run.calls() == [.stopDiscovery])
    }

    @Test func beginsAnewWhereDuplicatesAreFiltered() {
        var run = Run(monitors: false)
        run.answer()
        #expect(run.scan.status?.filtersDuplicates == true)
        #expect(run.scan.status?.detail?.contains("--experimental") == true)
        for scan in 2...5 {
            run.wait(5)
            #expect(run.asked == [.stopDiscovery])
            run.scan.changed(isDiscovering: false, at: run.now)
            #expect(run.states == .listening, "it is ours that ended")
            run.answer()
            #expect(run.scan.scans == scan)
        }
        #expect(run.scan.counts == ScannerStatistics())
    }

    /// Where another program discovers too, stopping ours does not end the scan.
    @Test func countsNoScanThatWentOn() {
        var run = Run(monitors: false)
        run.answer()
        for _ in 1...3 {
            run.wait(5)
            run.answer()
        }
        #expect(run.scan.scans == 1)
        run.wait(5)
        run.answer()
        #expect(run.scan.scans == 2, "the kernel has begun a new one by then")
    }

    @Test(arguments: [
        ("org.bluez.Error.NotReady", ScannerState.poweredOff), ("org.bluez.Error.NotSupported", .unsupported),
        ("org.freedesktop.DBus.Error.AccessDenied", .unauthorized), ("org.bluez.Error.NotAuthorized", .unauthorized),
        ("org.bluez.Error.Failed", .failed),
    ])
    func tellsRefusals(name: String, state: ScannerState) {
        var run = Run(monitors: false)
        run.answer([.startDiscovery: name])
        #expect(run.states == state)
        #expect(run.scan.counts.commandsRefused == 1)
        run.wait(1)
        run.answer()
        #expect(run.states == .listening)
    }

    @Test func aDiscoveryOfOursThatGoesOnIsAsGood() {
        var run = Run(monitors: true)
        run.answer([.startDiscovery: "org.bluez.Error.InProgress"])
        #expect(run.states == .listening)
    }

    @Test func waitsLongerEachTime() {
        var run = Run(monitors: false)
        var waits: [Int64] = []
        for _ in 0..<9 {
            run.answer([.startDiscovery: "org.bluez.Error.Failed"])
            let due = run.scan.deadline!
            waits.append((due - run.now) / Self.second)
            run.wait(Double(due - run.now) / 1e6)
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        run.answer()
        run.wait(5)
        run.answer([.startDiscovery: "org.bluez.Error.Failed"])
        #expect(run.scan.deadline == run.now + Self.second, "one that held is no reason to wait")
    }

    @Test func beginsAnewWhenEndedFromElsewhere() {
        var run = Run(monitors: true)
        run.answer()
        run.wait(20)
        #expect(run.calls() == [.ping])
        run.scan.changed(isDiscovering: false, at: run.now)
        #expect(run.states == .paused)
        #expect(run.scan.deadline == run.now + Self.second)
        run.wait(1)
        #expect(run.asked == [.stopDiscovery])
        run.answer([.stopDiscovery: "org.bluez.Error.Failed"])
        #expect(run.scan.status == .listening)
        #expect(run.scan.scans == 2)
        #expect(run.scan.counts.scanRestarts == 1)
        #expect(run.scan.counts.commandsRefused == 0, "there may be nothing to stop")
    }

    @Test func followsThePower() {
        var run = Run(monitors: true, isPowered: false)
        #expect(run.scan.status == .poweredOff)
        #expect(run.asked == [])
        #expect(run.scan.deadline == nil)
        run.scan.appeared(isPowered: true, at: run.now)
        run.take()
        run.answer()
        #expect(run.scan.status == .listening)
        run.scan.changed(isDiscovering: false, at: run.now)
        run.scan.appeared(isPowered: false, at: run.now)
        #expect(run.scan.status == .poweredOff)
        run.scan.appeared(isPowered: true, at: run.now)
        #expect(run.calls() == [.setDiscoveryFilter], "the monitor is still there")
    }

    @Test func registersAnewAfterBluetoothdHasGone() {
        var run = Run(monitors: true)
        run.answer()
        let gone = BlueZScan.Status(state: .failed, detail: "gone")
        run.scan.disappeared(gone)
        #expect(run.scan.status == gone)
        #expect(run.scan.deadline == nil)
        run.scan.releasedMonitor(at: run.now)
        run.scan.appeared(offersMonitors: true, at: run.now)
        run.scan.appeared(isPowered: true, at: run.now)
        #expect(run.calls() == [.registerMonitor])
    }

    @Test func doesWithoutAMonitorThatIsRefused() {
        var run = Run(monitors: true)
        run.answer([.registerMonitor: "org.bluez.Error.Failed"])
        #expect(run.scan.status?.filtersDuplicates == true)
        #expect(run.scan.status?.detail?.contains("refuses an advertisement monitor: words") == true)
    }

    @Test func doesWithoutAMonitorThatIsNotActivated() {
        var run = Run(monitors: true)
        run.asked = []
        run.scan.answered(.registerMonitor, nil, at: run.now)
        run.wait(10)
        run.answer()
        #expect(run.scan.status?.filtersDuplicates == true)
        run.scan.activatedMonitor(at: run.now)
        run.wait(0)
        #expect(run.asked == [.stopDiscovery], "the scan that is on has the filter")
        run.answer()
        #expect(run.scan.status == .listening)
        run.scan.releasedMonitor(at: run.now)
        #expect(run.scan.status?.filtersDuplicates == true)
        #expect(run.scan.deadline == run.now + 5 * Self.second)
    }

    /// bluetoothd tells its interfaces one after the other.
    @Test func takesAMonitorThatIsOfferedLate() {
        var run = Run(monitors: false)
        run.answer()
        run.scan.appeared(offersMonitors: true, at: run.now)
        #expect(run.calls() == [.registerMonitor])
        #expect(run.scan.status?.state == .listening)
    }

    @Test(arguments: [BlueZScan.Call.setDiscoveryFilter, .startDiscovery, .stopDiscovery])
    func waitsTenSecondsForAnAnswer(_ silent: BlueZScan.Call) {
        var run = Run(monitors: false)
        if silent == .stopDiscovery {
            run.answer()
            run.wait(5)
        }
        while let call = run.asked.first, call != silent {
            run.asked.removeFirst()
            run.scan.answered(call, nil, at: run.now)
            run.take()
        }
        #expect(run.calls() == [silent])
        run.wait(10)
        #expect(run.states == .failed)
        #expect(run.scan.counts.commandTimeouts == 1)
        run.scan.answered(silent, nil, at: run.now)
        #expect(run.calls() == [], "an answer that is late says nothing")
        run.wait(1)
        run.answer()
        #expect(run.states == .listening)
    }
}
