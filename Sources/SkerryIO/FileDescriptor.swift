private import Glibc

/// A file descriptor. One that was opened here is closed when it goes out of scope.
public struct FileDescriptor: ~Copyable {
    let number: Int32
    private let isOwned: Bool

    /// Standard input; left open.
    public static var standardInput: FileDescriptor { FileDescriptor(number: STDIN_FILENO, isOwned: false) }
    /// Standard output; left open.
    public static var standardOutput: FileDescriptor { FileDescriptor(number: STDOUT_FILENO, isOwned: false) }
    /// Standard error; left open.
    public static var standardError: FileDescriptor { FileDescriptor(number: STDERR_FILENO, isOwned: false) }

    /// The terminal that standard output is, opened anew so that writing to it never waits: a mode that was set here would be
    /// everyone's who has it open. Standard output itself where it is no terminal or can't be opened.
    public static var standardTerminal: FileDescriptor {
        let output = standardOutput
        guard output.isTerminal else { return output }
        let opened = unsafe open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return opened >= 0 ? FileDescriptor(number: opened) : output
    }

    init(number: Int32, isOwned: Bool = true) {
        self.number = number
        self.isOwned = isOwned
    }

    /// Opens a file for reading.
    ///
    /// - Parameter waits: Whether a pipe is waited for until somebody writes.
    public init(reading path: String, waits: Bool = true) throws(SystemError) {
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
        guard opened >= 0 else { throw SystemError(errno) }
        self.init(number: opened)
    }

    deinit { if isOwned { close(number) } }

    /// Reads once.
    ///
    /// - Returns: Bytes read; 0 at the end.
    /// - Throws: Also an interruption by a signal.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EAGAIN else { throw SystemError(errno) }
            try wait(for: POLLIN)
        }
    }

    /// Reads once; waits for it, but not beyond the request that the program end.
    ///
    /// - Returns: Bytes read; 0 at the end, and when the program shall end.
    func readUnlessEnded(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            if length == nil {
                var entries = [number, Signals.wakeDescriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                _ = unsafe poll(&entries, 2, -1)
            }
            if Signals.endRequested { return 0 }
            do throws(SystemError) {
                return try unsafe read(into: buffer)
            } catch {
                guard error.isInterruption else { throw error }
            }
        }
    }

    /// Reads once without waiting, from a descriptor that does not block.
    ///
    /// - Returns: Bytes read; 0 at the end; `nil` while there are none.
    func readNow(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        let count = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw SystemError(errno) }
        return nil
    }

    /// Reads once, at most 64 KiB; nothing at the end, and when the program shall end.
    func readPiece() throws(SystemError) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 65_536)
        var span = piece.mutableSpan
        var room = unsafe span.mutableBytes
        let count = try unsafe room.withUnsafeMutableBytes { (room) throws(SystemError) in
            try unsafe readUnlessEnded(into: room)
        }
        return Array(piece.prefix(count))
    }

    /// Reads to the end, or a little beyond so many bytes.
    func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let piece = try readPiece()
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Writes all of a buffer; waits for a slow reader, also when a signal asks for the end: what was told is to be whole.
    public func writeAll(_ buffer: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = unsafe buffer
        while unsafe !rest.isEmpty {
            let count = unsafe Glibc.write(number, rest.baseAddress, rest.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                guard errno == EAGAIN else { throw SystemError(errno) }
                do throws(SystemError) { try wait(for: POLLOUT) } catch  where error.isInterruption {}
                continue
            }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Writes once. A pipe or terminal that was found ready takes up to 4,096 bytes without waiting.
    ///
    /// - Returns: Bytes written, maybe none.
    func writeOnce(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw SystemError(errno) }
        return 0
    }

    /// Writes text.
    public func write(_ text: String) throws(SystemError) { try write(Array(text.utf8)) }

    /// Writes bytes.
    func write(_ bytes: [UInt8]) throws(SystemError) {
        let result: Result<Void, SystemError> = unsafe bytes.withUnsafeBytes { (bytes) in
            do throws(SystemError) { return .success(try unsafe writeAll(bytes)) } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Writes text, best effort: for messages to people.
    public func print(_ text: String) {
        var text = text
        text.withUTF8 { bytes in try? unsafe writeAll(UnsafeRawBufferPointer(bytes)) }
    }

    /// Whether it is a terminal.
    public var isTerminal: Bool { isatty(number) == 1 }

    /// Whether it is a terminal on which a line can be written over.
    public var hasCursor: Bool {
        let isDumb = unsafe getenv("TERM").map { unsafe strcmp($0, "dumb") == 0 } ?? false
        return isTerminal && !isDumb
    }

    /// Columns and rows of the terminal; `nil` where it is none.
    public var terminalSize: (columns: Int, rows: Int)? {
        var size = winsize()
        guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Whether it is a directory, which can be opened but not read.
    var isDirectory: Bool { (status?.st_mode ?? 0) & S_IFMT == S_IFDIR }

    /// Bytes of a regular file; `nil` where the length is not known.
    public var length: UInt64? {
        guard let status, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(status.st_size)
    }

    /// Whether it is the file that a path leads to now.
    func isAt(_ path: String) -> Bool {
        var there = stat()
        guard let status, unsafe stat(path, &there) == 0 else { return false }
        return status.st_dev == there.st_dev && status.st_ino == there.st_ino
    }

    /// Bytes from the beginning to where the next read begins.
    var position: UInt64 { UInt64(max(0, lseek(number, 0, SEEK_CUR))) }

    /// Lets the next read begin elsewhere.
    ///
    /// - Returns: Whether it can: a pipe has only one place.
    func seek(to place: UInt64) -> Bool { lseek(number, off_t(place), SEEK_SET) >= 0 }

    private var status: stat? {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? status : nil
    }

    /// For descriptors that somebody else made non-blocking.
    private func wait(for events: Int32) throws(SystemError) {
        var entry = pollfd(fd: number, events: Int16(events), revents: 0)
        if unsafe poll(&entry, 1, 1000) < 0 { throw SystemError(errno) }
    }
}
