/// Reads records out of a capture of any kind; the kind is told by content, never by name.
struct CaptureReader {
    /// Longest record that is read; libpcap's own limit, many times the longest Bluetooth packet.
    static let maximumRecord = 262_144
    /// So many bytes of a file decide what it is.
    static let recognitionLength = 65_536

    /// The formats that can be read.
    enum Container {
        case unrecognised
        case btsnoop(BTSnoop)
        case pcap(Pcap)
        case pcapng(Pcapng)
        case packetLogger(PacketLogger)
        case hcidump(HCIDump)
    }

    private(set) var container = Container.unrecognised

    /// The container's name in `start` events; `nil` before it was recognised.
    var kind: String? {
        switch container {
        case .unrecognised: nil
        case .btsnoop: BTSnoop.name
        case .pcap: Pcap.name
        case .pcapng: Pcapng.name
        case .packetLogger: PacketLogger.name
        case .hcidump: HCIDump.name
        }
    }

    /// Tells what a capture is.
    ///
    /// - Parameters:
    ///   - buffer: Holds the file's first bytes.
    ///   - range: Where.
    ///   - isWhole: Whether they are `recognitionLength` bytes, or all that the file has.
    /// - Returns: Bytes to pass over before the first record; `nil` while more are needed to tell.
    /// - Throws: What was found instead.
    mutating func recognise(
        _ buffer: [UInt8], _ range: Range<Int>, isWhole: Bool
    ) throws(UnrecognisedCapture) -> Int? {
        let head = buffer.rawSpan.extracting(range)
        guard head.byteCount >= Pcap.headerLength || isWhole else { return nil }
        var headerLength = 0
        if head.byteCount >= BTSnoop.headerLength, head.be64(0) == BTSnoop.identification {
            guard head.be32(8) == 1 else { throw UnrecognisedCapture("btsnoop of version \(head.be32(8))") }
            guard let datalink = BTSnoop.Datalink(rawValue: head.be32(12)) else {
                throw UnrecognisedCapture(
                    "btsnoop with datalink \(head.be32(12)); 1001, 1002, 1003 and 2001 can be read")
            }
            headerLength = BTSnoop.headerLength
            container = .btsnoop(BTSnoop(datalink: datalink))
        } else if head.byteCount >= Pcap.headerLength, let pcap = Pcap(header: head) {
            if pcap.link == .other {
                throw UnrecognisedCapture(
                    "pcap of link type \(pcap.linkNumber), which holds no Bluetooth LE advertisements")
            }
            headerLength = Pcap.headerLength
            container = .pcap(pcap)
        } else if head.byteCount >= 12, head.be32(0) == Pcapng.sectionHeader {
            container = .pcapng(Pcapng())
        } else if !isWhole {
            return nil  // the other kinds have no mark; their records must tell
        } else if PacketLogger(isBigEndian: true).fits(head) {
            container = .packetLogger(PacketLogger(isBigEndian: true))
        } else if PacketLogger(isBigEndian: false).fits(head) {
            container = .packetLogger(PacketLogger(isBigEndian: false))
        } else if HCIDump().fits(head) {
            container = .hcidump(HCIDump())
        } else {
            throw UnrecognisedCapture(bytes: head)
        }
        return headerLength
    }

    /// What stands at the start of a range of a buffer, which begins where the step before ended.
    mutating func next(_ buffer: [UInt8], _ range: Range<Int>) -> CaptureStep {
        let bytes = buffer.rawSpan.extracting(range)
        switch container {
        case .unrecognised: return .broken("not recognised")
        case .btsnoop(let reader): return reader.next(bytes)
        case .pcap(let reader): return reader.next(bytes)
        case .packetLogger(let reader): return reader.next(bytes)
        case .hcidump(let reader): return reader.next(bytes)
        case .pcapng(var reader):
            let step = reader.next(bytes)
            container = .pcapng(reader)
            return step
        }
    }

    /// Plays the records of a range of a buffer, as far as `walk` goes.
    mutating func play(
        _ buffer: [UInt8], _ range: Range<Int>, _ walk: inout RecordWalk, to receiver: inout Receiver,
        _ statistics: inout Statistics, _ engine: inout Engine
    ) {
        let bytes = buffer.rawSpan.extracting(range)
        // The format is known to each loop; asking for every record costs more than reading one.
        switch container {
        case .unrecognised: break
        case .btsnoop(var reader): walk.play(&reader, bytes, to: &receiver, &statistics, &engine)
        case .pcap(var reader): walk.play(&reader, bytes, to: &receiver, &statistics, &engine)
        case .packetLogger(var reader): walk.play(&reader, bytes, to: &receiver, &statistics, &engine)
        case .hcidump(var reader): walk.play(&reader, bytes, to: &receiver, &statistics, &engine)
        case .pcapng(var reader):
            walk.play(&reader, bytes, to: &receiver, &statistics, &engine)
            container = .pcapng(reader)
        }
    }
}

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
                    guard engine.events.count < Engine.batch else { break }
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
                guard engine.events.count < Engine.batch else { break }
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

/// The clock of one capture: the latest time of any record so far. It does not go back.
struct CaptureClock {
    private(set) var now = Timestamp.earliest
    private(set) var lastTime = Timestamp.earliest

    init() {}

    /// The clock after a record that was the latest so far.
    init(now time: Timestamp) { (now, lastTime) = (time, time) }

    /// The time of the next record in order of the file.
    @inline(__always)
    mutating func note(_ time: Timestamp, _ statistics: inout Statistics) {
        if time < lastTime { statistics.timeJumps &+= 1 }
        lastTime = time
        if time > now { now = time }
    }
}
