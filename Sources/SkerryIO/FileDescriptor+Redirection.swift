private import Glibc

extension FileDescriptor {
    /// Lets standard output go to a file from now on, as `>` of a shell does: the file is made, or what it holds is lost.
    ///
    /// - Throws: Why it can't be opened for writing; an interruption where a pipe was waited for.
    public static func redirectStandardOutput(to path: String) throws(SystemError) {
        let opened = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard opened >= 0 else { throw SystemError(errno) }
        defer { close(opened) }
        guard dup2(opened, STDOUT_FILENO) >= 0 else { throw SystemError(errno) }
    }

    /// Whether two paths lead to one regular file, so that writing the one would destroy the other.
    public static func isOneFile(_ path: String, _ other: String) -> Bool {
        var (here, there) = (stat(), stat())
        guard unsafe stat(path, &here) == 0, unsafe stat(other, &there) == 0 else { return false }
        return here.st_mode & S_IFMT == S_IFREG && here.st_dev == there.st_dev && here.st_ino == there.st_ino
    }
}
