private import Glibc

/// A failed system call.
public struct SystemError: Error, Equatable, Sendable {
    /// The `errno` it left.
    public let code: Int32

    init(_ code: Int32) { self.code = code }

    /// A directory stands where a file should.
    static var isDirectory: SystemError { SystemError(EISDIR) }

    /// What the system calls it.
    public var message: String { unsafe String(cString: strerror(code)) }

    /// The same for a path, with what its writer may have taken for granted: shells make a folder of `~`, but not
    /// everywhere, and nobody else does.
    public func message(of path: String) -> String {
        isMissing && path.hasPrefix("~") ? "\(message); ~ stands for no folder here, write it out" : message
    }

    /// The reader of a pipe has gone.
    public var isBrokenPipe: Bool { code == EPIPE }
    /// The call was interrupted by a signal.
    public var isInterruption: Bool { code == EINTR }
    /// There is no such file or program.
    var isMissing: Bool { code == ENOENT }
    /// Another program has it.
    public var isBusy: Bool { code == EBUSY }
    /// Something else is there.
    public var isForeign: Bool { code == EEXIST }
    /// It is not of the kind that is needed.
    public var isUnfit: Bool { code == EINVAL }
    /// It is no terminal or serial port.
    var isNoTerminal: Bool { code == ENOTTY }
    /// Permission was refused.
    public var isPermission: Bool { code == EACCES || code == EPERM }
    /// The kernel does not know such a thing as was asked for.
    var isUnsupported: Bool { code == EAFNOSUPPORT }
}
