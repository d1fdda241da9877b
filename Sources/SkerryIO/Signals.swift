private import Glibc

/// The wish of SIGINT or SIGTERM that the program end in good order. A second one ends it at once.
public enum Signals {
    /// Begins to listen for them, and leaves a broken pipe to the writer.
    public static func install() {
        signal(SIGPIPE, SIG_IGN)
        // Whoever started us may have blocked them for itself.
        var wanted = sigset_t()
        unsafe sigemptyset(&wanted)
        for number in [SIGINT, SIGTERM] { unsafe sigaddset(&wanted, number) }
        unsafe sigprocmask(SIG_UNBLOCK, &wanted, nil)
        for number in [SIGINT, SIGTERM] {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = noteEnd
            // Without SA_RESTART, so that a waiting read or write returns; the default comes back after the first.
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            unsafe sigaction(number, &action, nil)
        }
    }

    /// Whether the program was asked to end.
    public static var endRequested: Bool { unsafe endFlag != 0 }

    /// Waits; shorter when the end is requested.
    public static func sleep(microseconds: Int64) {
        guard microseconds > 0, !endRequested else { return }
        var span = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000 * 1000))
        unsafe nanosleep(&span, nil)
    }

    /// Microseconds of a clock that never goes back.
    public static var monotonicMicroseconds: Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}

// Written only by the handler, read by the one thread there is.
nonisolated(unsafe) private var endFlag: sig_atomic_t = 0

private func noteEnd(_ number: Int32) { unsafe endFlag = 1 }
