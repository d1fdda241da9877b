/// The course of one controller's LE scan: it is set up, watched, and brought back.
///
/// A state machine without descriptors and clocks: it is told what happened and says what to do.
///
///     closed → setting up → scanning         set up as `HCIScanSetup` has it
///        ↑       ↑     ↓     ↓    ↑
///        |       |     |     setting up      silence: off and on anew; an answer proves the controller alive
///        |       |     ↓     ↓
///        +────── waiting ←───+               a fault or an interruption; after it set up again, power cycle or reopen
///
/// A fault is a command that is not answered, or refused. The first sets up again; then power cycles, where they are
/// allowed, and opening anew take turns, at intervals that double to 60 s. An interruption is a scan that another program
/// or the kernel ended; it is begun again, at intervals that double too, so that two programs don't fight.
///
/// Silence alone is no fault, since the air may be quiet. Only where there was much, and none returns after three scans
/// that were confirmed, the controller is reset and, if that does not help either, opened anew, once each. It is then told to
/// be deaf until something is heard.
///
/// Times are microseconds of a clock that never goes back.
public struct HCIScanner: Sendable {
    /// What to do now.
    public enum Action: Equatable, Sendable {
        /// Send a command, from its opcode on; tell `failed` where that can't be done.
        case send([UInt8])
        /// Switch the adapter off and on; then tell `opened` or `failed`.
        case powerCycle
        /// Close the descriptor and open it anew; then tell `opened` or `failed`.
        case reopen
    }

    private enum State {
        /// Nothing is open; `opened` is awaited.
        case closed
        case settingUp
        case scanning
        case waiting(Recovery)
    }

    private enum Recovery { case setUp, powerCycle, reopen }

    private static let answerTime = 2 * Int64.second
    /// A look whether the adapter was switched on costs one call.
    private static let powerDelay = 2 * Int64.second
    /// What has lasted so long was good; what failed before it delays nothing.
    private static let settledTime = 10 * Int64.second
    /// Another program that leaves a scan alone for so long does not fight for it.
    private static let peaceTime = 60 * Int64.second
    /// With the time for an answer less than the shortest exit time: nobody leaves because a controller has died.
    private static let silenceTime = 5 * Int64.second

    /// How it shall scan.
    public let settings: Settings
    /// When `advance` must be called; `nil`: not before something else happens.
    public private(set) var deadline: Int64?

    private var state = State.closed
    private var setup: HCIScanSetup
    private var happened = ScannerStatistics()
    private var actions: [Action] = []
    private var news: [News] = []
    private var told: News?

    private var traffic = ReportTraffic()
    /// When the scan was confirmed; also when it was begun anew only for silence.
    private var confirmed = Int64.min
    /// Since when it is on without a fault or an interruption.
    private var listeningSince: Int64?
    /// Times that it was begun anew for the present silence.
    private var renewals = 0
    /// Whether the controller was reset for the present silence.
    private var wasReset = false
    /// Whether `opened` is awaited for having been asked for.
    private var isReopening = false
    private var faults = Backoff()
    private var interruptions = Backoff()

    /// A scanner that waits for `opened`.
    public init(_ settings: Settings) {
        self.settings = settings
        setup = HCIScanSetup(settings)
    }

    /// Whether what is heard is this scan's.
    public var isListening: Bool { listeningSince != nil }

    private var isWaiting: Bool { if case .waiting = state { true } else { false } }

    /// What happened to the scan.
    public var counts: ScannerStatistics {
        var counts = happened
        counts.commandsRefused = setup.refusals
        return counts
    }

    /// What is to be done since the last call, in this order. To be called until there is nothing: what was done may ask for
    /// more.
    public mutating func takeActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    /// What the user should know since the last call.
    public mutating func takeNews() -> [News] {
        defer { news = [] }
        return news
    }

    /// The command that switches the scan off, on the way out; none where nothing is open, or where the scan that may be on
    /// is another program's.
    public mutating func stopping() -> [UInt8]? {
        if case .closed = state { return nil }
        state = .closed
        deadline = nil
        return settings.isExclusive || setup.mayBeOn ? setup.end.bytes : nil
    }

    /// Whether an event is the answer to a command, both from their first byte on.
    public static func isAnswer(_ event: RawSpan, to command: [UInt8]) -> Bool {
        event.byteCount >= 5 && command.count >= 2 && event.byte(0) == HCIEvent.commandComplete
            && event.le16(3) == command.rawSpan.le16(0)
    }

    // MARK: What happens

    /// The descriptor is open, or the adapter was switched on: the scan is set up from the beginning.
    public mutating func opened(at now: Int64) {
        if isReopening { happened.reopened += 1 }
        isReopening = false
        begin(at: now)
    }

    /// Something went wrong outside.
    public mutating func failed(_ failure: Failure, at now: Int64) {
        isReopening = false
        endListening(failure.news, at: now)
        switch failure {
        // The user channel can't be bound then, whereas a raw one stays.
        case .poweredOff, .blocked: wait(Self.powerDelay, then: settings.isExclusive ? .reopen : .setUp, at: now)
        case .unplugged, .notPermitted, .other: wait(faults.next(), then: .reopen, at: now)
        }
    }

    /// An event has come, from its code on. Of advertising reports it is only noted that they come.
    public mutating func received(event: RawSpan, at now: Int64) {
        guard event.byteCount >= 3 else { return }
        switch event.byte(0) {
        case HCIEvent.leMeta where AdvertisingReport.isReported(in: event):
            traffic.hear(at: now)
            if renewals > 0 { endSilence(at: now) }
        case HCIEvent.leMeta where event.byte(2) == HCIEvent.Subevent.scanTimeout:
            interrupted("another program's scan has ended", at: now)
        case HCIEvent.commandComplete where event.byteCount >= 5: follow(setup.completed(event), at: now)
        case HCIEvent.commandStatus where event.byteCount >= 6: follow(setup.status(event), at: now)
        case HCIEvent.hardwareError:
            // One of our own is reset, and that is counted, when it is set up again.
            if !settings.isExclusive, !isWaiting { happened.controllerResets += 1 }
            interrupted("the controller reports a hardware error", at: now)
        default: break
        }
    }

