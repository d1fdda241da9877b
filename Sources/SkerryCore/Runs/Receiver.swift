/// What one source of packets hears: decodes it, counts it, follows the host's scan commands, tells the engine.
struct Receiver {
    private let name: String
    /// A capture of the monitor channel has several.
    private var controllers: [Controller] = []
    private var latest = (number: -1, source: SourceID(rawValue: 0))
    private var fragments = FragmentAssembler()
    /// Adapters of one capture that are told apart; what further ones hear counts as heard by the last.
    static let maximumControllers = 64

    /// An adapter and what its host said of its scan.
    private struct Controller {
        let number: UInt16
        let source: SourceID
        var scan = HostScan()
    }

    init(name: String) { self.name = name }

    /// A receiver whose packets are all of one source that is known already.
    init(name: String, source: SourceID) {
        self.name = name
        controllers = [Controller(number: 0, source: source)]
        latest = (0, source)
    }

    /// The source of the first controller met.
    var firstSource: SourceID? { controllers.first?.source }

    /// The source of the controller met last; `nil` before any.
    var latestSource: SourceID? { latest.number >= 0 ? latest.source : nil }

    /// The report of a record that holds just one, complete in itself and heard by the controller met last; `nil` of other
    /// records, with which `receive` does what must be done.
    @inline(__always)
    @_lifetime(copy payload)
    func onlyReport(in record: CaptureRecord, _ payload: RawSpan) -> AdvertisingReport? {
        guard Int(record.controller) == latest.number, let event = HCIPacket.event(in: record, payload: payload),
            let report = AdvertisingReport(onlyOneIn: event), !mustJoin(report)
        else { return nil }
        return report
    }

    /// Takes in a plain report that `onlyReport` has found: all it does is to count.
    @inline(__always)
    func count(_ report: AdvertisingReport, _ statistics: inout Statistics) { count(Reception(report), &statistics) }

    /// Takes in a report that `onlyReport` has found, the engine having been told that something was heard. Apart from
    /// the loop over records: each of the two keeps its values in registers.
    @inline(never)
    func receive(
        _ report: AdvertisingReport, at time: Timestamp, statistics: inout Statistics, engine: inout Engine
    ) {
        let reception = Reception(report)
        count(reception, &statistics)
        Self.hear(report.data, of: reception, latest.source, time, &statistics, &engine)
    }

    @inline(__always)
    private func count(_ reception: Reception, _ statistics: inout Statistics) {
        statistics.reports &+= 1
        if reception.addressType != .anonymous { statistics.note(reception.address) }
        if reception.rssi == nil { statistics.rssiUnavailable &+= 1 }
    }

    /// Whether it is a fragment, or may be the end of some.
    @inline(__always)
    private func mustJoin(_ report: AdvertisingReport) -> Bool {
        report.pdu == .extended && (report.dataStatus != .complete || fragments.isWaiting)
    }

    /// Takes in a packet that was recorded at `time`, the engine's clock having been advanced to it.
    @inline(__always)
    mutating func receive(
        _ packet: HCIPacket, at time: Timestamp, statistics: inout Statistics, engine: inout Engine
    ) {
        switch packet.kind {
        case .event: receiveEvent(packet.bytes, controller: packet.controller, time, &statistics, &engine)
        case .command: receiveCommand(packet, time, &engine)
        case .data, .other: break
        }
    }

    /// Apart from the loop over records: each of the two keeps its values in registers.
    @inline(never)
    private mutating func receiveEvent(
        _ event: RawSpan, controller: UInt16, _ time: Timestamp, _ statistics: inout Statistics,
        _ engine: inout Engine
    ) {
        guard event.isSomewhere, AdvertisingReport.isReported(in: event) else {
            return receiveOtherEvent(event, controller: controller, time, &engine)
        }
        let source = source(controller, time, &engine)
        engine.hear(source, at: time)
        let faults = AdvertisingReport.forEach(in: event) { report in
            receive(report, controller: controller, source, time, &statistics, &engine)
        }
        if let faults { statistics.malformed.count(faults) }
    }

    /// Takes in what somebody else has made of a packet.
    mutating func receive(
        _ data: RawSpan, of reception: Reception, at time: Timestamp, statistics: inout Statistics,
        engine: inout Engine
    ) {
        engine.hear(latest.source, at: time)
        count(reception, &statistics)
        Self.hearOther(data, of: reception, latest.source, time, &statistics, &engine)
    }

