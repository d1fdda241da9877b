import SkerryCore

/// A TCP connection that is made, and made anew, on demand: the host is looked up, then its addresses are tried one after
/// the other.
///
/// Nothing in it waits: a poll loop waits for `interest` and `deadline`, then calls `step`. Times are those of
/// `MachineClock.monotonic`.
final class TCPConnection {
    /// What a step comes to.
    enum News: Equatable {
        /// It is made.
        case opened
        /// It can't be made, where and why.
        case failed(String)
        /// There is something to read.
        case readable
    }

    private static let lookUpTime = 10 * Int64.second
    private static let connectTime = 5 * Int64.second

    private let host: String
    private let port: UInt16
    private var lookUp: HostLookup?
    /// Addresses that were not tried yet.
    private var addresses: [String] = []
    private var socket: FileDescriptor?
    /// Whether it can be read and written.
    private(set) var isOpen = false
    /// Until when a name must be resolved or a connection made.
    private(set) var deadline: Int64?

    /// - Parameter host: A name or an address.
    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// What to wait for.
    var interest: Poller.Interest? {
        if let lookUp { return Poller.Interest(descriptor: lookUp.descriptor, events: .readable) }
        guard let number = socket?.number else { return nil }
        return Poller.Interest(descriptor: number, events: isOpen ? .readable : .writable)
    }

    /// Begins to make it anew.
    func open(at now: Int64) -> News? {
        close()
        guard !FileDescriptor.isNumeric(host) else {
            addresses = [host]
            return connectNext(at: now, else: "")
        }
        do throws(SystemError) {
            lookUp = try HostLookup(host)
            deadline = now + Self.lookUpTime
            return nil
        } catch {
            return fail(
                error.isMissing
                    ? "names are resolved by getent, which is missing; write the address of \(host) in numbers"
                    : "\(host) can't be looked up: \(error.message)")
        }
    }

    func close() {
        lookUp = nil
        addresses = []
        socket = nil
        isOpen = false
        deadline = nil
    }

    /// Does what can be done without waiting.
    func step(_ ready: Poller.Events, now: Int64) -> News? {
        if isOpen { return ready.isEmpty ? nil : .readable }
        if !ready.isEmpty, let lookUp {
            do throws(SystemError) {
                if let found = try lookUp.addresses() {
                    self.lookUp = nil
                    addresses = found
                    return connectNext(at: now, else: "there is no host \(host)")
                }
            } catch {
                return fail("\(host) can't be looked up: \(error.message)")
            }
        } else if !ready.isEmpty, socket != nil {
            if let error = socket?.connectionError { return connectNext(at: now, else: unreached(error.message)) }
            addresses = []
            isOpen = true
            deadline = nil
            return .opened
        }
        guard let deadline, deadline <= now else { return nil }
        guard lookUp == nil else { return fail("the name \(host) is not resolved in time") }
        return connectNext(at: now, else: unreached("no answer"))
    }

    /// Reads once.
    ///
    /// - Returns: Bytes read; 0 at the end; `nil` while there are none.
    func read(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        guard isOpen else { return nil }
        return try unsafe socket?.readNow(into: room)
    }

    /// Writes once.
    ///
    /// - Returns: Bytes written, maybe none.
    func writeOnce(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        guard isOpen else { return 0 }
        return try socket?.writeOnce(bytes) ?? 0
    }

    /// Tries the next address.
    ///
    /// - Parameter reason: Why it fails where none is left.
    private func connectNext(at now: Int64, else reason: String) -> News? {
        var reason = reason
        while !addresses.isEmpty {
            do throws(SystemError) {
                socket = try .connecting(to: addresses.removeFirst(), port: port)
                deadline = now + Self.connectTime
                return nil
            } catch {
                reason = unreached(error.message)
            }
        }
        return fail(reason)
    }

    private func unreached(_ reason: String) -> String {
        "\(reason) at \(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    private func fail(_ reason: String) -> News {
        close()
        return .failed(reason)
    }
}
