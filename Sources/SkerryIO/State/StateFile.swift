public import SkerryCore

/// The file that keeps the states of regions from one run to the next.
///
/// During a run it is written only when something has changed: a region at most every 5 s; of the place alone, which changes
/// with every fix, at most once a minute, so that a memory card lives long. `step` never waits for the disk; `finish`, at the
/// end of a run, does.
///
/// Of two programs with one file the one that wrote last has its states kept; where both write at one time, the one that began
/// first fails, tells so, and tries again.
public final class StateFile {
    /// The longest file that is read; it has room for several hundred thousand regions.
    public static let limit = 64 << 20
    /// Microseconds from the start to the first time of writing, which shows early whether it can be done.
    static let firstInterval = Int64.second
    /// Microseconds between two times of writing.
    static let interval = 5 * Int64.second
    /// Microseconds between two times of writing where only the place is another, and until the next try after a failure.
    static let longInterval = 60 * Int64.second

    private static let mark = FileMark(SavedState.beginning)

    /// As given by the user.
    public let path: String
    /// What an earlier run has left; `nil` where there is no file yet.
    public let saved: SavedState?

    /// What was written last.
    private var written: Mark?
    private var replacement: FileReplacement?
    /// On the machine's clock; nothing is written before.
    private var pause: (forRegions: Int64, forPlace: Int64)
    private var isFailing = false

    /// How far an engine had come.
    private struct Mark: Equatable {
        var changes: UInt64
        var fix: Timestamp?

        init(_ engine: Engine) {
            changes = engine.stateChanges
            fix = engine.lastFix
        }
    }

    /// Reads the file, where there is one.
    ///
    /// - Throws: Where it can't be read or is anything but a whole state. Such a file is left as it is.
    public init(path: String) throws(InputError) {
        self.path = path
        saved = try Self.read(path)
        let first = MachineClock.monotonic + Self.firstInterval
        pause = (first, first)
    }

    /// Finds out whether the file can be written, which changes nothing.
    ///
    /// - Throws: Which file is in the way: this one, or the one that its content is written to first, `.new` behind its name.
    public func check() throws(OutputError) {
        do throws(SystemError) {
            try FileReplacement.check(path, mark: Self.mark)
        } catch {
            throw refusal(error)
        }
    }

    private func refusal(_ error: SystemError) -> OutputError {
        let beside = error.isForeign ? try? FileReplacement.beside(path) : nil
        return OutputError(path: beside ?? path, reason: error)
    }

    private static func read(_ path: String) throws(InputError) -> SavedState? {
        let bytes: [UInt8]?
        do throws(SystemError) {
            let descriptor = try FileDescriptor(reading: path, waits: false)
            if descriptor.isDirectory { throw .isDirectory }
            bytes = descriptor.length == nil ? nil : try descriptor.readAll(limit: limit)
        } catch {
            if error.isMissing { return nil }
            throw .cannotOpen(path, error)
        }
        guard let bytes else { throw .unrecognised(path, "no regular file") }
        guard bytes.count <= limit else { throw .unrecognised(path, "a file of more than \(limit) bytes") }
        do throws(SavedState.Damage) {
            return try SavedState(decoding: bytes)
        } catch {
            throw .unrecognised(path, "line \(error.line): \(error.reason); it is left as it is")
        }
    }

    /// What to wait for: nothing unless a write is on its way.
    public var interest: Poller.Interest? {
        replacement.map { Poller.Interest(descriptor: $0.descriptor, events: .readable) }
    }

    /// When `step` is due though nothing is ready, on the clock of `MachineClock.monotonic`.
    public func deadline(_ engine: Engine) -> Int64? {
        guard replacement == nil, engine.now != nil else { return nil }
        return due(Mark(engine))
    }

    private func due(_ mark: Mark) -> Int64? {
        if mark.changes != written?.changes { return pause.forRegions }
        return mark.fix != written?.fix ? pause.forPlace : nil
    }

    /// Writes what has changed, if it is time for that, or goes on writing. Never waits for the disk.
    ///
    /// - Parameters:
    ///   - clockOffset: Microseconds from the engine's time to the wall clock's.
    ///   - now: On the clock of `MachineClock.monotonic`.
    /// - Returns: What to tell; a failure that lasts is told once.
    public func step(_ engine: Engine, clockOffset: Int64 = 0, now: Int64) -> Fault? {
        if let replacement { return advance(replacement, now) }
        let mark = Mark(engine)
        guard let due = due(mark), due <= now, let state = engine.savedState(clockOffset: clockOffset) else {
            return nil
        }
        pause = (now + Self.interval, now + Self.longInterval)
        written = mark
        do throws(SystemError) {
            let replacement = try FileReplacement(of: path, with: state.encode(), mark: Self.mark)
            self.replacement = replacement
            return advance(replacement, now)
        } catch {
            return failed(error, now)
        }
    }

    private func advance(_ replacement: FileReplacement, _ now: Int64) -> Fault? {
        do throws(SystemError) {
            guard try replacement.advance() else { return nil }
            self.replacement = nil
            isFailing = false
            return nil
        } catch {
            return failed(error, now)
        }
    }

    /// Writes what is known at the end, and waits until it is on the disk: the last thing in a run.
    ///
    /// - Parameter clockOffset: Microseconds from the engine's time to the wall clock's.
    /// - Returns: What to tell.
    public func finish(_ engine: Engine, clockOffset: Int64 = 0) -> Fault? {
        // Also where nothing has changed: it says until when that was so.
        replacement = nil
        guard let state = engine.savedState(clockOffset: clockOffset) else { return nil }
        do throws(SystemError) {
            try FileReplacement(of: path, with: state.encode(), mark: Self.mark).complete()
            return nil
        } catch {
            return failed(error, MachineClock.monotonic)
        }
    }

    private func failed(_ error: SystemError, _ now: Int64) -> Fault? {
        replacement = nil
        written = nil
        pause = (now + Self.longInterval, now + Self.longInterval)
        defer { isFailing = true }
        if isFailing { return nil }
        // Of two programs that write one file.
        if error.isBusy { return Fault(stateNotSaved: path, error.message) }
        let refusal = refusal(error)
        return Fault(stateNotSaved: refusal.path, refusal.message)
    }
}
