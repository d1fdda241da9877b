private import Glibc
public import SkerryCore

/// The file, or the files, of a recording. Nothing here waits for the disk, but opening and renaming.
///
/// The newest file has the name that was given; older ones that name with `.1`, `.2` … behind it. A disk that is full is told
/// once, and tried again; until then records wait, and are dropped when too many do (`BTSnoopWriter`).
public final class CaptureFile {
    /// So many bytes are worth a write; fewer after `patience`.
    private static let batch = 64 * 1024
    private static let mostAtOnce = 256 * 1024
    private static let patience = Int64.second
    /// How often a write that goes on is looked after.
    private static let pace: Int64 = 50_000
    /// At the end the disk has so long.
    private static let lastPatience = 2 * Int64.second

    /// A file that can't be the recording, or one of the older ones.
    public struct Refusal: Error, Equatable {
        /// Which one.
        public let path: String
        /// EBUSY where another program writes it; EISDIR and EINVAL where it is no regular file.
        public let reason: SystemError
    }

    /// The file is not where it was made.
    private static let lost = SystemError(ESTALE)

    private let path: String
    /// Older files that are kept.
    private let keeps: Int
    private var file: FileDescriptor?
    /// Bytes of whole records in the present file.
    private var length = 0
    private var pieces: ArraySlice<BTSnoopWriter.Piece> = []
    /// Bytes of the first piece that were written.
    private var done = 0
    private var write: BackgroundWrite?
    private var backoff = Backoff()
    /// When there is something to do, on the clock of `MachineClock.monotonic`; `nil` while nothing waits.
    public private(set) var deadline: Int64?

    /// Opens the first file. With older files to keep, one that is there and not empty becomes the first of them; else it is
    /// emptied.
    ///
    /// - Parameters:
    ///   - path: Of the newest file.
    ///   - keeps: How many older ones there shall be at most.
    /// - Throws: Which file is in the way. A device is as good as a file, unless it would be given another name.
    public init(path: String, keeps: Int = 0) throws(Refusal) {
        self.path = path
        self.keeps = keeps
        for number in 0...keeps { try Self.check(Self.name(path, number), mayBeDevice: keeps == 0) }
        do throws(SystemError) {
            let former = try Self.claim(path)
            let formerLength = former.length
            if keeps > 0, formerLength != 0 {
                try shift()
                file = try Self.create(path)
            } else {
                if formerLength != nil, ftruncate(former.number, 0) != 0 { throw SystemError(errno) }
                file = consume former
            }
        } catch {
            throw Refusal(path: path, reason: error)
        }
    }

    /// Writes what was recorded since, when it is much or has waited long.
    public func step(now: Int64, into scan: inout Scan) {
        if write == nil {
            if backoff.failures > 0, let deadline, now < deadline { return }
            if pieces.isEmpty {
                let waiting = scan.recorder?.waiting ?? 0
                let due = deadline ?? now + Self.patience
                deadline = waiting > 0 ? due : nil
                guard waiting >= Self.batch || waiting > 0 && now >= due else { return }
                take(from: &scan)
            }
        }
        proceed(now, &scan)
    }

    /// Writes the rest, and waits for that a little. What can't be written is counted as dropped.
    public func finish(into scan: inout Scan) {
        take(from: &scan)
        var now = MachineClock.monotonic
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
            guard let piece = pieces.first else {
                deadline = nil
                return
            }
            let isLost = !(file?.isAt(path) ?? true)
            if piece.beginsFile, done == 0, length > 0 || isLost {
                if file?.number != nil, !isLost { try shift() }
                file = nil
                length = 0
            } else if isLost {
                dropRest(&scan)
                throw Self.lost
            }
            if file?.number == nil { file = try Self.create(path) }
            let end = piece.recordEnd(before: min(done + Self.mostAtOnce, piece.bytes.count))
            write = BackgroundWrite(piece.bytes[done..<end], to: file?.number ?? -1, at: length)
        } catch {
            retreat()
            if backoff.failures == 0 {
                let reason = error == Self.lost ? "another file is in its place, or none" : error.message
                scan.report(
                    Fault(
                        domain: .capture, name: .unwritable,
                        message: "\(path): \(reason); recording waits, and drops what it can't keep",
                        isRecoverable: true))
            }
            deadline = now + backoff.next()
        }
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

    /// What belongs to a file that is not where it was is not written: nobody would find it.
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
        length -= done - end
        done = end
        _ = ftruncate(number, length)
    }

    // MARK: Files

    private static func name(_ path: String, _ number: Int) -> String { number == 0 ? path : "\(path).\(number)" }

    /// Refuses what can't be renamed where it would be, and a pipe, which would be waited for until somebody reads it.
    private static func check(_ path: String, mayBeDevice: Bool) throws(Refusal) {
        var status = stat()
        guard unsafe (mayBeDevice ? stat(path, &status) : lstat(path, &status)) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFCHR where mayBeDevice: return
        case S_IFDIR: throw Refusal(path: path, reason: SystemError(EISDIR))
        default: throw Refusal(path: path, reason: SystemError(EINVAL))
        }
    }

    /// Gives every file the next number; the oldest goes.
    private func shift() throws(SystemError) {
        for number in stride(from: keeps - 1, through: 0, by: -1) {
            guard unsafe rename(Self.name(path, number), Self.name(path, number + 1)) == 0 || errno == ENOENT else {
                throw SystemError(errno)
            }
        }
    }

    /// Opens a file, or makes it, and leaves what it holds.
    private static func claim(_ path: String) throws(SystemError) -> FileDescriptor { try open(path, flags: O_CREAT) }

    /// Makes a file where none is; what another program has put there is not ours to empty.
    private static func create(_ path: String) throws(SystemError) -> FileDescriptor {
        try open(path, flags: O_CREAT | O_EXCL)
    }

    /// As long as it is open, nobody else can open it so.
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
