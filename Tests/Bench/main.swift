// Decodes a capture that lies in memory, in turn with two references in C in the same process, one that checks what it
// reads and a bare one: once as they do it, from records to a table of identities, with the types of SkerryCore; once as
// a whole replay, which has a clock, a scan state, distinct addresses, all formats of beacons and counts of what is
// malformed besides. Prints for each round the nanoseconds of processor time that a report takes in checked C, in bare C,
// decoded and replayed, and a sighting in the estimators. Compiled together with the sources of SkerryCore.
//
//     in-memory FILE ROUNDS
//     in-memory circles ROUNDS
//
// The second form prints for each round the nanoseconds of a fix among 100 circles and among 100,000, and the seconds in
// which the first fix determines these.

import Glibc

guard CommandLine.arguments.count == 3, let rounds = Int(CommandLine.arguments[2]) else {
    fatalError("usage: in-memory FILE|circles ROUNDS")
}
if CommandLine.arguments[1] == "circles" {
    for _ in 0..<rounds {
        let (few, many) = (runCircles(100), runCircles(100_000))
        print(few.further * 1e9, many.further * 1e9, many.first)
    }
    exit(0)
}
guard let file = fopen(CommandLine.arguments[1], "rb") else {
    fatalError("\(CommandLine.arguments[1]) can't be opened")
}
fseek(file, 0, SEEK_END)
let length = ftell(file)
rewind(file)
let bytes = [UInt8](unsafeUninitializedCapacity: length) { room, count in
    count = fread(room.baseAddress, 1, length, file)
}
fclose(file)

func runReference() -> reference_counts {
    var counts = reference_counts()
    guard reference_decode(bytes, bytes.count, &counts) == 1 else { fatalError("too many identities for C") }
    return counts
}

func runChecked() -> reference_counts {
    var counts = reference_counts()
    guard checked_decode(bytes, bytes.count, 1, &counts) == 1 else { fatalError("malformed for C") }
    return counts
}

/// What the references do: records, events, reports, structures, iBeacons, table.
struct Decoding {
    private(set) var counts = reference_counts()
    private var table = BeaconTable(seed: 1)

    mutating func run(_ capture: RawSpan) {
        guard capture.isSomewhere else { return }
        let reader = BTSnoop(datalink: .h4)
        var (start, reports) = (BTSnoop.headerLength, UInt64(0))
        while case .record(let record, let length) = reader.next(capture.part(start, capture.byteCount)) {
            let from = start &+ record.start
            let payload = capture.part(from, from &+ record.count)
            start &+= length
            guard let event = HCIPacket.event(in: record, payload: payload) else { continue }
            // As the product does it: the event with one report apart from all others.
            if let report = AdvertisingReport(onlyOneIn: event) {
                reports &+= 1
                if !ADStructure.isPlain(report.data) { take(report, record.time) }
            } else if AdvertisingReport.isReported(in: event) {
                takeAll(event, record.time)
            }
        }
        counts.reports &+= reports
        counts.identities = UInt64(table.count)
    }

    @inline(never)
    private mutating func takeAll(_ event: RawSpan, _ time: Timestamp) {
        _ = AdvertisingReport.forEach(in: event) { report in
            counts.reports &+= 1
            take(report, time)
        }
    }

    @inline(never)
    private mutating func take(_ report: AdvertisingReport, _ time: Timestamp) {
        _ = ADStructure.forEach(in: report.data) { structure in
            sight(structure, report.receivedRSSI, time)
        }
    }

    @inline(__always)
    private mutating func sight(_ structure: ADStructure, _ rssi: Int8, _ time: Timestamp) {
        guard case .iBeacon(let frame)? = Beacon(structure) else { return }
        counts.ibeacons &+= 1
        let source = SourceID(rawValue: 0)
        let slot =
            table.find(frame.identity, source)
            ?? table.insert(
                Track(
                    identity: frame.identity, source: source, measuredPower: frame.measuredPower,
                    matches: 0, lastSeen: time))
        table[slot].hear(frame, rssi: rssi, at: time, listened: 0, scan: 0)
    }
}

func runDecoding() -> reference_counts {
    var decoding = Decoding()
    decoding.run(bytes.rawSpan)
    return decoding.counts
}

func runReplay() -> reference_counts {
    let wanted = EventKinds(.statistics)
    let everything = BeaconRegion(name: BeaconRegion.everything, isMonitored: false)!
    let engine = Engine(settings: ProximitySettings(profile: .adaptive), regions: [everything], wanted: wanted, seed: 1)
    var replay = Replay(engine: engine, version: "bench", command: "replay", seed: 1)
    var stream = CaptureStream(name: "bench", bytes: bytes)
    guard (try? stream.recognise()) == true else { fatalError("not a capture") }
    replay.add(stream)
    loop: while true {
        switch replay.run() {
        case .finished: break loop
        case .hasEvents: replay.drain()
        case .needsBytes, .reachedLimit, .allPaused: fatalError("the capture is not whole")
        }
    }
    let counts = replay.statistics
    return reference_counts(
        reports: counts.reports, ibeacons: counts.beacons.first { $0.name == "ibeacon" }?.count ?? 0,
        identities: UInt64(counts.identities.count))
}

func time(_ run: () -> reference_counts) -> (seconds: Double, counts: reference_counts) {
    let before = reference_cpu_time()
    let counts = run()
    return (reference_cpu_time() - before, counts)
}

let runs = [runChecked, runReference, runDecoding, runReplay]
for round in -1..<rounds {  // the first does not count: it meets cold caches
    var seconds = runs.map { _ in 0.0 }
    var counts = seconds.map { _ in reference_counts() }
    for turn in runs.indices {
        let which = (turn + round + 1) % runs.count
        (seconds[which], counts[which]) = time(runs[which])
    }
    for other in counts.dropFirst() {
        guard other.reports == counts[0].reports, other.ibeacons == counts[0].ibeacons,
            other.identities == counts[0].identities
        else { fatalError("C counted \(counts[0]), Skerry \(other)") }
    }
    guard round >= 0 else { continue }
    let before = reference_cpu_time()
    let sightings = runProximity()
    let sighting = (reference_cpu_time() - before) * 1e9 / Double(sightings)
    let scale = 1e9 / Double(counts[0].reports)
    print(seconds.map { "\($0 * scale)" }.joined(separator: " "), sighting)
}
