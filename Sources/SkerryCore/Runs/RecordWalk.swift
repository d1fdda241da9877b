/// A walk over records that lie in a buffer: how far it may go, and how far it came.
struct RecordWalk {
    /// Records after this moment wait.
    let bound: Timestamp
    /// The capture's own clock.
    var clock: CaptureClock
    /// What stands next: a record to begin with, then whatever ended the walk.
    var found: CaptureStep?
    /// Bytes and records passed.
    private(set) var length = 0
    private(set) var records: UInt64 = 0

    init(from found: CaptureStep?, until bound: Timestamp, clock: CaptureClock) {
        self.bound = bound
        self.clock = clock
        self.found = found
    }

    /// Plays the record found and those behind it, until one is later than the bound, is not wholly there, or the bus
    /// is full.
    @inline(never)
    mutating func play(
        _ container: inout some CaptureContainer, _ bytes: RawSpan, to receiver: inout Receiver,
        _ statistics: inout Statistics, _ engine: inout Engine
    ) {
        guard bytes.isSomewhere, case .record(var record, var recordLength) = found else { return }
        found = nil
        var (start, records) = (0, UInt64(0))
        // Before this moment, a record in order of time needs nobody to look at the clock.
        var due = min(engine.nextDue, bound.next)
        var heard = engine.lastReport(of: receiver.latestSource)
        while true {
            let from = start &+ record.start
            let payload = bytes.part(from, from &+ record.count)
            if record.time >= clock.now, record.time < due, record.time - heard <= ScannerClock.grace,
                let report = receiver.onlyReport(in: record, payload)
            {
                clock = CaptureClock(now: record.time)
                heard = record.time
                start &+= recordLength
                records &+= 1
                if ADStructure.isPlain(report.data) {
                    receiver.count(report, &statistics)
                } else {
                    engine.hear(receiver.latestSource, until: heard)
                    engine.advance(to: heard)
                    receiver.receive(report, at: heard, statistics: &statistics, engine: &engine)
                    due = min(engine.nextDue, bound.next)
                    guard engine.events.count < engine.batch else { break }
                }
            } else {
                engine.hear(receiver.latestSource, until: heard)
                guard play(record, payload, to: &receiver, &statistics, &engine) else {
                    found = .record(record, length: recordLength)
                    break
                }
                start &+= recordLength
                records &+= 1
                due = min(engine.nextDue, bound.next)
                heard = engine.lastReport(of: receiver.latestSource)
                guard engine.events.count < engine.batch else { break }
            }
            // Kept apart from `found`, so that it need not be put together to be taken apart.
            let step = container.next(bytes.part(start, bytes.byteCount))
            if case .record(let next, let nextLength) = step, next.time <= bound {
                (record, recordLength) = (next, nextLength)
                continue
            }
            if case .needs = step { break }
            found = step
            break
        }
        engine.hear(receiver.latestSource, until: heard)
        if records > 0 {
            statistics.note(records: records, last: clock.lastTime)
            engine.advance(to: clock.now)
        }
        self.records = records
        length = start
    }

    /// Plays one record of any kind. Apart from the loop, in which most records are single reports: with nothing else in
    /// it, the loop keeps its values in registers.
    ///
    /// - Returns: Whether it was played. What falls due on the way may fill the bus; then the record waits.
    @inline(never)
    private mutating func play(
        _ record: CaptureRecord, _ payload: RawSpan, to receiver: inout Receiver, _ statistics: inout Statistics,
        _ engine: inout Engine
    ) -> Bool {
        guard engine.advance(to: max(clock.now, record.time)) else { return false }
        clock.note(record.time, &statistics)
        if let packet = HCIPacket(record, payload: payload) {
            receiver.receive(packet, at: record.time, statistics: &statistics, engine: &engine)
        } else if let pdu = LinkLayerPDU(record, payload: payload) {
            receiver.receive(pdu, at: record.time, statistics: &statistics, engine: &engine)
        }
        return true
    }
}
