private import Glibc

/// New content of a file, written beside it and put in its place once it is on the disk. Whoever looks, also after a loss
/// of power, finds the old content or the new, each as a whole.
///
/// The disk may take seconds, in which nobody must wait who listens to a radio. `advance` therefore lets `sync`, which
/// comes with the system, wait in its place; `complete` waits itself.
///
/// Of two programs that replace one file at one time, the one that began later succeeds, and the other one fails.
final class FileReplacement {
    private let target: String
    private let beside: String
    private let file: FileDescriptor
    private var stage = Stage.written

    private enum Stage {
        case written
        /// The file is brought to the disk.
        case syncing(ChildProcess)
        /// It is in its place, which the folder is brought to the disk for.
        case placing(ChildProcess)
        case done
    }

    /// Writes the content beside the file.
    ///
    /// - Parameters:
    ///   - path: The file; links are followed. Mode and owner of one that is there are kept; a new one is its owner's alone.
    ///   - mark: How such content begins: what lies beside the file and does not begin so is not replaced.
    /// - Throws: EEXIST where something else lies there.
    init(of path: String, with bytes: [UInt8], mark: FileMark) throws(SystemError) {
        target = try Self.destination(of: path)
        beside = Self.name(beside: target)
        let before = try Self.status(target)
        try mark.check(beside, followsLinks: false)
        _ = unsafe unlink(beside)
        file = try Self.create(beside)
        if let before {
            // Only root may give files away; who may not keeps his own, with the mode.
            _ = fchown(file.number, before.st_uid, before.st_gid)
            _ = fchmod(file.number, before.st_mode & 0o7777)
        }
        try file.write(bytes)
    }

    /// Finds out whether a file can be replaced. Leaves everything as it was, also what another program is writing beside it.
    static func check(_ path: String, mark: FileMark) throws(SystemError) {
        let target = try destination(of: path)
        _ = try status(target)
        let beside = name(beside: target)
        do throws(SystemError) {
            _ = try create(beside)
            _ = unsafe unlink(beside)
        } catch {
            guard error.isForeign else { throw error }
            try mark.check(beside, followsLinks: false)
        }
    }

    /// Where the content of a file is written first.
    static func beside(_ path: String) throws(SystemError) -> String { name(beside: try destination(of: path)) }

    private static func name(beside target: String) -> String { "\(target).new" }

    /// Of a regular file; `nil` where there is none.
    private static func status(_ target: String) throws(SystemError) -> stat? {
        var status = stat()
        guard unsafe stat(target, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(EINVAL) }
        return status
    }

    private static func create(_ path: String) throws(SystemError) -> FileDescriptor {
        let opened = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw SystemError(errno) }
        return FileDescriptor(number: opened)
    }

    /// What is not in its place is taken away.
    deinit {
        switch stage {
        case .written, .syncing: if file.isAt(beside) { _ = unsafe unlink(beside) }
        case .placing, .done: break
        }
    }

    /// Readable when `advance` has something to do; -1 when nothing is waited for.
    var descriptor: Int32 {
        switch stage {
        case .syncing(let process), .placing(let process): process.output.number
        case .written, .done: -1
        }
    }

    /// Goes on without waiting for the disk.
    ///
    /// - Returns: Whether all is done.
    func advance() throws(SystemError) -> Bool {
        switch stage {
        case .written:
            guard let process = try Self.sync(beside) else {
                try complete()
                return true
            }
            stage = .syncing(process)
            return false
        case .syncing(let process):
            guard try Self.hasEnded(process) else { return false }
            try place()
            guard let process = try Self.sync(folder) else {
                try syncFolder()
                return true
            }
            stage = .placing(process)
            return false
        case .placing(let process):
            guard try Self.hasEnded(process) else { return false }
            stage = .done
            return true
        case .done: return true
        }
    }

    /// Does all that is left, and waits for the disk.
    func complete() throws(SystemError) {
        switch stage {
        case .written, .syncing:
            guard fsync(file.number) == 0 else { throw SystemError(errno) }
            try place()
            try syncFolder()
        case .placing: try syncFolder()
        case .done: break
        }
    }

    private func place() throws(SystemError) {
        // Another program may have put its own there, of which maybe not all is written yet.
        guard file.isAt(beside) else { throw SystemError(EBUSY) }
        guard unsafe rename(beside, target) == 0 else { throw SystemError(errno) }
        stage = .done
    }

    private func syncFolder() throws(SystemError) {
        let descriptor = try FileDescriptor(reading: folder)
        // Some file systems know no such thing as a folder on the disk.
        guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw SystemError(errno) }
        stage = .done
    }

    private var folder: String { Self.folder(of: target) }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// `nil` where the system has no `sync`.
    private static func sync(_ path: String) throws(SystemError) -> ChildProcess? {
        do throws(SystemError) {
            return try ChildProcess("sync", ["--", path])
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    private static func hasEnded(_ process: ChildProcess) throws(SystemError) -> Bool {
        guard let ending = process.checkEnding() else { return false }
        guard ending == .exited(0) else { throw SystemError(EIO) }
        return true
    }

    /// Where a path leads, also if nothing is there yet.
    private static func destination(of path: String) throws(SystemError) -> String {
        var path = path
        // As many links in a row as Linux follows (path_resolution(7)).
        for _ in 0..<40 {
            var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = unsafe text.withUnsafeMutableBytes { unsafe readlink(path, $0.baseAddress!, $0.count) }
            guard count >= 0 else {
                guard errno == EINVAL || errno == ENOENT else { throw SystemError(errno) }
                return path
            }
            let link = String(decoding: text.prefix(count), as: UTF8.self)
            path = link.hasPrefix("/") ? link : folder(of: path) + "/" + link
        }
        throw SystemError(ELOOP)
    }
}
