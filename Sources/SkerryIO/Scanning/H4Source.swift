public import SkerryCore

/// A controller of one's own that speaks H4 over a serial line or TCP (Core specification, volume 4, part A); no kernel
/// knows of it.
public final class H4Source: ScanSource {
    /// H4 puts this before a command.
    private static let command: UInt8 = 0x01
    private static let stopTime = Int64.second

    private let transport: H4Transport
    private let source: SourceID
    private var scanner: HCIScanner
    private var framer = H4Framer()
    private var hasBegun = false
    private var isStopped = false

    /// A source that is ready to be stepped. A TCP connection is made later, and again whenever it breaks.
    ///
    /// - Parameters:
    ///   - settings: How to scan; that the controller belongs to this program goes without saying.
    ///   - scan: Is told of the source.
    /// - Throws: Where a serial port can't be opened.
    public init(_ address: H4Address, _ settings: HCIScanner.Settings, into scan: inout Scan) throws(ScanError) {
        var settings = settings
        settings.isExclusive = true
        settings.mayPowerCycle = false
        scanner = HCIScanner(settings)
        transport = H4Transport(address)
        do throws(SystemError) {
            try transport.openSerial()
        } catch {
            throw Self.explanation(of: error, address)
        }
        source = scan.addSource(name: address.description, kind: "h4")
    }

    private static func explanation(of error: SystemError, _ address: H4Address) -> ScanError {
        if error.isMissing { return .noAdapter("there is no \(address); 'ls /dev/serial/by-id' names those that are") }
        if error.isPermission {
            return .notPermitted("\(address) is not for this user; 'sudo adduser $USER dialout', then log in again")
        }
        if error.isNoTerminal || error == .isDirectory {
            return .unavailable("\(address) is no serial port; 'ls /dev/serial/by-id' names those that are")
        }
        return .unavailable("\(address): \(error.message)")
    }

    /// The descriptor to wait for.
    public var interests: [Poller.Interest] { [transport.interest].compactMap(\.self) }

    /// When to step though it is not ready.
    public var deadline: Int64? {
        guard !isStopped else { return nil }
        return hasBegun ? [transport.deadline, scanner.deadline].compactMap(\.self).min() : .min
    }

    /// What was counted.
    public var counts: ScannerStatistics {
        var counts = scanner.counts
        counts.skippedBytes = framer.skipped
        return counts
    }

    /// Reads once, at most what the buffer holds, and does what is due.
    public func step(_ ready: [Poller.Events], now: Int64, into scan: inout Scan) -> Bool {
        guard !isStopped else { return true }
        if !hasBegun {
            hasBegun = true
            note(transport.isOpen ? .opened : transport.open(at: now), at: now)
        }
        let news = transport.step(ready.first ?? [], now: now)
        let isDone = if case .readable = news { read(now, &scan) } else { true }
        note(news, at: now)
        scanner.advance(to: now)
        proceed(now, &scan)
        return isDone
    }

    /// Switches the scan off and waits for the controller to say so.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        defer { transport.close() }
        guard let command = scanner.stopping(), transport.send([Self.command] + command) == nil else { return }
        let end = MachineClock.monotonic + Self.stopTime
        var poller = Poller()
        // Closed earlier, with reports unread, a TCP connection would be reset, and the command maybe lost.
        while MachineClock.monotonic < end, let supplied = try? supply(), supplied != .ended {
            while framer.next() {
                if HCIScanner.isAnswer(framer.event, to: command) { return }
            }
            _ = try? poller.wait(for: interests, until: end, heedsSignals: false)
        }
    }

    private enum Supply { case all, part, ended }

    private func supply() throws(SystemError) -> Supply {
        var result = Supply.all
        try unsafe framer.supply { (room) throws(SystemError) in
            let count = try unsafe transport.read(into: room)
            result = count == 0 ? .ended : count == room.count ? .part : .all
            return count ?? 0
        }
        return result
    }

    private func read(_ now: Int64, _ scan: inout Scan) -> Bool {
        var result = Supply.ended
        var failure = transport.end
        do throws(SystemError) { result = try supply() } catch { failure = .other(error.message) }
        while framer.next() {
            scanner.received(event: framer.event, at: now)
            // A state is told before what is heard in it.
            proceed(now, &scan)
            let isReport = HCIPacket(kind: .event, bytes: framer.event).reportsAdvertising
            // Before it has answered all commands, the scan is not the one that was asked for.
            guard scanner.isListening || !isReport else { continue }
            scan.receive(HCIPacket(kind: .event, bytes: framer.event), from: source)
        }
        if result == .ended, transport.isOpen { lose(failure, at: now) }
        return result != .part
    }

    private func note(_ news: H4Transport.News?, at now: Int64) {
        switch news {
        case .opened:
            framer.restart()
            scanner.opened(at: now)
        case .failed(let failure): scanner.failed(failure, at: now)
        case .readable, nil: break
        }
    }

    private func lose(_ failure: HCIScanner.Failure, at now: Int64) {
        transport.close()
        scanner.failed(failure, at: now)
    }

    /// Tells the news, and does what is to be done.
    private func proceed(_ now: Int64, _ scan: inout Scan) {
        while true {
            scan.tell(scanner.takeNews(), of: source)
            let actions = scanner.takeActions()
            if actions.isEmpty { return }
            for action in actions {
                switch action {
                case .send(let command):
                    if let reason = transport.send([Self.command] + command) { lose(.other(reason), at: now) }
                case .reopen, .powerCycle: note(transport.open(at: now), at: now)
                }
            }
        }
    }
}
