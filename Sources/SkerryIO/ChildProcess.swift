private import Glibc

/// A program that runs beside this one and says something. It does not outlive its owner.
final class ChildProcess {
    /// How a program ended.
    enum Ending: Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// What it says.
    let output: FileDescriptor
    private let number: pid_t
    private var ending: Ending?

    /// Starts a program that is looked for in `PATH`.
    ///
    /// It has no environment, so that its numbers are written as in C, and its standard error goes nowhere.
    ///
    /// - Parameter input: Number of the descriptor that it reads, from its present place on; `nil` for nothing.
    init(_ program: String, _ arguments: [String], input: Int32? = nil) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SystemError(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = FileDescriptor(number: ends[0])
        let writing = FileDescriptor(number: ends[1])
        number = try Self.spawn(program, arguments, input: input, output: writing.number).get()
    }

    deinit {
        guard ending == nil else { return }
        kill(number, SIGKILL)
        waitpid(number, nil, 0)
    }

    /// How it ended; `nil` while it runs.
    func checkEnding() -> Ending? {
        if let ending { return ending }
        var status: Int32 = 0
        guard unsafe waitpid(number, &status, WNOHANG) == number else { return nil }
        // The macros of <sys/wait.h> can't be seen from here.
        let signal = status & 0x7F
        ending = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
        return ending
    }

    /// How it ended, once its output has ended. One that goes on for a second after that is killed.
    func waitForEnding() -> Ending {
        for _ in 0..<100 {
            if let ending = checkEnding() { return ending }
            Signals.sleep(microseconds: 10_000)
        }
        kill(number, SIGKILL)
        waitpid(number, nil, 0)
        ending = .killed(signal: SIGKILL)
        return .killed(signal: SIGKILL)
    }

    private static func spawn(
        _ program: String, _ arguments: [String], input: Int32?, output: Int32
    ) -> Result<pid_t, SystemError> {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // A broken pipe must end it, though it does not end us.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        unsafe sigaddset(&defaults, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        var number: pid_t = 0
        let failure = unsafe posix_spawnp(&number, program, &actions, &attributes, &words, &environment)
        return failure == 0 ? .success(number) : .failure(SystemError(failure))
    }
}
