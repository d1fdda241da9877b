private import Glibc

/// How the files begin that this program writes, by which it knows them again: others are not its to touch.
struct FileMark {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Refuses what is there and not this program's own: a regular file that begins with the mark, or is shorter and begins
    /// as the mark does, since it may have been cut while it was written. An empty one holds nothing to lose.
    ///
    /// - Parameter followsLinks: Whether a link stands for what it leads to; else it is nobody's own.
    /// - Throws: EEXIST.
    func check(_ path: String, followsLinks: Bool = true) throws(SystemError) {
        let opened = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
        guard opened >= 0 else {
            if errno == ENOENT { return }
            throw SystemError(errno == ELOOP ? EEXIST : errno)
        }
        let file = FileDescriptor(number: opened)
        guard let length = file.length else { throw SystemError(EEXIST) }
        var beginning = [UInt8](repeating: 0, count: bytes.count)
        // Also when the program shall end.
        let count = unsafe pread(opened, &beginning, bytes.count, 0)
        guard count >= 0 else { throw SystemError(errno) }
        guard length == 0 || bytes.starts(with: beginning.prefix(count)) else { throw SystemError(EEXIST) }
    }
}
