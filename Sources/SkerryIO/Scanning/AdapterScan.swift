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
    /// While the adapter is being switched on.
    private var power: PowerSwitch?
    /// Whether a power cycle of ours has not ended with the adapter on.
    private var isOffByUs = false
    private var scanner: HCIScanner
    private var lost: UInt64 = 0

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
    var interest: Poller.Interest? { power?.interest ?? socket?.interest }

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
        var isEmpty = true
        if isReadable {
            if let power { finish(power, now) } else { isEmpty = read(now, &scan) }
        }
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
                scan.tell(scanner.takeNews(), of: source)
                // What another program's scan brings before ours is on, or after it was ended, is not ours.
                guard scanner.isListening || !packet.reportsAdvertising else { return }
                scan.receive(packet, from: source, stamp: stamp)
            }
            if !isEmpty { miss(socket.takeLost(), &scan) }
            return isEmpty
        } catch {
            fail(error, now)
            return true
        }
    }

    /// They came after those that were read: the buffer that was full held more than one turn.
    private func miss(_ count: UInt64, _ scan: inout Scan) {
        guard count > 0 else { return }
        lost += count
        scan.miss(count, of: [source])
    }

    // MARK: What the scanner wants

    private func act(_ now: Int64, _ scan: inout Scan) {
        while true {
            scan.tell(scanner.takeNews(), of: source)
            let actions = scanner.takeActions()
            if actions.isEmpty { return }
            for action in actions {
                do throws(SystemError) {
                    switch action {
                    case .send(let command):
                        guard let socket else { throw SystemError(ENODEV) }
                        try socket.send(command)
                    case .powerCycle:
                        close()
                        power = try PowerSwitch(index, cycles: true)
                        isOffByUs = true
                    case .reopen where isOffByUs && adapter?.isUp == false:
                        close()
                        power = try PowerSwitch(index, cycles: false)
                    case .reopen:
                        try open()
                        scanner.opened(at: now)
                    }
                } catch {
                    fail(error, now)
                }
            }
        }
    }

    private func open() throws(SystemError) {
        close()
        // Another one may have its number now.
        guard let adapter, choice.includes(adapter) else { throw SystemError(ENODEV) }
        socket = try HCISocket(scanner.settings.isExclusive ? .user(index) : .raw(index))
    }

    private func close() {
        if let socket { lost += socket.takeLost() }
        socket = nil
        power = nil
    }

    private func finish(_ power: PowerSwitch, _ now: Int64) {
        self.power = nil
        do throws(SystemError) {
            // Also where it could not be switched on: the scanner then tries commands until somebody else does so.
            try open()
            do throws(SystemError) { try power.finish() } catch  where error.isPermission {}
            isOffByUs = false
            scanner.opened(at: now)
        } catch {
            fail(error, now)
        }
    }

    private func fail(_ error: SystemError, _ now: Int64) {
        let failure: HCIScanner.Failure
        if error.code == ENETDOWN, isOffByUs {
            failure = .other("it did not come back when it was switched off and on; that is tried again")
        } else if Self.switchesOff.contains(error.code) {
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

    /// Begins with an adapter that was there before us. Where we may, it is switched on first: the kernel switches one that
    /// nobody wants off again, soon after the machine has started (`HCI_AUTO_OFF`).
    ///
    /// - Parameter isManaged: Whether bluetoothd runs; one that is off is then its user's choice.
    func start(isManaged: Bool, _ now: Int64, into scan: inout Scan) {
        let isOff = adapter?.isUp == false
        guard scanner.settings.mayPowerCycle, !isOff || !isManaged, let power = try? PowerSwitch(index, cycles: false)
        else { return begin(now, into: &scan) }
        if isOff { scan.change(source, to: .poweredOff, detail: "the adapter is off; it is being switched on") }
        self.power = power
    }

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
        // What we switched on ourselves is told, too; so is the user channel's opening.
        guard power == nil, !scanner.settings.isExclusive || socket == nil else { return }
        isOffByUs = false
        guard hasJustCome, !scanner.settings.isExclusive, let power = try? PowerSwitch(index, cycles: false) else {
            return begin(now, into: &scan)
        }
        self.power = power
    }

    /// It was switched off.
    func switchedOff(_ now: Int64, into scan: inout Scan) {
        // One that is unplugged is switched off first; it is gone already. One that is on was switched off and on.
        guard !scanner.settings.isExclusive, power == nil, adapter?.isUp == false else { return }
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
    /// - Parameter deadline: When to wait for the controller no longer, on the clock of `MachineClock.monotonic`.
    func stop(until deadline: Int64) {
        defer { close() }
        var poller = Poller()
        // Else it might be left off.
        if let power { _ = try? poller.wait(for: [power.interest], until: deadline, heedsSignals: false) }
        guard let command = scanner.stopping(), let socket, (try? socket.send(command)) != nil else { return }
        var isAnswered = false
        while !isAnswered, MachineClock.monotonic < deadline {
            _ = try? poller.wait(for: [socket.interest], until: deadline, heedsSignals: false)
            let result = try? socket.receive(limit: Self.turn) { (frame, _) in
                let packet = HCIPacket(h4: frame)
                if packet.kind == .event, HCIScanner.isAnswer(packet.bytes, to: command) { isAnswered = true }
            }
            guard result != nil else { return }
        }
    }
}
