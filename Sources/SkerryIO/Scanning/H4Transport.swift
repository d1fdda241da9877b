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

    private let address: H4Address
    /// `nil` where it is a serial line.
    private let connection: TCPConnection?
    private var line: FileDescriptor?

    init(_ address: H4Address) {
        self.address = address
        connection = if case .tcp(let host, let port) = address { TCPConnection(host: host, port: port) } else { nil }
    }

    /// Whether it can be read and written.
    var isOpen: Bool { connection?.isOpen ?? (line != nil) }

    /// What it means when there is nothing more to read.
    var end: HCIScanner.Failure { connection == nil ? .unplugged : .other("it closed the connection") }

    /// What to wait for.
    var interest: Poller.Interest? {
        if let connection { return connection.interest }
        guard let number = line?.number else { return nil }
        return Poller.Interest(descriptor: number, events: .readable)
    }

    /// Until when a connection must be made.
    var deadline: Int64? { connection?.deadline }

    /// Begins to open it anew; a serial port is open at once.
    func open(at now: Int64) -> News? {
        if let connection { return news(connection.open(at: now)) }
        close()
        do throws(SystemError) {
            try openSerial()
            return .opened
        } catch {
            return .failed(error.isMissing ? end : .other(error.message))
        }
    }

    /// Opens a serial port; a TCP connection takes its time.
    func openSerial() throws(SystemError) {
        guard case .serial(let path, let speed, let hasFlowControl) = address else { return }
        line = try .serial(path, speed: speed, hasFlowControl: hasFlowControl)
    }

    func close() {
        connection?.close()
        line = nil
    }

    /// Does what can be done without waiting.
    func step(_ ready: Poller.Events, now: Int64) -> News? {
        if let connection { return news(connection.step(ready, now: now)) }
        return line == nil || ready.isEmpty ? nil : .readable
    }

    /// Reads once.
    ///
    /// - Returns: Bytes read; `nil` while there are none.
    func read(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        if let connection { return try unsafe connection.read(into: room) }
        return try unsafe line?.readNow(into: room)
    }

    /// Sends a command; what does not go at once does not go at all.
    ///
    /// - Returns: Why it could not be sent.
    func send(_ bytes: [UInt8]) -> String? {
        guard isOpen else { return "it is not open" }
        do throws(SystemError) {
            let count: Int? =
                if let connection { try connection.writeOnce(bytes[...]) } else { try line?.writeOnce(bytes[...]) }
            return count == bytes.count ? nil : "it takes no commands"
        } catch {
            return error.message
        }
    }

    private func news(_ news: TCPConnection.News?) -> News? {
        switch news {
        case .opened: .opened
        case .failed(let reason):
            .failed(.other(reason + "; does the controller listen there, and are host and port right?"))
        case .readable: .readable
        case nil: nil
        }
    }
}
