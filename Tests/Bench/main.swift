// Decodes a capture that lies in memory, in turn with the C reference in the same process, and prints the ratios of
// processor time (C to Swift, so that more is better), one a line, with the nanoseconds that a report takes in each. Compiled together with the sources of SkerryCore.
//
//     in-memory FILE ROUNDS

import Glibc

guard CommandLine.arguments.count == 3, let rounds = Int(CommandLine.arguments[2]),
    let file = fopen(CommandLine.arguments[1], "rb")
else {
    fatalError("usage: in-memory FILE ROUNDS")
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

func runSkerry() -> reference_counts {
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
        case .needsBytes, .reachedLimit: fatalError("the capture is not whole")
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

for round in -1..<rounds {  // the first does not count: it meets cold caches
    let c, swift: (seconds: Double, counts: reference_counts)
    if round % 2 == 0 {
        (c, swift) = (time(runReference), time(runSkerry))
    } else {
        swift = time(runSkerry)
        c = time(runReference)
    }
    guard c.counts.reports == swift.counts.reports, c.counts.ibeacons == swift.counts.ibeacons,
        c.counts.identities == swift.counts.identities
    else { fatalError("C counted \(c.counts), Skerry \(swift.counts)") }
    guard round >= 0 else { continue }
    // The ratio, then nanoseconds a report of each.
    let scale = 1e9 / Double(c.counts.reports)
    print(c.seconds / swift.seconds, c.seconds * scale, swift.seconds * scale)
}
