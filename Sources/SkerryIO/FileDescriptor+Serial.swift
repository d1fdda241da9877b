private import Glibc

extension FileDescriptor {
    /// Opens a serial port that does not block: raw, eight bits, no parity, one stop bit (Core specification, volume 4,
    /// part A, 4); termios(3).
    ///
    /// - Parameters:
    ///   - speed: Bits a second, of which only some can be.
    ///   - hasFlowControl: Whether RTS and CTS hold it back.
    /// - Throws: `ENOTTY` where it is no serial port, `EINVAL` where it can't be so fast.
    static func serial(
        _ path: String, speed: UInt32, hasFlowControl: Bool
    ) throws(SystemError) -> FileDescriptor {
        let number = unsafe open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(errno) }
        let descriptor = FileDescriptor(number: number)
        var port = termios()
        guard unsafe tcgetattr(number, &port) == 0 else { throw SystemError(errno) }
        unsafe cfmakeraw(&port)
        port.c_cflag &= ~tcflag_t(CSTOPB)
        port.c_cflag |= tcflag_t(CLOCAL | CREAD)
        let flowControl = tcflag_t(CRTSCTS)
        port.c_cflag = hasFlowControl ? port.c_cflag | flowControl : port.c_cflag & ~flowControl
        guard unsafe cfsetspeed(&port, speed) == 0, unsafe tcsetattr(number, TCSANOW, &port) == 0 else {
            throw SystemError(errno)
        }
        // What was sent to whoever had it before.
        tcflush(number, TCIFLUSH)
        return descriptor
    }
}
