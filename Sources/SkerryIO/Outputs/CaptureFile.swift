private import Glibc
public import SkerryCore

/// The file, or the files, of a recording. Nothing here waits for the disk, but opening and renaming.
///
/// The newest file has the name that was given; older ones that name with `.1`, `.2` … behind it. A disk that is full is told
/// once, and tried again; until then records wait, and are dropped when too many do (`BTSnoopWriter`). So is another program
/// that cuts the file or takes it away, and the file begun anew.
///
/// A file that does not begin as a recording of this program does (`BTSnoopWriter.beginning`) is somebody else's, and left
/// alone; an empty one holds nothing to lose.
public final class CaptureFile {
    /// So many bytes are worth a write; fewer after `patience`.
    private static let batch = 64 * 1024
    private static let mostAtOnce = 256 * 1024
    private static let patience = Int64.second
    /// How often a write that goes on is looked after.
    private static let pace: Int64 = 50_000
    /// At the end the disk has so long.
    private static let lastPatience = 2 * Int64.second

    private static let mark = FileMark(BTSnoopWriter.beginning)

    private let path: String
    /// Older files that are kept.
    private let keeps: Int
    private var file: FileDescriptor?
    /// Whether the file was made by this run and nothing was written yet: then it is taken away again.
    private var isUnused: Bool
    /// When it is looked whether the file is still whole, though there is nothing to write.
    private var nextLook = Int64.min
    /// Bytes of whole records in the present file.
    private var length = 0
    private var pieces: ArraySlice<BTSnoopWriter.Piece> = []
    /// Bytes of the first piece that were written.
    private var done = 0
    private var write: BackgroundWrite?
    private var backoff = Backoff()
    /// When there is something to do, on the clock of `MachineClock.monotonic`; `nil` while nothing waits.
    public private(set) var deadline: Int64?

    /// Opens the first file, and leaves what it holds until there is something to write. Then, with older files to keep, it
    /// becomes the first of them; else it is emptied.
    ///
    /// - Parameters:
    ///   - path: Of the newest file.
    ///   - keeps: How many older ones there shall be at most.
    /// - Throws: Which file is in the way. A device is as good as a file, unless it would be given another name.
    public init(path: String, keeps: Int = 0) throws(OutputError) {
        self.path = path
        self.keeps = keeps
        for number in 0...keeps {
            let name = Self.name(path, number)
            do throws(SystemError) {
                try Self.check(name, mayBeDevice: keeps == 0)
            } catch {
                throw OutputError(path: name, reason: error)
            }
        }
        do throws(SystemError) {
            isUnused = unsafe access(path, F_OK) != 0
            file = try Self.open(path, flags: isUnused ? O_CREAT : 0)
        } catch {
            throw OutputError(path: path, reason: error)
        }
    }

    deinit {
        if isUnused, file?.isAt(path) ?? false { _ = unsafe unlink(path) }
    }

    /// Writes what was recorded since, when it is much or has waited long.
    public func step(now: Int64, into scan: inout Scan) {
        if write == nil {
            if backoff.failures > 0, let deadline, now < deadline { return }
            if pieces.isEmpty {
                let waiting = scan.recorder?.waiting ?? 0
                let due = deadline ?? now + Self.patience
                deadline = waiting > 0 ? due : nil
                if waiting >= Self.batch || waiting > 0 && now >= due {
                    take(from: &scan)
                } else {
                    // Also where nothing is heard any more.
                    guard waiting == 0, now >= nextLook, isSpoilt else { return }
                }
                nextLook = now + Self.patience
            }
        }
        proceed(now, &scan)
    }

    /// Writes the rest, and waits for that a little. What can't be written is counted as dropped.
    public func finish(into scan: inout Scan) {
        take(from: &scan)
        var now = MachineClock.monotonic
        if write == nil { proceed(now, &scan) }
        let end = now + Self.lastPatience
        while !pieces.isEmpty, now < end {
            write?.wait(microseconds: end - now)
            now = MachineClock.monotonic
            proceed(now, &scan)
            if write == nil, backoff.failures > 0 { break }
        }
        // A write that goes on ends with a record, if it comes to its end; what it writes counts as dropped.
        if write == nil { retreat() }
        scan.recorder?.drop(pieces, kept: done)
        pieces = []
    }

    private func take(from scan: inout Scan) { pieces += scan.recorder?.takePieces() ?? [] }