    /// Takes in a link-layer packet.
    mutating func receive(
        _ pdu: LinkLayerPDU, at time: Timestamp, statistics: inout Statistics, engine: inout Engine
    ) {
        let source = source(0, time, &engine)
        engine.hear(source, at: time)
        switch pdu.content() {
        case .report(let report): receive(report, controller: 0, source, time, &statistics, &engine)
        case .malformed(let reason): statistics.malformed[reason] += 1
        case .notAReport: break
        }
    }

    /// Ends the sources; what waits for more fragments is given up.
    mutating func finish(statistics: inout Statistics, engine: inout Engine) {
        fragments.finish()
        statistics.fragmentsDropped += fragments.dropped
        for controller in controllers { engine.endSource(controller.source) }
    }

    @inline(__always)
    private mutating func receive(
        _ report: AdvertisingReport, controller: UInt16, _ source: SourceID, _ time: Timestamp,
        _ statistics: inout Statistics, _ engine: inout Engine
    ) {
        let reception = Reception(report)
        count(reception, &statistics)
        if mustJoin(report) {
            join(report, controller: controller, source, time, &statistics, &engine)
        } else {
            Self.hear(report.data, of: reception, source, time, &statistics, &engine)
        }
    }

    @inline(never)
    private mutating func join(
        _ report: AdvertisingReport, controller: UInt16, _ source: SourceID, _ time: Timestamp,
        _ statistics: inout Statistics, _ engine: inout Engine
    ) {
        // Not the engine's time, which may be ahead of what waited in the kernel.
        switch fragments.add(report, controller: controller, at: time) {
        case .alone: Self.hearOther(report.data, of: Reception(report), source, time, &statistics, &engine)
        case .incomplete: break
        case .whole(let bytes): Self.hearOther(bytes.rawSpan, of: Reception(report), source, time, &statistics, &engine)
        }
    }

    @inline(__always)
    private static func hear(
        _ data: RawSpan, of reception: Reception, _ source: SourceID, _ time: Timestamp,
        _ statistics: inout Statistics, _ engine: inout Engine
    ) {
        let fault = ADStructure.forEach(in: data) { structure in
            guard let beacon = Beacon(structure) else { return }
            engine.observe(beacon, in: structure, of: reception, from: source, at: time, statistics: &statistics)
        }
        if let fault { statistics.malformed[fault] += 1 }
    }

    /// `hear`, apart from the path that nearly all reports take.
    @inline(never)
    private static func hearOther(
        _ data: RawSpan, of reception: Reception, _ source: SourceID, _ time: Timestamp,
        _ statistics: inout Statistics, _ engine: inout Engine
    ) {
        hear(data, of: reception, source, time, &statistics, &engine)
    }

    /// The place of a controller, which becomes a source when its first packet is met.
    private mutating func controller(_ number: UInt16, _ time: Timestamp, _ engine: inout Engine) -> Int {
        if let known = controllers.firstIndex(where: { $0.number == number }) { return known }
        if controllers.count == Self.maximumControllers { return controllers.count - 1 }
        controllers.append(Controller(number: number, source: engine.addSource(name: name, at: time)))
        return controllers.count - 1
    }

    /// The source of a controller's packets; nearly always that of the packet before.
    @inline(__always)
    private mutating func source(_ number: UInt16, _ time: Timestamp, _ engine: inout Engine) -> SourceID {
        if latest.number == Int(number) { return latest.source }
        let source = controllers[controller(number, time, &engine)].source
        latest = (Int(number), source)
        return source
    }

    // MARK: The host's scan commands

    private mutating func receiveCommand(_ packet: HCIPacket, _ time: Timestamp, _ engine: inout Engine) {
        guard packet.bytes.byteCount >= 3 else { return }
        follow(packet, time, &engine)
    }

    /// Apart from the path that nearly all events take.
    @inline(never)
    private mutating func receiveOtherEvent(
        _ bytes: RawSpan, controller: UInt16, _ time: Timestamp, _ engine: inout Engine
    ) {
        let packet = HCIPacket(kind: .event, controller: controller, bytes: bytes)
        if HostScan.isTold(by: packet) { follow(packet, time, &engine) }
    }

    private mutating func follow(_ packet: HCIPacket, _ time: Timestamp, _ engine: inout Engine) {
        let place = controller(packet.controller, time, &engine)
        let source = controllers[place].source
        switch controllers[place].scan.follow(packet) {
        case .set:
            let state = controllers[place].scan.state
            engine.setScan(
                source, listening: state.hearsBeacons,
                filtersDuplicates: state.hearsBeacons && state.filtersDuplicates, at: time)
        case .undone: engine.undoScan(source, at: time)
        case nil: break
        }
    }
}
