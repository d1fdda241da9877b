/// The course of scanning with one adapter through bluetoothd: what is asked of it, and when.
///
/// A state machine without bus and clock: it is told what happened and says what to call. An advertisement monitor makes the
/// kernel switch the controller's filter of duplicates off, but hears by itself only what is new; a discovery tells every
/// advertisement that the controller reports. So both are asked for, the monitor first, because a scan keeps the filter with
/// which it began. Where there are no monitors, the discovery is begun anew every few seconds: then the controller reports
/// every beacon once more.
///
///     off → setting → starting → on          setting and starting: calls that are answered
///             ↑          |        |
///             |          ↓        ↓          refused, not answered, or ended by somebody else
///          stopping ← resting ←───┤
///             ↑───────────────────┘          begun anew
///
/// With a monitor, nothing is asked while the discovery goes on. After a silence bluetoothd is therefore asked for a sign of life,
/// at growing intervals, since the air may be quiet.
///
/// A power cycle, or the adapter's going, leads to `off`. Times are microseconds of a clock that never goes back.
public struct BlueZScan: Sendable {
    /// A method of the adapter, to be called; the answer is told with `answered`.
    public enum Call: Hashable, Sendable {
        /// org.bluez.AdvertisementMonitorManager1.RegisterMonitor
        case registerMonitor
        /// org.bluez.Adapter1.SetDiscoveryFilter: LE, with duplicates.
        case setDiscoveryFilter
        /// org.bluez.Adapter1.StartDiscovery
        case startDiscovery
        /// org.bluez.Adapter1.StopDiscovery
        case stopDiscovery
        /// org.freedesktop.DBus.Peer.Ping
        case ping
    }

    private enum Monitor {
        case missing
        /// Asked for; the answer comes, then it is activated or released.
        case awaited(until: Int64)
        case active
        case refused(String)
    }

    private enum Discovery {
        case off, resting, stopping, setting, starting
        case on(since: Int64)
    }

    /// bluetoothd answers when the controller has: after 10 s it does not.
    private static let answerTime = 10 * Int64.second
    /// A discovery that held for so long was a good one; the next is not delayed for what failed before it.
    private static let settled = 10 * Int64.second
    /// How long a scan lasts that filters duplicates.
    static let filteredScan = 5 * Int64.second
    /// Where others discover too, ours does not end the scan. The kernel ends every discovery after 10.24 s, and bluetoothd
    /// begins the next one 5 s later at most.
    private static let longestFilteredScan = 20 * Int64.second

    /// With the time for the answer less than the shortest exit time: nobody leaves because bluetoothd hangs.
    private static let silenceTime = 5 * Int64.second
    private static let signTime = 2 * Int64.second

    private var isThere = false
    private var isPowered: Bool?
    private var offersMonitors = false
    private var monitor = Monitor.missing
    private var discovery = Discovery.off
    private var backoff = Backoff()
    private var discoveryDue: Int64?
    /// When a sign of life is asked for, or must have come.
    private var signDue: Int64?
    private var isSignAwaited = false
    /// Signs that were asked for in the present silence.
    private var signs = 0
    private var scanBegan: Int64 = 0
    private var hasPaused = false
    private var calls: [Call] = []

    /// What the user should know; `nil` before there is anything to tell.
    public private(set) var status: Status?
    /// Scans begun so far. In each the controller reports every beacon anew, whether it filters duplicates or not.
    public private(set) var scans = 0
    /// What was counted.
    public private(set) var counts = ScannerStatistics()

    /// An adapter that is not known yet.
    public init() {}

    /// What to call now.
    public mutating func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// When `advance` must be called.
    public var deadline: Int64? {
        var until: Int64?
        if case .awaited(let moment) = monitor { until = moment }
        return [until, discoveryDue, signDue].compactMap(\.self).min()
    }

    /// Whether the duplicates that the controller filters are missed.
    private var filtersDuplicates: Bool { if case .active = monitor { false } else { true } }

    // MARK: What happens

    /// The adapter is there; or, where it was already, another of its properties is known.
    public mutating func appeared(isPowered: Bool? = nil, offersMonitors: Bool? = nil, at now: Int64) {
        isThere = true
        if let offersMonitors, offersMonitors != self.offersMonitors {
            self.offersMonitors = offersMonitors
            if !offersMonitors { monitor = .missing }
        }
        if let isPowered { self.isPowered = isPowered }
        if self.isPowered == false { rest(.poweredOff) }
        proceed(at: now)
    }

    /// The adapter, or bluetoothd, has gone.
    public mutating func disappeared(_ status: Status) {
        (isThere, isPowered, offersMonitors, monitor) = (false, nil, false, .missing)
        calls = []
        rest(status)
    }

    /// The adapter's property `Discovering`: it is on as long as anybody's discovery is.
    public mutating func changed(isDiscovering: Bool, at now: Int64) {
        guard !isDiscovering else { return }
        hasPaused = true
        guard case .on = discovery else { return }
        counts.scanRestarts += 1
        fail(Status(state: .paused, detail: "the discovery was ended from elsewhere; it is begun anew"), at: now)
    }