    /// Looks after the write that goes on, and begins the next one.
    private func proceed(_ now: Int64, _ scan: inout Scan) {
        deadline = now + Self.pace
        do throws(SystemError) {
            if let write {
                guard let result = write.check() else { return }
                self.write = nil
                try advance(by: result.get())
            }
            if isSpoilt, done > 0 || !(pieces.first?.beginsFile ?? false) {
                try beginAnew(&scan)
                deadline = now
                return
            }
            guard let piece = pieces.first else {
                deadline = nil
                return
            }
            if piece.beginsFile, done == 0 { try beginFile() }
            let end = piece.recordEnd(before: min(done + Self.mostAtOnce, piece.bytes.count))
            write = BackgroundWrite(piece.bytes[done..<end], to: file?.number ?? -1, at: length)
        } catch {
            retreat()
            if backoff.failures == 0 {
                let reason =
                    error.isForeign
                    ? "a file that skerry did not write is in its place, or an older one's" : error.message
                tell("\(reason); recording waits, and drops what it can't keep", &scan)
            }
            deadline = now + backoff.next()
        }
    }

    private func tell(_ what: String, _ scan: inout Scan) {
        scan.report(
            Fault(domain: .capture, name: .unwritable, message: "\(path): \(what)", isRecoverable: true))
    }

    /// Whether another program has cut the file, written into it, or put it elsewhere. A device has no length.
    private var isSpoilt: Bool {
        guard length > 0, let held = file?.length else { return false }
        return !(file?.isAt(path) ?? false) || held < UInt64(length) || (try? Self.mark.check(path)) == nil
    }

    /// Begins the file that the first piece is for: the one before becomes an older one, or what is there is emptied.
    private func beginFile() throws(SystemError) {
        if file?.number != nil, !(file?.isAt(path) ?? false) { file = nil }
        let number = file?.number ?? -1
        if let held = file?.length, held > 0 {
            try Self.mark.check(path)
            if keeps > 0 {
                try shift()
                file = nil
            } else if ftruncate(number, 0) != 0 {
                throw SystemError(errno)
            }
        }
        if file?.number == nil { file = try Self.create(path) }
        length = 0
        isUnused = false
    }

    /// What belongs to a file that is spoilt is not written: nobody could read it. The next one takes its place.
    private func beginAnew(_ scan: inout Scan) throws(SystemError) {
        take(from: &scan)
        dropRest(&scan)
        if pieces.isEmpty {
            let now = scan.now + scan.clockOffset
            scan.recorder?.beginAnew(at: now)
            take(from: &scan)
        }
        try beginFile()
        tell("another program has cut it, or taken it away; it is begun anew", &scan)
    }

    /// So much was written, maybe not all.
    private func advance(by count: Int) throws(SystemError) {
        guard count > 0 else { throw SystemError(EIO) }
        done += count
        length += count
        guard done == pieces.first?.bytes.count else { return }
        pieces.removeFirst()
        done = 0
        backoff.reset()
    }

    /// Drops what belongs to the present file.
    private func dropRest(_ scan: inout Scan) {
        let rest = pieces.prefix(1) + pieces.dropFirst().prefix { !$0.beginsFile }
        scan.recorder?.drop(rest, kept: done)
        pieces = pieces.dropFirst(rest.count)
        done = 0
    }

    /// Takes back what was written of a record that does not fit, so that the file is whole.
    private func retreat() {
        guard let piece = pieces.first, let number = file?.number else { return }
        let end = piece.recordEnd(before: done)
        guard end < done else { return }
        length -= done - end
        done = end
        _ = ftruncate(number, length)
    }

    // MARK: Files

    private static func name(_ path: String, _ number: Int) -> String { number == 0 ? path : "\(path).\(number)" }

    /// Refuses what can't be renamed where it would be, a pipe, which would be waited for until somebody reads it, and what
    /// this program did not write.
    private static func check(_ path: String, mayBeDevice: Bool) throws(SystemError) {
        var status = stat()
        guard unsafe (mayBeDevice ? stat(path, &status) : lstat(path, &status)) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFREG: try mark.check(path)
        case S_IFCHR where mayBeDevice: return
        case S_IFDIR: throw .isDirectory
        default: throw SystemError(EINVAL)
        }
    }

    /// Gives every file the next number; the oldest goes.
    private func shift() throws(SystemError) {
        for number in 1...keeps { try Self.mark.check(Self.name(path, number)) }
        for number in stride(from: keeps - 1, through: 0, by: -1) {
            guard unsafe rename(Self.name(path, number), Self.name(path, number + 1)) == 0 || errno == ENOENT else {
                throw SystemError(errno)
            }
        }
    }

    /// Makes a file where none is; what another program has put there is not ours to empty.
    private static func create(_ path: String) throws(SystemError) -> FileDescriptor {
        try open(path, flags: O_CREAT | O_EXCL)
    }

    /// As long as it is open, nobody else can open it so. What it holds is left.
    private static func open(_ path: String, flags: Int32) throws(SystemError) -> FileDescriptor {
        let number = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC | flags, 0o644)
        guard number >= 0 else { throw SystemError(errno) }
        let file = FileDescriptor(number: number)
        guard file.length != nil else { return file }
        // Where a file system knows no locks, it goes without.
        guard flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { throw SystemError(EBUSY) }
        // Who had it may have given it another name meanwhile.
        guard file.isAt(path) else { throw SystemError(EBUSY) }
        return file
    }
}
