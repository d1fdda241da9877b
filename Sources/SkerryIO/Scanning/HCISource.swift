public import SkerryCore

/// Adapters that scan for this program over the kernel's HCI sockets: beside the kernel and other programs, or for this
/// program alone. They may come and go.
public final class HCISource: ScanSource {
    private let choice: AdapterChoice
    private let settings: HCIScanner.Settings
    private let events: AdapterEvents
    private var scans: [AdapterScan] = []
    /// Adapters that were not switched on since they came.
    private var arrivals: Set<UInt16> = []
    /// What was counted of scans that are no more.
    private var formerCounts = ScannerStatistics()
    private var hasBegun = false
    /// For the controllers to answer that the scan is off, in microseconds.
    private static let patience = Int64.second

    /// Finds the adapters that are there.
    ///
    /// - Throws: Where the one that is wanted is not there, and where this program may not scan. Where any is wanted and none
    ///   is there, it waits for one.
    public init(_ choice: AdapterChoice, _ settings: HCIScanner.Settings, into scan: inout Scan) throws(ScanError) {
        self.choice = choice
        var settings = settings
        let adapters: [Adapter]
        do throws(SystemError) {
            adapters = try Adapter.all()
            // Anybody may bind a raw socket, and hears nothing; the monitor channel is refused where that would be so.
            _ = try HCISocket(.monitor)
            events = try AdapterEvents()
        } catch {
            throw ScanError(error)
        }
        // Who could open it is in the first user namespace, where the capabilities of a process are those the kernel asks for.
        let mayAdminister = Capabilities.ofThisProcess.contains(.netAdmin)
        let wanted = choice.newcomers(among: adapters, known: [])
        guard !wanted.isEmpty || choice == .all else { throw .noAdapter(among: adapters.map(\.name), wanted: choice) }
        if settings.isExclusive {
            guard mayAdminister else {
                throw .notPermitted("an exclusive scan needs CAP_NET_ADMIN too: run it as root, or without --exclusive")
            }
            if let busy = wanted.first(where: \.isUp) {
                throw .unavailable(
                    "\(busy.name) is in use; 'bluetoothctl power off' or 'hciconfig \(busy.name) down' frees it")
            }
        } else {
            settings.mayPowerCycle = mayAdminister
        }
        self.settings = settings
        scans = wanted.map { AdapterScan($0, choice, settings, into: &scan) }
    }

    // MARK: In the loop

    /// Comings and goings first, then each adapter that is open.
    public var interests: [Poller.Interest] { [events.interest] + scans.compactMap(\.interest) }

    /// At once in the beginning.
    public var deadline: Int64? { hasBegun ? scans.compactMap(\.deadline).min() : .min }

    /// Of all adapters, also of those that are gone.
    public var counts: ScannerStatistics { scans.reduce(into: formerCounts) { $0 += $1.counts } }

    /// Reads what the adapters sent, and does what is due.
    public func step(_ ready: [Poller.Events], now: Int64, into scan: inout Scan) -> Bool {
        guard hasBegun else {
            hasBegun = true
            if scans.isEmpty { scan.report(.noAdapter) }
            let isManaged = settings.mayPowerCycle && BluetoothDaemon() != nil
            for adapter in scans { adapter.start(isManaged: isManaged, now, into: &scan) }
            return true
        }
        let isReadable = ready.map { $0.contains(.readable) }
        var rest = isReadable.dropFirst()
        var isDone = true
        for adapter in scans {
            let hasPackets = adapter.interest != nil && rest.popFirst() == true
            if !adapter.step(isReadable: hasPackets, now: now, into: &scan) { isDone = false }
        }
        // Last: what was heard of an adapter came before it went.
        if isReadable.first == true {
            for (change, index) in events.read() { follow(change, of: index, now, &scan) }
        }
        return isDone
    }

    private func follow(_ change: AdapterEvents.Change, of index: UInt16, _ now: Int64, _ scan: inout Scan) {
        if change == .added { arrivals.insert(index) }
        let hasJustCome = change != .added && arrivals.remove(index) != nil
        // An adapter that has just come has no address yet; it has one when it is on.
        if change == .added || change == .switchedOn { meetAdapters(beside: index, now, &scan) }
        if let adapter = scans.first(where: { $0.index == index }) {
            switch change {
            case .added: break
            case .switchedOn: adapter.switchedOn(hasJustCome: hasJustCome, now, into: &scan)
            case .switchedOff: adapter.switchedOff(now, into: &scan)
            case .removed: adapter.removed(now, into: &scan)
            }
        }
        // Another one may have the same address.
        if change == .removed { meetAdapters(beside: index, now, &scan) }
    }

    /// Adapters that are wanted and were not met under this name before. Those that are on begin, but for the one whose
    /// change is followed.
    private func meetAdapters(beside index: UInt16, _ now: Int64, _ scan: inout Scan) {
        for adapter in choice.newcomers(among: (try? Adapter.all()) ?? [], known: scans.map(\.index)) {
            // The one that was wanted by its address has come back under another name.
            if case .address = choice { endScans("it has come back as \(adapter.name)", &scan) }
            let new = AdapterScan(adapter, choice, settings, into: &scan)
            scans.append(new)
            if adapter.isUp, adapter.index != index { new.begin(now, into: &scan) }
        }
    }

    private func endScans(_ reason: String, _ scan: inout Scan) {
        for former in scans {
            former.stop(until: .min)
            formerCounts += former.counts
            scan.change(former.source, to: .ended, detail: reason)
        }
        scans = []
    }

    /// Switches the scans off.
    public func stop() {
        let deadline = MachineClock.monotonic + Self.patience
        for adapter in scans { adapter.stop(until: deadline) }
    }
}
