private import Glibc
internal import SkerryCore

/// The scan of one adapter: its socket, and the state machine that knows what to do with it.
final class AdapterScan {
    /// What events call it.
    let name: String
    /// What the scan calls it.
    let source: SourceID

    /// Its number.
    let index: UInt16

    private let choice: AdapterChoice
    private var socket: HCISocket?
    private var scanner: HCIScanner
    private var lost: UInt64 = 0
    private var droppedBefore: UInt32 = 0

    /// Packets of one turn. The kernel's buffer holds more when it overflows: after a turn that has emptied it, there is no
    /// need to ask whether it did.
    private static let turn = 128
    private static let switchesOff: Set<Int32> = [ENETDOWN, ERFKILL]
    private static let gone: Set<Int32> = [ENODEV, EPIPE, EBADFD]

    init(_ adapter: Adapter, _ choice: AdapterChoice, _ settings: HCIScanner.Settings, into scan: inout Scan) {
        self.choice = choice
        name = adapter.name
        index = adapter.index
        source = scan.addSource(name: name, kind: "hci")
        scanner = HCIScanner(settings)
    }

    // MARK: In the loop

    /// What it waits for.
    var interest: Poller.Interest? { socket?.interest }

    /// When it must be called though nothing came.
    var deadline: Int64? { scanner.deadline }

    /// What was counted so far.
    var counts: ScannerStatistics {
        var statistics = scanner.counts
        statistics.lost = lost
        return statistics
    }

    /// Reads, and does what is due.
    ///
    /// - Returns: Whether all that waited was read.
    func step(isReadable: Bool, now: Int64, into scan: inout Scan) -> Bool {
        let isEmpty = isReadable ? read(now, &scan) : true
        scanner.advance(to: now)
        act(now, &scan)
        return isEmpty
    }

    private func read(_ now: Int64, _ scan: inout Scan) -> Bool {
        guard let socket else { return true }
        do throws(SystemError) {
            let isEmpty = try socket.receive(limit: Self.turn) { (frame, stamp) in
                let packet = HCIPacket(h4: frame)
                guard packet.kind == .event else { return }
                scanner.received(event: packet.bytes, at: now)
                // That it listens comes before what it hears.
                tell(&scan)
                scan.receive(packet, from: source, stamp: stamp)
            }
            if !isEmpty { countLost(socket) }
            return isEmpty
        } catch {
            fail(error, now)
            return true
        }
    }

    private func countLost(_ socket: HCISocket) {
        guard let dropped = socket.dropped else { return }
        lost += UInt64(dropped &- droppedBefore)
        droppedBefore = dropped
    }

    // MARK: What the scanner wants

    private func act(_ now: Int64, _ scan: inout Scan) {
        // What fails asks for nothing but to wait.
        for action in scanner.takeActions() {
            do throws(SystemError) {
                switch action {
                case .send(let command):
                    guard let socket else { throw SystemError(ENODEV) }
                    try socket.send(command)
                case .powerCycle:
                    try powerCycle()
                    scanner.opened(at: now)
                case .reopen:
                    try open()
                    scanner.opened(at: now)
                }
            } catch {
                fail(error, now)
            }
        }
        tell(&scan)
    }

    private func tell(_ scan: inout Scan) {
        for news in scanner.takeNews() {
            scan.change(source, to: news.state, detail: news.detail)
        }
    }

    private func open() throws(SystemError) {
        close()
        // Another one may have its number now.
        guard let adapter, choice.includes(adapter) else { throw SystemError(ENODEV) }
        socket = try HCISocket(scanner.settings.isExclusive ? .user(index) : .raw(index))
        droppedBefore = 0
    }

    private func close() {
        if let socket { countLost(socket) }
        socket = nil
    }

    /// Waits for the driver, some tenths of a second; longer only where the controller has died.
    private func powerCycle() throws(SystemError) {
        guard let adapter else { throw SystemError(ENODEV) }
        do throws(SystemError) {
            try adapter.setPower(false)
            try adapter.setPower(true)
        } catch  where error.isPermission {}
        try open()
    }

    private func fail(_ error: SystemError, _ now: Int64) {
        let failure: HCIScanner.Failure
        if Self.switchesOff.contains(error.code) {
            failure = adapter?.block != nil ? .blocked : .poweredOff
        } else if Self.gone.contains(error.code) {
            failure = .unplugged
            close()
        } else if error.isPermission {
            failure = .notPermitted
        } else if error.code == EBUSY {
            failure = .other("it is in use; 'hciconfig \(name) down' frees it for an exclusive scan")
        } else {
            failure = .other(error.message)
        }
        scanner.failed(failure, at: now)
    }

    private var adapter: Adapter? { Adapter(index) }

    // MARK: What happens to the adapter

    /// Begins.
    func begin(_ now: Int64, into scan: inout Scan) {
        do throws(SystemError) {
            try open()
            scanner.opened(at: now)
        } catch {
            fail(error, now)
        }
        act(now, &scan)
    }

    /// It was switched on.
    ///
    /// - Parameter hasJustCome: Whether by the kernel, which switches what was plugged in off again after two seconds, unless
    ///   somebody wants it (`HCI_AUTO_OFF`). Where we may not say so, it does.
    func switchedOn(hasJustCome: Bool, _ now: Int64, into scan: inout Scan) {
        // The user channel's own opening is told, too.
        guard !scanner.settings.isExclusive || socket == nil else { return }
        if hasJustCome, !scanner.settings.isExclusive { try? adapter?.setPower(true) }
        begin(now, into: &scan)
    }

    /// It was switched off.
    func switchedOff(_ now: Int64, into scan: inout Scan) {
        // One that is unplugged is switched off first; it is gone already.
        guard !scanner.settings.isExclusive, adapter != nil else { return }
        fail(SystemError(ENETDOWN), now)
        act(now, &scan)
    }

    /// It is gone.
    func removed(_ now: Int64, into scan: inout Scan) {
        fail(SystemError(ENODEV), now)
        act(now, &scan)
    }

    // MARK: The end

    /// Switches the scan off.
    ///
    /// - Parameter deadline: When to wait for the controller no longer, on the clock of `Signals.monotonicMicroseconds`.
    func stop(until deadline: Int64) {
        defer { close() }
        guard let command = scanner.stopping(), let socket, (try? socket.send(command)) != nil else { return }
        var poller = Poller()
        var isAnswered = false
        while !isAnswered, Signals.monotonicMicroseconds < deadline {
            _ = try? poller.wait(for: [socket.interest], until: deadline, heedsSignals: false)
            let result = try? socket.receive(limit: Self.turn) { (frame, _) in
                if Self.isAnswer(frame, to: command) { isAnswered = true }
            }
            guard result != nil else { return }
        }
    }

    /// Whether it is the Command Complete of a command (Core specification, volume 4, part E, 7.7.14).
    private static func isAnswer(_ frame: RawSpan, to command: [UInt8]) -> Bool {
        guard frame.byteCount >= 6 else { return false }
        return unsafe frame.withUnsafeBytes { (bytes) in
            unsafe bytes[0] == 0x04 && bytes[1] == 0x0E && bytes[4] == command[0] && bytes[5] == command[1]
        }
    }
}
