import SkerryCore

/// The way to a controller at the end of a serial line or a TCP connection. It is opened, and opened anew, on demand;
/// nothing in it waits.
final class H4Transport {
    /// What a step comes to.
    enum News {
        /// It is open.
        case opened
        /// It can't be opened, or is broken, and why.
        case failed(HCIScanner.Failure)
        /// There is something to read.
        case readable
    }

    private enum Way {
        case closed
        case lookUp(HostLookup)
        case connecting(Port)
        case open(Port)
    }

    /// In a class of its own, because a case can't hold what can't be copied and give it back.
    private final class Port {
        let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    private static let lookUpTime = 10 * Int64.second
    private static let connectTime = 5 * Int64.second

    private let address: H4Address
    private var way = Way.closed
    /// Addresses that were not tried yet.
    private var addresses: [String] = []
    /// Until when a name must be resolved or a connection made.
    private(set) var deadline: Int64?

    init(_ address: H4Address) { self.address = address }

    /// Whether it can be read and written.
    var isOpen: Bool { if case .open = way { true } else { false } }

    /// What it means when there is nothing more to read.
    var end: HCIScanner.Failure {
        if case .serial = address { .unplugged } else { .other("it closed the connection") }
    }

    /// What to wait for.
    var interest: Poller.Interest? {
        switch way {
        case .closed: nil
        case .lookUp(let lookUp): Poller.Interest(descriptor: lookUp.descriptor, events: .readable)
        case .connecting(let port): Poller.Interest(descriptor: port.descriptor.number, events: .writable)
        case .open(let port): Poller.Interest(descriptor: port.descriptor.number, events: .readable)
        }
    }

    /// Begins to open it anew; a serial port is open at once.
    func open(at now: Int64) -> News? {
        close()
        do throws(SystemError) {
            switch address {
            case .serial:
                try openSerial()
                return .opened
            case .tcp(let host, _):
                guard !FileDescriptor.isNumeric(host) else {
                    addresses = [host]
                    return connectNext(at: now)
                }
                way = .lookUp(try HostLookup(host))
                deadline = now + Self.lookUpTime
                return nil
            }
        } catch {
            close()
            guard error.isMissing else { return .failed(.other(error.message)) }
            if case .serial = address { return .failed(end) }
            return .failed(.other("names are resolved by getent, which is missing; write the address in numbers"))
        }
    }

    /// Opens a serial port; a TCP connection takes its time.
    func openSerial() throws(SystemError) {
        guard case .serial(let path, let speed, let hasFlowControl) = address else { return }
        way = .open(Port(try .serial(path, speed: speed, hasFlowControl: hasFlowControl)))
    }

    func close() {
        way = .closed
        addresses = []
        deadline = nil
    }

    /// Does what can be done without waiting.
    func step(_ ready: Poller.Events, now: Int64) -> News? {
        do throws(SystemError) {
            switch way {
            case .open where !ready.isEmpty: return .readable
            case .lookUp(let lookUp) where !ready.isEmpty:
                if let found = try lookUp.addresses() {
                    guard !found.isEmpty else { return fail("no such host") }
                    addresses = found
                    return connectNext(at: now)
                }
            case .connecting(let port) where !ready.isEmpty:
                if let error = port.descriptor.connectionError { throw error }
                deadline = nil
                way = .open(port)
                return .opened
            default: break
            }
            guard let deadline, deadline <= now else { return nil }
            if case .lookUp = way { return fail("its name is not resolved in time") }
            return addresses.isEmpty ? fail("no answer") : connectNext(at: now)
        } catch {
            return addresses.isEmpty ? fail(error.message) : connectNext(at: now)
        }
    }

    /// Reads once.
    ///
    /// - Returns: Bytes read; `nil` while there are none.
    func read(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        guard case .open(let port) = way else { return nil }
        return try unsafe port.descriptor.readNow(into: room)
    }

    /// Sends a command; what does not go at once does not go at all.
    ///
    /// - Returns: Why it could not be sent.
    func send(_ bytes: [UInt8]) -> String? {
        guard case .open(let port) = way else { return "it is not open" }
        do throws(SystemError) {
            return try port.descriptor.writeOnce(bytes[...]) == bytes.count ? nil : "it takes no commands"
        } catch {
            return error.message
        }
    }

    private func connectNext(at now: Int64) -> News? {
        guard case .tcp(_, let port) = address else { return nil }
        while !addresses.isEmpty {
            let next = addresses.removeFirst()
            do throws(SystemError) {
                way = .connecting(Port(try .connecting(to: next, port: port)))
                deadline = now + Self.connectTime
                return nil
            } catch  where addresses.isEmpty {
                return fail(error.message)
            } catch {}
        }
        return nil
    }

    private func fail(_ reason: String) -> News {
        close()
        return .failed(.other(reason))
    }
}
