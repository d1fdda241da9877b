public import SkerryCore

/// Hears what adapters hear that others let scan, over the kernel's monitor channel. It sends nothing: nobody is disturbed,
/// and nothing is heard unless somebody scans. The commands of others tell whether they do.
public final class MonitorSource: ScanSource {
    private let choice: AdapterChoice
    private let socket: HCISocket
    private var adapters: [Listener] = []
    private var statistics = ScannerStatistics()
    /// Whether packets were lost behind those that still wait.
    private var hasLost = false
    private var hasBegun = false
    private static let turn = 128

    /// One adapter.
    private struct Listener {
        var number: UInt16
        let name: String
        let source: SourceID
        /// Whether it scans is not known: it was on before the channel was opened.
        var isUncertain = false
    }

    /// Finds the adapters that are there.
    ///
    /// - Throws: Where the one that is wanted is not there, and where this program may not listen. Where any is wanted and none
    ///   is there, it waits for one.
    public init(_ choice: AdapterChoice, into scan: inout Scan) throws(ScanError) {
        self.choice = choice
        do throws(SystemError) {
            socket = try HCISocket(.monitor)
        } catch {
            throw ScanError(error)
        }
        // The adapters there are come first.
        var names: [String] = []
        _ = try? socket.receive(limit: Self.turn) { (bytes, _) in
            guard let packet = MonitorPacket(bytes) else { return }
            switch packet.content {
            case .added(let name, let address):
                names.append(name)
                if choice.includes(name: name, address: address) { add(packet.adapter, name, &scan) }
            case .opened:
                guard let place = place(of: packet.adapter) else { return }
                adapters[place].isUncertain = true
            case .removed, .closed, .packet, .other: break
            }
        }
        guard !adapters.isEmpty || choice == .all else { throw .noAdapter(among: names, wanted: choice) }
    }

    /// One descriptor for all adapters.
    public var interests: [Poller.Interest] { [socket.interest] }

    /// At once in the beginning; then it waits for nothing else.
    public var deadline: Int64? { hasBegun ? nil : .min }

    /// What was lost; the rest is others' business.
    public var counts: ScannerStatistics { statistics }

    /// Reads what passed.
    public func step(_ ready: [Poller.Events], now: Int64, into scan: inout Scan) -> Bool {
        if !hasBegun {
            hasBegun = true
            if adapters.isEmpty { scan.report(.noAdapter) }
            for adapter in adapters { tell(adapter.isUncertain ? .opened : .closed, of: adapter.source, &scan) }
        }
        guard ready.first?.contains(.readable) == true else { return true }
        let isEmpty = try? socket.receive(limit: Self.turn) { (bytes, stamp) in
            if let packet = MonitorPacket(bytes) { follow(packet, stamp, &scan) }
        }
        if isEmpty == false { miss(socket.takeLost(), &scan) }
        if isEmpty == true, hasLost { doubt(&scan) }
        return isEmpty ?? true
    }

    /// There is no scan of ours.
    public func stop() { statistics.lost += socket.takeLost() }

    private func miss(_ count: UInt64, _ scan: inout Scan) {
        guard count > 0 else { return }
        statistics.lost += count
        hasLost = true
        scan.miss(count, of: adapters.map(\.source))
    }

    /// What was lost may have been the command that ended a scan, or the news that an adapter went.
    private func doubt(_ scan: inout Scan) {
        hasLost = false
        for place in adapters.indices {
            let adapter = Adapter(adapters[place].number)
            adapters[place].isUncertain = adapter?.isUp == true
            tell(adapter.map { $0.isUp ? .opened : .closed } ?? .removed, of: adapters[place].source, &scan)
        }
    }

    private func place(of number: UInt16) -> Int? { adapters.firstIndex { $0.number == number } }

    private func follow(_ packet: MonitorPacket, _ stamp: Timestamp?, _ scan: inout Scan) {
        if case .added(let name, let address) = packet.content, choice.includes(name: name, address: address) {
            add(packet.adapter, name, &scan)
        }
        guard let place = place(of: packet.adapter) else { return }
        let source = adapters[place].source
        if packet.content == .packet {
            settle(place, packet.packet, &scan)
            scan.receive(packet.packet, from: source, stamp: stamp)
        } else {
            tell(packet.content, of: source, &scan)
        }
    }

    private func tell(_ content: MonitorPacket.Content, of source: SourceID, _ scan: inout Scan) {
        switch content {
        case .added, .closed: scan.change(source, to: .poweredOff, detail: "the adapter is off")
        case .opened: scan.change(source, to: .paused, detail: "it is heard when another program scans")
        case .removed: scan.change(source, to: .failed, detail: "the adapter is gone; plug it in again")
        case .packet, .other: break
        }
    }

    /// One that comes back under its old name is the same source.
    private func add(_ number: UInt16, _ name: String, _ scan: inout Scan) {
        let known = adapters.first { $0.name == name }?.source
        adapters.removeAll { $0.name == name || $0.number == number }
        let source = known ?? scan.addSource(name: name, kind: "monitor")
        adapters.append(Listener(number: number, name: name, source: source))
    }

    /// An adapter whose commands were not seen scans where it reports something. Once seen, the commands tell.
    private func settle(_ place: Int, _ packet: HCIPacket, _ scan: inout Scan) {
        guard adapters[place].isUncertain, packet.setsScan || packet.reportsAdvertising else { return }
        adapters[place].isUncertain = false
        guard packet.kind == .event else { return }
        scan.change(adapters[place].source, to: .listening, detail: "another program scans")
    }
}
