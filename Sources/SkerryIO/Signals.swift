private import Glibc

/// The wish of SIGINT, SIGTERM or SIGHUP that the program end in good order. A further one, half a second later or more, ends
/// it at once.
public enum Signals {
    /// Begins to listen for them, and leaves a broken pipe to the writer.
    public static func install() {
        signal(SIGPIPE, SIG_IGN)
        // Whoever started us may ignore it; the ends of our own children would be lost then.
        signal(SIGCHLD, SIG_DFL)
        // What has no statistics in between must not be ended by the wish for them.
        signal(SIGUSR1, SIG_IGN)
        // A file must not take the place of a standard stream that was closed; what can't be read or written says so.
        while let closed = (0...2).first(where: { fcntl($0, F_GETFD) < 0 }) {
            guard unsafe open("/dev/null", closed == 0 ? O_WRONLY : O_RDONLY) == closed else { break }
        }
        var pipeEnds: [Int32] = [-1, -1]
        if unsafe pipe(&pipeEnds) == 0 {
            for end in pipeEnds {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            unsafe (wakeReader, wakeWriter) = (pipeEnds[0], pipeEnds[1])
        }
        // Whoever started us may have blocked them for itself.
        var wanted = sigset_t()
        unsafe sigemptyset(&wanted)
        let ends = [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP])
        for number in ends { unsafe sigaddset(&wanted, number) }
        unsafe sigprocmask(SIG_UNBLOCK, &wanted, nil)
        for number in ends {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = noteEnd
            // Without SA_RESTART, so that a waiting read or write returns.
            unsafe sigaction(number, &action, nil)
        }
    }

    /// Whether whoever started us has the signal ignored, as nohup(1) does.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(number, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Begins to listen for SIGUSR1 too, the wish for statistics in between, which is ignored without this.
    public static func listenForStatistics() {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = noteStatistics
        unsafe sigaction(SIGUSR1, &action, nil)
    }

    /// Whether statistics were asked for since the last call; to be called after each wait for `wakeDescriptor`.
    static func takeStatisticsRequest() -> Bool {
        var bytes: UInt64 = 0
        // The wish to end stays readable. First, whatever the flag says: a request that comes just behind this wakes again.
        while !endRequested, unsafe read(wakeReader, &bytes, 8) > 0 {}
        guard unsafe statisticsFlag != 0 else { return false }
        unsafe statisticsFlag = 0
        return true
    }

    /// Readable once the program was asked to end: what waits for a descriptor waits for this one too, so that a signal that
    /// comes just before is not missed. -1 where there is none.
    static var wakeDescriptor: Int32 { unsafe wakeReader }

    /// Whether the program was asked to end.
    public static var endRequested: Bool { unsafe endFlag != 0 }

    /// Ends the program by SIGINT where that has asked it to end; to be called when all is told. A shell goes by how a
    /// program ends: only so does a loop end with it.
    public static func endIfInterrupted() {
        guard unsafe endFlag == SIGINT else { return }
        signal(SIGINT, SIG_DFL)
        raise(SIGINT)
    }

    /// Waits; shorter when the end is requested.
    public static func sleep(microseconds: Int64) {
        guard microseconds > 0, !endRequested else { return }
        var span = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000 * 1000))
        unsafe nanosleep(&span, nil)
    }
}

// Written only by the handler, read by the one thread there is.
/// The signal that asked first; 0 for none.
nonisolated(unsafe) private var endFlag: sig_atomic_t = 0
nonisolated(unsafe) private var endMoment: Int64 = 0
nonisolated(unsafe) private var statisticsFlag: sig_atomic_t = 0
nonisolated(unsafe) private var wakeReader: Int32 = -1
nonisolated(unsafe) private var wakeWriter: Int32 = -1

private func noteEnd(_ number: Int32) {
    let now = MachineClock.monotonic
    if unsafe endFlag == 0 {
        unsafe (endFlag, endMoment) = (number, now)
        wake()
    } else if unsafe now - endMoment > 500_000 {
        // Not what timeout(1) sends twice, to the program and to its group: a scan could not be switched off.
        signal(number, SIG_DFL)
        raise(number)
    }
}

private func noteStatistics(_ number: Int32) {
    unsafe statisticsFlag = 1
    wake()
}

private func wake() {
    let before = errno
    var byte: UInt8 = 0
    _ = unsafe write(wakeWriter, &byte, 1)
    errno = before
}
