public import SkerryCore

/// A client of gpsd in a poll loop, which must wait for `interest` and `deadline` and then call `step`.
///
/// It never blocks, and connects anew when gpsd goes. Times are those of `MachineClock.monotonic`.
public final class GPSDClient {
    /// What a step comes to.
    public enum Output: Sendable {
        /// A report of a place, an attitude or a device.
        case report(GPSDReport)
        /// gpsd came or went.
        case news(GPSDConnection.News)
    }

    /// Where gpsd is.
    public let address: GPSDAddress
    private let transport: TCPConnection
    private var connection = GPSDConnection()
    private var stream = GPSDStream()

    /// A client that will connect at its first step.
    public init(_ address: GPSDAddress) {
        self.address = address
        transport = TCPConnection(host: address.host, port: address.port)
    }

    /// What was read and what was passed over, over all connections.
    public var counts: GPSDStream.Counts { stream.counts }

    /// The descriptor to wait for.
    public var interest: Poller.Interest? { transport.interest }

    /// When to call `step` though the descriptor is not ready.
    public var deadline: Int64? { transport.deadline ?? connection.deadline }

    /// Does what can be done without waiting; of what gpsd has sent, at most what the buffer holds.
    ///
    /// - Parameters:
    ///   - ready: What the descriptor is ready for.
    ///   - now: The present moment.
    public func step(_ ready: Poller.Events, now: Int64, into outputs: inout [Output]) {
        proceed(transport.step(ready, now: now), now, &outputs)
        perform(connection.advance(to: now), now)
        outputs += connection.takeNews().map(Output.news)
    }

    private func proceed(_ news: TCPConnection.News?, _ now: Int64, _ outputs: inout [Output]) {
        switch news {
        case .opened: perform(connection.opened(at: now), now)
        case .failed(let reason): perform(connection.failed(reason, at: now), now)
        case .readable:
            do throws(SystemError) {
                try read(now, &outputs)
            } catch {
                perform(connection.failed(error.message, at: now), now)
            }
        case nil: break
        }
    }

    private func read(_ now: Int64, _ outputs: inout [Output]) throws(SystemError) {
        var isAtEnd = false
        try unsafe stream.supply { (room) throws(SystemError) in
            let count = try unsafe transport.read(into: room)
            isAtEnd = count == 0
            return count ?? 0
        }
        stream.resume()
        // Until the buffer is empty, or this connection is given up for what was in it.
        while transport.isOpen, case .report(let report) = stream.next() {
            if connection.isWatching { pass(report, to: &outputs) }
            perform(connection.received(report, at: now), now)
            outputs += connection.takeNews().map(Output.news)
        }
        if isAtEnd, transport.isOpen { perform(connection.failed("it closed the connection", at: now), now) }
    }

    private func pass(_ report: GPSDReport, to outputs: inout [Output]) {
        switch report {
        case .position, .attitude, .device, .devices: outputs.append(.report(report))
        case .version, .watch, .error, .other: break
        }
    }

    /// Does what the connection asks for; what fails at once is told at once.
    private func perform(_ action: GPSDConnection.Action, _ now: Int64) {
        switch action {
        case .wait: break
        case .close:
            transport.close()
            stream.restart()
        case .open:
            if case .failed(let reason) = transport.open(at: now) { perform(connection.failed(reason, at: now), now) }
        case .send(let request):
            do throws(SystemError) {
                let request = Array(request.utf8)
                guard try transport.writeOnce(request[...]) < request.count else { return }
                perform(connection.failed("it takes no request", at: now), now)
            } catch {
                perform(connection.failed(error.message, at: now), now)
            }
        }
    }
}
