private import Glibc

/// Tells the service manager that started the program how it is: systemd's protocol, in which each message is a datagram of
/// a few lines `NAME=VALUE` to the socket that `NOTIFY_SOCKET` names (sd_notify(3)).
///
/// Best effort: a message that can't be sent is lost. Where nobody wants to know, nothing is sent.
struct ServiceManager: Sendable {
    /// Microseconds between two signs of life: half of what the manager waits for one (sd_watchdog_enabled(3)).
    let interval: Int64?
    /// The path of the socket; it begins with `@` where it is no file (unix(7), abstract sockets).
    private let socketPath: String?
    private var status = ""
    /// When the next sign of life is due, on the clock of `MachineClock.monotonic`; `nil` where none is wanted.
    private(set) var deadline: Int64?

    /// The manager that the environment names.
    init() {
        func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
        self.init(
            socketPath: variable("NOTIFY_SOCKET"), watchdogMicroseconds: variable("WATCHDOG_USEC"),
            watchdogProcess: variable("WATCHDOG_PID"))
    }

    /// - Parameters:
    ///   - watchdogMicroseconds: Without a sign of life for so long the program is killed.
    ///   - watchdogProcess: The process that is meant; any where it is `nil`.
    init(socketPath: String?, watchdogMicroseconds: String?, watchdogProcess: String?) {
        self.socketPath = socketPath.flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isMeant = watchdogProcess == nil || watchdogProcess == String(getpid())
        let patience = watchdogMicroseconds.flatMap { Int64($0) } ?? 0
        interval = self.socketPath != nil && isMeant && patience > 1 ? patience / 2 : nil
        deadline = interval == nil ? nil : .min
    }

    /// The program does what it is for.
    func tellReady() { send("READY=1") }

    /// The program begins to end.
    func tellStopping() { send("STOPPING=1") }

    /// What `systemctl status` shows, one line; sent when it changes.
    mutating func tell(status text: String) {
        let line = text.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined()
        guard line != status else { return }
        status = line
        send("STATUS=" + line)
    }

    /// Gives a sign of life where one is due; to be called once a turn of the loop, so that a loop that hangs gives none.
    mutating func step(now: Int64) {
        guard let interval, let deadline, now >= deadline else { return }
        send("WATCHDOG=1")
        self.deadline = now + interval
    }

    private func send(_ message: String) {
        guard let socketPath else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(socketPath.utf8)
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.count < room.count else { return false }
            unsafe room.copyBytes(from: path)
            return true
        }
        guard fits else { return }
        let number = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { return }
        defer { close(number) }
        // An abstract name is as long as the address says.
        let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + path.count)
        let bytes = Array(message.utf8)
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe sendto(number, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }
}