    /// bluetoothd has activated the monitor.
    public mutating func activatedMonitor(at now: Int64) {
        monitor = .active
        // The scan that is on keeps the filter with which it began.
        if case .on = discovery { discoveryDue = now }
        tellListening()
        proceed(at: now)
    }

    /// bluetoothd does not need the monitor any more, or never could.
    public mutating func releasedMonitor(at now: Int64) {
        guard isThere else { return }
        monitor = .refused("bluetoothd has released it")
        if case .on = discovery { discoveryDue = now + Self.filteredScan }
        tellListening()
        proceed(at: now)
    }

    /// bluetoothd has said something, whatever it was.
    public mutating func heard(at now: Int64) {
        guard signDue != nil else { return }
        signs = 0
        awaitSilence(at: now)
    }

    /// A call was answered.
    public mutating func answered(_ call: Call, _ refusal: Refusal?, at now: Int64) {
        if call == .ping {
            // Also an error is a sign.
            if isSignAwaited { awaitSilence(at: now) }
            return
        }
        if refusal != nil, call != .stopDiscovery { counts.commandsRefused += 1 }
        switch (call, discovery) {
        case (.registerMonitor, _):
            guard let refusal, case .awaited = monitor else { return }
            monitor = .refused(refusal.message)
            proceed(at: now)
        // What there was to stop has ended, one way or the other.
        case (.stopDiscovery, .stopping): request(.setDiscoveryFilter, .setting, at: now)
        case (.setDiscoveryFilter, .setting):
            if let refusal { return fail(Status(refusal), at: now) }
            request(.startDiscovery, .starting, at: now)
        case (.startDiscovery, .starting):
            if let refusal, refusal.name != "org.bluez.Error.InProgress" { return fail(Status(refusal), at: now) }
            begin(at: now)
        default: break
        }
    }

    /// Time has passed.
    public mutating func advance(to now: Int64) {
        if case .awaited(let until) = monitor, until <= now {
            counts.commandTimeouts += 1
            monitor = .refused("it was not activated in time")
            proceed(at: now)
        }
        if let due = signDue, due <= now { endSilence(at: now) }
        guard let due = discoveryDue, due <= now else { return }
        switch discovery {
        case .off: break
        case .on:
            backoff.reset()
            request(.stopDiscovery, .stopping, at: now)
        case .resting: request(.stopDiscovery, .stopping, at: now)
        case .stopping, .setting, .starting:
            counts.commandTimeouts += 1
            fail(Status(state: .failed, detail: "bluetoothd does not answer"), at: now)
        }
    }

    // MARK: What is done

    private mutating func proceed(at now: Int64) {
        guard isThere, isPowered == true else { return }
        if case .missing = monitor, offersMonitors {
            calls.append(.registerMonitor)
            monitor = .awaited(until: now + Self.answerTime)
        }
        if case .awaited = monitor { return }
        if case .off = discovery { request(.setDiscoveryFilter, .setting, at: now) }
    }

    private mutating func request(_ call: Call, _ state: Discovery, at now: Int64) {
        calls.append(call)
        signDue = nil
        discovery = state
        discoveryDue = now + Self.answerTime
        if case .stopping = state { hasPaused = false }
    }

    private mutating func begin(at now: Int64) {
        if status?.state != .listening || hasPaused || now - scanBegan >= Self.longestFilteredScan {
            scans += 1
            scanBegan = now
        }
        discovery = .on(since: now)
        discoveryDue = filtersDuplicates ? now + Self.filteredScan : nil
        signs = 0
        if !filtersDuplicates { awaitSilence(at: now) }
        tellListening()
    }

    private mutating func awaitSilence(at now: Int64) {
        isSignAwaited = false
        signDue = now + min(Self.silenceTime << min(signs, 4), Backoff.longest)
    }

    private mutating func endSilence(at now: Int64) {
        guard !isSignAwaited else {
            counts.commandTimeouts += 1
            return fail(Status(state: .failed, detail: "bluetoothd does not answer"), at: now)
        }
        calls.append(.ping)
        signs += 1
        isSignAwaited = true
        signDue = now + Self.signTime
    }

    private mutating func fail(_ status: Status, at now: Int64) {
        if case .on(let since) = discovery, now - since >= Self.settled { backoff.reset() }
        self.status = status
        signDue = nil
        discovery = .resting
        discoveryDue = now + backoff.next()
    }

    private mutating func rest(_ status: Status) {
        self.status = status
        signDue = nil
        discovery = .off
        discoveryDue = nil
        backoff.reset()
    }

    private mutating func tellListening() {
        guard case .on = discovery else { return }
        status =
            switch monitor {
            case .active: .listening
            case .missing, .awaited:
                .filtering("bluetoothd offers no advertisement monitors; started with --experimental it does")
            case .refused(let reason): .filtering("bluetoothd refuses an advertisement monitor: \(reason)")
            }
    }
}
