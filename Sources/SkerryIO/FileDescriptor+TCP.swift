private import Glibc

extension FileDescriptor {
    /// Begins a connection that does not block. It is made, or has failed, once it can be written to.
    ///
    /// Silence of a peer that was switched off is noticed after about a minute.
    ///
    /// - Parameter address: In numbers; names are not looked up.
    /// - Throws: Where it can't even begin.
    static func connecting(to address: String, port: UInt16) throws(SystemError) -> FileDescriptor {
        guard let found = unsafe numeric(address, port) else { throw SystemError(EINVAL) }
        defer { unsafe freeaddrinfo(found) }
        let target = unsafe found.pointee
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = unsafe socket(target.ai_family, flags, 0)
        guard number >= 0 else { throw SystemError(errno) }
        let descriptor = FileDescriptor(number: number)
        let tcp = Int32(IPPROTO_TCP)
        for (level, option, value) in [
            (SOL_SOCKET, SO_KEEPALIVE, 1), (tcp, TCP_KEEPIDLE, 30), (tcp, TCP_KEEPINTVL, 10), (tcp, TCP_KEEPCNT, 3),
        ] {
            var value = Int32(value)
            unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        let result = unsafe connect(number, target.ai_addr, target.ai_addrlen)
        guard result == 0 || errno == EINPROGRESS else { throw SystemError(errno) }
        return descriptor
    }

    /// Whether a host is written in numbers, so that it needs no looking up.
    static func isNumeric(_ host: String) -> Bool {
        guard let found = unsafe numeric(host, 0) else { return false }
        unsafe freeaddrinfo(found)
        return true
    }

    /// Why the connection could not be made; `nil` where it is made.
    var connectionError: SystemError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return SystemError(errno) }
        return code == 0 ? nil : SystemError(code)
    }

    /// Makes reading return at once where there is nothing yet.
    func setNonBlocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

    private static func numeric(_ address: String, _ port: UInt16) -> UnsafeMutablePointer<addrinfo>? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        return unsafe getaddrinfo(address, String(port), &hints, &found) == 0 ? found : nil
    }
}
