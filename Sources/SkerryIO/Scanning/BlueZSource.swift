private import Glibc
public import SkerryCore

/// Hears through bluetoothd, over D-Bus; that needs no privileges.
public final class BlueZSource: ScanSource {
    private struct Adapter {
        let path: String
        let source: SourceID
        let monitor: BlueZMonitor
        var scan = BlueZScan()
        /// What was called and not answered, by the answer's serial.
        var calls: [UInt32: BlueZScan.Call] = [:]
        /// Scans that were told of.
        var scansTold = 0
    }

    private static let adapterInterface = "org.bluez.Adapter1"
    private static let managerInterface = "org.bluez.AdvertisementMonitorManager1"
    /// Microseconds in which bluetoothd must answer at the start; it may have to be started.
    private static let startTime = 10 * Int64.second
    /// Microseconds in which it must answer at the end.
    private static let stopTime = Int64.second
    /// More have no place on a machine.
    private static let mostAdapters = 32

    private let choice: AdapterChoice
    private let client: BlueZClient
    private var adapters: [Adapter] = []
    private var devices = BlueZDevices()
    /// What is to be asked at the start waits for the first step.
    private var hasBegun = false
    /// Whether it is not known yet if bluetoothd has what is wanted, since the bus is waited for.
    private var isStarting = true
    /// Why the bus is waited for.
    private var reasonToWait: String?
    /// Whether it was said whether there is any adapter.
    private var hasLookedForAdapters = false
    /// No adapter that is wanted, or nobody to ask.
    public private(set) var failure: ScanError?
    private var isStopped = false

    /// Connects to bluetoothd and finds its adapters; waits for that, ten seconds at most. Scanning begins in the loop; where any adapter is wanted and none is there,
    /// once one comes.
    ///
    /// - Parameters:
    ///   - choice: Which adapters are wanted, also of those that come later.
    ///   - bus: Addresses of the bus; `nil` for those of the environment, or else the usual one.
    ///   - waitsForBus: Whether a bus that is not there yet, as at boot, is waited for in the loop, for 30 s.
    public init(
        _ choice: AdapterChoice, bus: String? = nil, waitsForBus: Bool = true, into scan: inout Scan
    ) throws(ScanError) {
        self.choice = choice
        client = BlueZClient(bus ?? Self.systemBus)
        let end = MachineClock.monotonic + Self.startTime
        var poller = Poller()
        while isStarting {
            let now = MachineClock.monotonic
            var outputs: [BlueZClient.Output] = []
            _ = client.step(now: now, into: &outputs)
            for output in outputs { start(with: output, now, &scan) }
            if let failure { throw failure }
            if let reasonToWait, !waitsForBus { throw .unavailable(reasonToWait) }
            if reasonToWait != nil || !isStarting { return }
            guard now < end, !Signals.endRequested else {
                throw .unavailable("bluetoothd does not answer; systemctl status bluetooth tells more")
            }
            do throws(SystemError) {
                _ = try poller.wait(
                    for: [client.interest].compactMap(\.self), until: min(end, client.deadline ?? end))
            } catch {
                throw .unavailable(error.message)
            }
        }
    }

    /// What bluetoothd says before it is known whether it has what is wanted.
    private func start(with output: BlueZClient.Output, _ now: Int64, _ scan: inout Scan) {
        switch output {
        case .awaited(let reason): reasonToWait = reason
        case .went(let status):
            let reason = status.detail ?? ""
            fail(status.state == .unauthorized ? .notPermitted(reason) : .unavailable(reason))
        case .came(let objects):
            isStarting = false
            handle(output, now, &scan)
            guard adapters.isEmpty, choice != .all else { return }
            let names = objects.entries.filter { $0.value[Self.adapterInterface] != nil }.compactMap(\.key.text)
            fail(.noAdapter(among: names.map(Self.name), wanted: choice))
        default: handle(output, now, &scan)
        }
    }

    private func fail(_ error: ScanError) {
        failure = error
        client.close()
    }

