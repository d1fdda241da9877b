/// The course of a connection to gpsd, and of the next one when it breaks.
///
/// A state machine without descriptors and clocks: it is told what happened and says what to do.
///
///     waiting → opening → greeting → requesting → watching
///        ↑_________|__________|___________|___________|      anything that fails
///
/// Times are microseconds of a clock that never goes back.
public struct GPSDConnection {
    /// What to do now. Whatever connection there was before an `open` or `close` is to be closed first.
    public enum Action: Equatable, Sendable {
        /// Wait for what comes, or for the deadline.
        case wait
        /// Connect to the host; tell `opened` or `failed`.
        case open
        /// Send this.
        case send(String)
        /// Close the connection.
        case close
    }

    /// What the user should know.
    public enum News: Equatable, Sendable {
        /// gpsd sends its reports from now on. Its release.
        case connected(release: String)
        /// It does not, why, and what the user may do. Told again only where the reason is another one.
        case disconnected(reason: String, advice: String? = nil)
    }

    private enum State {
        case waiting, opening, greeting, requesting
        case watching(since: Int64)
    }

    /// What gpsd is asked for: reports of all devices, as JSON (gpsd_json(5), ?WATCH).
    static let request = "?WATCH={\"enable\":true,\"json\":true};\n"

    private static let answerTime = 10 * Int64.second
    /// A connection that held for so long was a good one; the next is not delayed for what failed before it.
    private static let settled = 10 * Int64.second

    private var state = State.waiting
    private var backoff = Backoff()
    private var release = ""
    /// Why it is not there, as it was told; `nil` while it is.
    private var told: String?
    private var news: [News] = []

    /// When `advance` must be called; at once in the beginning, never while the connection is being made, or gpsd sends.
    public private(set) var deadline: Int64? = .min

    /// A connection that shall be made.
    public init() {}

    /// Whether gpsd sends its reports.
    public var isWatching: Bool { if case .watching = state { true } else { false } }

    /// What the user should know, since the last call.
    public mutating func takeNews() -> [News] {
        defer { news = [] }
        return news
    }

    /// Time has passed.
    public mutating func advance(to now: Int64) -> Action {
        guard let deadline, deadline <= now else { return .wait }
        switch state {
        case .waiting:
            state = .opening
            self.deadline = nil
            return .open
        case .greeting: return fail("what answers is no gpsd", advice: "are host and port right?", at: now)
        case .requesting: return failed("it does not answer a request", at: now)
        case .opening, .watching: return .wait
        }
    }

    /// The connection is made.
    public mutating func opened(at now: Int64) -> Action {
        guard case .opening = state else { return .wait }
        state = .greeting
        deadline = now + Self.answerTime
        return .wait
    }

    /// A report has come. Once gpsd sends, it may hold anything: also what another gpsd said to whom a log belongs.
    public mutating func received(_ report: GPSDReport, at now: Int64) -> Action {
        switch (state, report) {
        case (.greeting, .version(let release, let major)):
            guard major == nil || major == 3 else { return failed("it speaks protocol \(major!), not 3", at: now) }
            self.release = release
            state = .requesting
            deadline = now + Self.answerTime
            return .send(Self.request)
        case (.requesting, .watch(isEnabled: true, isJSON: true)):
            state = .watching(since: now)
            deadline = nil
            told = nil
            news.append(.connected(release: release))
        // A request that gpsd can't read switches it off, without an error.
        case (.requesting, .watch): return failed("it does not send reports", at: now)
        case (.requesting, .error(let message)): return failed("it refuses: \(message)", at: now)
        default: break
        }
        return .wait
    }

    /// Something went wrong outside: the connection is refused or broken.
    public mutating func failed(_ reason: String, at now: Int64) -> Action {
        guard case .opening = state else { return fail(reason, at: now) }
        let advice = "does gpsd run there (systemctl status gpsd.socket), and are host and port right?"
        return fail(reason, advice: advice, at: now)
    }

    private mutating func fail(_ reason: String, advice: String? = nil, at now: Int64) -> Action {
        if case .watching(let since) = state, now - since >= Self.settled { backoff.reset() }
        if reason != told { news.append(.disconnected(reason: reason, advice: advice)) }
        told = reason
        state = .waiting
        deadline = now + backoff.next()
        return .close
    }
}