    /// Time has passed.
    public mutating func advance(to now: Int64) {
        guard let deadline, deadline <= now else { return }
        switch state {
        case .closed: self.deadline = nil
        case .settingUp:
            happened.commandTimeouts += 1
            fault("the controller does not answer \(setup.command?.name ?? "")", at: now)
        case .scanning: watch(at: now)
        case .waiting(let recovery): perform(recovery, at: now)
        }
    }

    // MARK: Setting up

    private mutating func begin(at now: Int64) {
        setup.begin()
        proceed(at: now)
    }

    /// Sends the next command, as soon as it may be sent.
    private mutating func proceed(at now: Int64) {
        state = .settingUp
        deadline = now + Self.answerTime
        sendCommand()
    }

    private mutating func sendCommand() {
        if let command = setup.takeCommand() { actions.append(.send(command.bytes)) }
    }

    private mutating func follow(_ outcome: HCIScanSetup.Outcome, at now: Int64) {
        switch outcome {
        case .none: sendCommand()
        case .goesOn: proceed(at: now)
        case .scanning: listen(at: now)
        case .refused(let reason): fault(reason, at: now)
        case .unsupported:
            endListening(News(state: .unsupported, detail: "this controller has no Bluetooth LE"), at: now)
            wait(Backoff.longest, then: .setUp, at: now)
        case .strange(let opcode):
            sendCommand()
            notice(opcode, at: now)
        }
    }

    private mutating func listen(at now: Int64) {
        state = .scanning
        confirmed = now
        if listeningSince == nil { listeningSince = now }
        if told?.state != .deaf { tellListening() }
        watch(at: now)
    }

    private mutating func tellListening() {
        tell(News(state: .listening, detail: settings.description(of: setup)))
    }

    // MARK: Faults, interruptions, silence

    private mutating func fault(_ reason: String, at now: Int64) {
        setup.abandon()
        endListening(News(state: .failed, detail: reason), at: now)
        let recovery: Recovery =
            faults.failures == 0 ? .setUp : settings.mayPowerCycle && faults.failures % 2 == 1 ? .powerCycle : .reopen
        wait(faults.next(), then: recovery, at: now)
    }

    /// On a raw channel the answers to other programs are seen too: did they end the scan, or begin one of their own,
    /// maybe without duplicates?
    private mutating func notice(_ opcode: UInt16, at now: Int64) {
        guard !settings.isExclusive else { return }
        switch opcode {
        case HCIOpcode.reset: interrupted("another program, or the kernel, reset the controller", at: now)
        case HCIOpcode.setScanEnable, HCIOpcode.setExtendedScanEnable:
            interrupted("another program switched the scan off, or its own on", at: now)
        default: break
        }
    }

    private mutating func interrupted(_ reason: String, at now: Int64) {
        switch state {
        case .closed, .waiting: return
        case .settingUp, .scanning: break
        }
        happened.scanRestarts += 1
        setup.abandon()
        setup.lose()
        if let listeningSince, now - listeningSince >= Self.peaceTime { interruptions.reset() }
        endListening(News(state: .paused, detail: reason), at: now)
        wait(interruptions.next(), then: .setUp, at: now)
    }

    private mutating func watch(at now: Int64) {
        let silence = min(Self.silenceTime << min(renewals, 4), Backoff.longest)
        let due = max(traffic.latest, confirmed) + silence
        guard due <= now else {
            deadline = due
            return
        }
        if renewals >= 3, traffic.wasDense { return revive(at: now) }
        renewals += 1
        happened.scanRestarts += 1
        setup.renew()
        proceed(at: now)
    }

    private mutating func endSilence(at now: Int64) {
        renewals = 0
        wasReset = false
        if told?.state == .deaf { tellListening() }
        if case .scanning = state { watch(at: now) }
    }

    private mutating func revive(at now: Int64) {
        let canReset = (settings.isExclusive || settings.mayPowerCycle) && !wasReset
        wasReset = true
        if !canReset { traffic.forget() }
        let remedy = canReset ? "the controller is reset" : "it is opened anew"
        endListening(News(state: .deaf, detail: "nothing is heard where there was much; \(remedy)"), at: now)
        perform(!canReset ? .reopen : settings.isExclusive ? .setUp : .powerCycle, at: now)
    }

    private mutating func perform(_ recovery: Recovery, at now: Int64) {
        switch recovery {
        case .setUp:
            if settings.isExclusive { happened.controllerResets += 1 }
            begin(at: now)
        case .powerCycle:
            happened.controllerResets += 1
            close(.powerCycle)
        case .reopen:
            isReopening = true
            close(.reopen)
        }
    }

    private mutating func close(_ action: Action) {
        setup.abandon()
        state = .closed
        deadline = nil
        actions.append(action)
    }

    private mutating func wait(_ delay: Int64, then recovery: Recovery, at now: Int64) {
        state = .waiting(recovery)
        deadline = now + delay
    }

    private mutating func endListening(_ news: News, at now: Int64) {
        if let listeningSince, now - listeningSince >= Self.settledTime { faults.reset() }
        listeningSince = nil
        tell(news)
    }

    private mutating func tell(_ news: News) {
        guard news != told else { return }
        told = news
        self.news.append(news)
    }
}
