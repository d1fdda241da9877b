public import SkerryCore

/// A client of gpsd in a poll loop, which must wait for `interest` and `deadline` and then call `step`.
///
/// It never blocks, and connects anew when gpsd goes. Times are those of `Signals.monotonicMicroseconds`.
public final class GPSDClient {
    /// What a step comes to.
    public enum Output: Sendable {
        /// A report of a place, an attitude or a device.
        case report(GPSDReport)
        /// gpsd came or went.
        case news(GPSDConnection.News)
    }

    private enum Transport {
        case none
        case lookUp(HostLookup)
        case socket(Socket)
    }

    /// In a class of its own, because a case can't hold what can't be copied and give it back.
    private final class Socket {
        let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    /// Where gpsd is.
    public let address: GPSDAddress
    private var connection = GPSDConnection()
    private var stream = GPSDStream()
    private var transport = Transport.none

    /// A client that will connect at its first step.
    public init(_ address: GPSDAddress) { self.address = address }

    /// What was read and what was passed over, over all connections.
    public var counts: GPSDStream.Counts { stream.counts }

    /// The descriptor to wait for.
    public var interest: Poller.Interest? {
        switch transport {
        case .none: nil
        case .lookUp(let lookUp): Poller.Interest(descriptor: lookUp.descriptor, events: .readable)
        case .socket(let socket):
            Poller.Interest(
                descriptor: socket.descriptor.number, events: connection.isConnecting ? .writable : .readable)
        }
    }

    /// When to call `step` though the descriptor is not ready.
    public var deadline: Int64? { connection.deadline }

    /// Does what can be done without waiting; of what gpsd has sent, at most what the buffer holds.
    ///
    /// - Parameters:
    ///   - ready: What the descriptor is ready for.
    ///   - now: The present moment.
    public func step(_ ready: Poller.Events, now: Int64, into outputs: inout [Output]) {
        if !ready.isEmpty { proceed(now, &outputs) }
        perform(connection.advance(to: now), now)
        outputs += connection.takeNews().map(Output.news)
    }

    private func proceed(_ now: Int64, _ outputs: inout [Output]) {
        do throws(SystemError) {
            switch transport {
            case .none: break
            case .lookUp(let lookUp):
                if let found = try lookUp.addresses() { perform(connection.found(found, at: now), now) }
            case .socket(let socket) where connection.isConnecting:
                if let error = socket.descriptor.connectionError { throw error }
                perform(connection.connected(at: now), now)
            case .socket(let socket): try read(socket, now, &outputs)
            }
        } catch {
            perform(connection.failed(error.message, at: now), now)
        }
    }

    private func read(_ socket: Socket, _ now: Int64, _ outputs: inout [Output]) throws(SystemError) {
        var isAtEnd = false
        try unsafe stream.supply { (room) throws(SystemError) in
            let count = try unsafe socket.descriptor.readNow(into: room)
            isAtEnd = count == 0
            return count ?? 0
        }
        stream.resume()
        // Until the buffer is empty, or this connection is given up for what was in it.
        while case .socket(let present) = transport, present === socket, case .report(let report) = stream.next() {
            if connection.isWatching { pass(report, to: &outputs) }
            perform(connection.received(report, at: now), now)
            outputs += connection.takeNews().map(Output.news)
        }
        if isAtEnd, case .socket(let present) = transport, present === socket {
            perform(connection.failed("it closed the connection", at: now), now)
        }
    }

    private func pass(_ report: GPSDReport, to outputs: inout [Output]) {
        switch report {
        case .position, .attitude, .device, .devices: outputs.append(.report(report))
        case .version, .watch, .error, .other: break
        }
    }

    /// Does what the connection asks for; what fails at once is told at once.
    private func perform(_ action: GPSDConnection.Action, _ now: Int64) {
        var action = action
        while true {
            do throws(SystemError) {
                switch action {
                case .wait: return
                case .close: return hangUp()
                case .lookUp:
                    hangUp()
                    guard FileDescriptor.isNumeric(address.host) else {
                        transport = .lookUp(try HostLookup(address.host))
                        return
                    }
                    action = connection.found([address.host], at: now)
                case .connect(let numeric):
                    hangUp()
                    transport = .socket(Socket(try .connecting(to: numeric, port: address.port)))
                    return
                case .send(let request):
                    guard case .socket(let socket) = transport else { return }
                    return try socket.descriptor.write(request)
                }
            } catch {
                action = connection.failed(error.message, at: now)
            }
        }
    }

    private func hangUp() {
        transport = .none
        stream.restart()
    }
}