    /// What `DBUS_SYSTEM_BUS_ADDRESS` says (D-Bus Specification, "System message bus").
    private static var systemBus: String {
        guard let address = unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS"), unsafe address.pointee != 0 else {
            return DBusConnection.systemAddress
        }
        return unsafe String(cString: address)
    }

    // MARK: ScanSource

    /// The connection to the bus.
    public var interests: [Poller.Interest] { [client.interest].compactMap(\.self) }

    /// At once in the beginning; then when bluetoothd must have answered, or is asked again.
    public var deadline: Int64? {
        guard !isStopped else { return nil }
        let others = [client.deadline] + adapters.map(\.scan.deadline)
        return hasBegun ? others.compactMap(\.self).min() : .min
    }

    /// What was counted for all adapters.
    public var counts: ScannerStatistics {
        var counts = adapters.reduce(into: ScannerStatistics()) { $0 += $1.scan.counts }
        counts.reopened += max(client.connections, 1) - 1
        return counts
    }

    /// Takes what bluetoothd has said, some hundred messages at most.
    public func step(_ ready: [Poller.Events], now: Int64, into scan: inout Scan) -> Bool {
        if !hasBegun, isStarting, let reasonToWait { scan.tell(.failed, "\(reasonToWait); it is waited for") }
        hasBegun = true
        var outputs: [BlueZClient.Output] = []
        let isDone = client.step(now: now, into: &outputs)
        for output in outputs {
            if isStarting { start(with: output, now, &scan) } else { handle(output, now, &scan) }
            proceed(now, &scan)
        }
        if !isStarting, !hasLookedForAdapters {
            hasLookedForAdapters = true
            if adapters.isEmpty, failure == nil { scan.report(.noAdapter) }
        }
        // An answer ends no silence: it was asked for.
        if outputs.contains(where: { if case .answered = $0 { false } else { true } }) {
            for index in adapters.indices { adapters[index].scan.heard(at: now) }
        }
        for index in adapters.indices { adapters[index].scan.advance(to: now) }
        proceed(now, &scan)
        return isDone
    }

    /// Ends discoveries and monitors, and hangs up.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        var waiting: Set<UInt32> = []
        for adapter in adapters {
            let stops = [
                client.call(adapter.path, Self.adapterInterface, "StopDiscovery"),
                client.call(
                    adapter.path, Self.managerInterface, "UnregisterMonitor", [.objectPath(adapter.monitor.path)]),
            ]
            waiting.formUnion(stops.compactMap(\.self))
        }
        let end = MachineClock.monotonic + Self.stopTime
        var poller = Poller()
        while !waiting.isEmpty, MachineClock.monotonic < end, let interest = client.interest {
            var outputs: [BlueZClient.Output] = []
            guard (try? poller.wait(for: [interest], until: end, heedsSignals: false)) != nil else { break }
            _ = client.step(now: MachineClock.monotonic, into: &outputs)
            for output in outputs {
                switch output {
                case .answered(let serial, _): waiting.remove(serial)
                case .called(let call): answer(call, end)
                case .went: waiting = []
                case .came, .awaited, .added, .removed, .changed: break
                }
            }
        }
        // Whatever was not answered ends with the connection.
        client.close()
    }

    // MARK: What bluetoothd says

    private func handle(_ output: BlueZClient.Output, _ now: Int64, _ scan: inout Scan) {
        switch output {
        case .came(let objects): meet(objects, now, &scan)
        case .awaited: break
        case .went(let status):
            for index in adapters.indices { remove(index, status) }
            devices.removeAll()
        case .added(let path, let interfaces):
            add(path, interfaces, now, &scan)
            if let properties = interfaces[BlueZDevices.interface] { hear(path, properties, &scan) }
        case .removed(let path, let interfaces):
            if interfaces.contains(BlueZDevices.interface) { devices.remove(path) }
            guard let index = adapters.firstIndex(where: { $0.path == path }) else { return }
            if interfaces.contains(Self.managerInterface) {
                adapters[index].scan.appeared(offersMonitors: false, at: now)
            }
            if interfaces.contains(Self.adapterInterface) { remove(index, Self.gone) }
        case .changed(let path, BlueZDevices.interface, let properties, let unknown):
            if unknown.contains("RSSI") { devices.forgetRSSI(path) }
            hear(path, properties, &scan)
        case .changed(let path, Self.adapterInterface, let properties, _):
            guard let index = adapters.firstIndex(where: { $0.path == path }) else { return }
            change(index, properties, now)
        case .changed: break
        case .answered(let serial, let failure):
            for index in adapters.indices {
                guard let call = adapters[index].calls.removeValue(forKey: serial) else { continue }
                let refusal = failure.map { BlueZScan.Refusal(name: $0.name, message: $0.message) }
                adapters[index].scan.answered(call, refusal, at: now)
            }
        case .called(let call): answer(call, now)
        }
    }

    private static let gone = BlueZScan.Status(state: .failed, detail: "the adapter has gone")

    /// bluetoothd came, or came back: what it has is all there is.
    private func meet(_ objects: DBusValue, _ now: Int64, _ scan: inout Scan) {
        devices.removeAll()
        let objects = objects.entries
        for index in adapters.indices {
            let isThere = objects.contains {
                $0.key.text == adapters[index].path && $0.value[Self.adapterInterface] != nil
            }
            if !isThere { remove(index, Self.gone) }
        }
        for (path, interfaces) in objects {
            guard let path = path.text else { continue }
            add(path, interfaces, now, &scan)
            // It may have been heard long ago.
            if let properties = interfaces[BlueZDevices.interface] { _ = devices.observe(path, properties) }
        }
    }

    /// An object has further interfaces.
    private func add(_ path: String, _ interfaces: DBusValue, _ now: Int64, _ scan: inout Scan) {
        let properties = interfaces[Self.adapterInterface]
        let known = adapters.firstIndex { $0.path == path }
        guard let index = known ?? properties.flatMap({ addAdapter(path, $0, &scan) }) else { return }
        // Before the adapter is known to be on, so that the monitor is there before the discovery.
        if interfaces[Self.managerInterface] != nil { adapters[index].scan.appeared(offersMonitors: true, at: now) }
        if let properties { change(index, properties, now) }
    }

    /// Adds the adapter at a path, if it is wanted.
    private func addAdapter(_ path: String, _ properties: DBusValue, _ scan: inout Scan) -> Int? {
        guard let text = properties["Address"]?.text,
            let address = BlueZDevices.address(text[...], separatedBy: ":"),
            choice.includes(name: Self.name(path), address: address), adapters.count < Self.mostAdapters
        else { return nil }
        let source = scan.addSource(name: Self.name(path), kind: "bluez")
        adapters.append(Adapter(path: path, source: source, monitor: BlueZMonitor(adapter: path)))
        return adapters.count - 1
    }

    /// The last part of a path: `hci0`.
    private static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    private func remove(_ index: Int, _ status: BlueZScan.Status) {
        adapters[index].scan.disappeared(status)
        adapters[index].calls = [:]
    }

    private func change(_ index: Int, _ properties: DBusValue, _ now: Int64) {
        if let isDiscovering = properties["Discovering"]?.boolean {
            adapters[index].scan.changed(isDiscovering: isDiscovering, at: now)
        }
        if let isPowered = properties["Powered"]?.boolean {
            adapters[index].scan.appeared(isPowered: isPowered, at: now)
        }
    }

    private func hear(_ path: String, _ properties: DBusValue, _ scan: inout Scan) {
        guard let adapter = adapters.first(where: { path.hasPrefix($0.path + "/") }),
            let sighting = devices.observe(path, properties), adapter.scan.status?.state == .listening
        else { return }
        unsafe scan.hear(
            sighting.data.span.bytes, address: sighting.address, addressType: sighting.addressType,
            rssi: sighting.rssi, from: adapter.source)
    }

    private func answer(_ call: DBusMessage, _ now: Int64) {
        for index in adapters.indices {
            guard let (answer, event) = adapters[index].monitor.answer(call) else { continue }
            if call.wantsReply { client.send(answer) }
            switch event {
            case .activated: adapters[index].scan.activatedMonitor(at: now)
            case .released: adapters[index].scan.releasedMonitor(at: now)
            case nil: break
            }
            return
        }
        guard call.wantsReply else { return }
        client.send(call.failure("org.freedesktop.DBus.Error.UnknownObject", "there is no \(call.path ?? "")"))
    }

    // MARK: What it is asked

    /// Calls what is to be called, and tells what has changed.
    private func proceed(_ now: Int64, _ scan: inout Scan) {
        for index in adapters.indices {
            for call in adapters[index].scan.takeCalls() {
                guard let serial = send(call, to: adapters[index]) else { continue }
                adapters[index].calls[serial] = call
            }
            guard let status = adapters[index].scan.status else { continue }
            let source = adapters[index].source
            if adapters[index].scan.scans != adapters[index].scansTold {
                adapters[index].scansTold = adapters[index].scan.scans
                scan.renew(source)
            }
            scan.change(
                source, to: status.state, detail: status.detail, filtersDuplicates: status.filtersDuplicates)
        }
    }

    private func send(_ call: BlueZScan.Call, to adapter: Adapter) -> UInt32? {
        switch call {
        case .registerMonitor:
            client.call(adapter.path, Self.managerInterface, "RegisterMonitor", [.objectPath(adapter.monitor.path)])
        case .setDiscoveryFilter:
            client.call(
                adapter.path, Self.adapterInterface, "SetDiscoveryFilter",
                [.properties(["Transport": .string("le"), "DuplicateData": .boolean(true)])])
        case .startDiscovery: client.call(adapter.path, Self.adapterInterface, "StartDiscovery")
        case .stopDiscovery: client.call(adapter.path, Self.adapterInterface, "StopDiscovery")
        case .ping: client.call(adapter.path, "org.freedesktop.DBus.Peer", "Ping")
        }
    }
}
