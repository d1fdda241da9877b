/// The sources of advertisements together. Those that listen decide: for one that can't hear, another one does, so that what
/// only it has heard leaves too.
struct Scanners {
    private var scanners: [Scanner] = []
    /// Listens whenever any of them does.
    private var anyone: Scanner?
    private var begin = Timestamp.earliest

    var indices: Range<Int> { scanners.indices }
    var names: [String] { scanners.map(\.name) }
    var clocks: [ScannerClock] { scanners.map(\.clock) }

    @inline(__always)
    subscript(number: Int) -> Scanner {
        _read { yield scanners[number] }
        _modify { yield &scanners[number] }
    }

    /// Adds a scanner that listens from now on.
    ///
    /// - Returns: Its number.
    mutating func add(name: String, at time: Timestamp) -> Int {
        if anyone == nil {
            begin = time
            var nobody = Scanner(name: "", listeningSince: time)
            nobody.clock.set(listening: false, filtersDuplicates: false, at: time)
            anyone = nobody
        }
        change(at: time) { $0.append(Scanner(name: name, listeningSince: time)) }
        return scanners.count - 1
    }

    /// Adds a source that never hears advertisements.
    ///
    /// - Returns: Its number.
    mutating func addSilent(name: String) -> Int {
        var scanner = Scanner(name: name, listeningSince: .earliest)
        scanner.clock.set(listening: false, filtersDuplicates: false, at: .earliest)
        scanners.append(scanner)
        return scanners.count - 1
    }

    /// Changes what decides about who listens.
    mutating func change(at time: Timestamp, _ body: (inout [Scanner]) -> Void) {
        settle(at: time)
        body(&scanners)
        appointStandIns(at: time)
    }

    /// Nobody has listened from `time` on for so many microseconds, and nothing was missed.
    mutating func sleep(from time: Timestamp, for span: Int64) {
        settle(at: time)
        for number in scanners.indices { scanners[number].clock.sleep(span) }
        appointStandIns(at: time + span)
    }

    private mutating func settle(at time: Timestamp) {
        for number in scanners.indices { settle(&scanners[number].clock, scanners[number].standIn, time) }
        if anyone != nil { settle(&anyone!.clock, anyone!.standIn, time) }
    }

    private mutating func appointStandIns(at time: Timestamp) {
        let listener = scanners.indices.first { scanners[$0].clock.isListening && !scanners[$0].clock.isDeaf(at: time) }
        let standIn = (listener ?? scanners.indices.first { scanners[$0].clock.isListening }).map {
            Scanner.StandIn(number: $0, begin: scanners[$0].clock.listened(at: time))
        }
        for number in scanners.indices {
            scanners[number].standIn = scanners[number].clock.isListening ? nil : standIn
        }
        anyone?.standIn = standIn
    }

    /// Counts what a stand-in has listened.
    private func settle(_ clock: inout ScannerClock, _ standIn: Scanner.StandIn?, _ time: Timestamp) {
        guard let standIn else { return }
        clock.credit(scanners[standIn.number].clock.listened(at: time) - standIn.begin)
    }

    // MARK: Listened time

    /// Microseconds that a scanner, or another for it, has listened.
    @inline(__always)
    func listened(_ number: Int, at time: Timestamp) -> Int64 {
        if scanners[number].clock.isListening { return scanners[number].clock.listened(at: time) }
        return listened(scanners[number], at: time)
    }

    private func listened(_ scanner: Scanner, at time: Timestamp) -> Int64 {
        guard let standIn = scanner.standIn else { return scanner.clock.listened(at: time) }
        return scanner.clock.listened(at: time) + scanners[standIn.number].clock.listened(at: time) - standIn.begin
    }

    /// When a scanner's listened time reaches `target`, if nothing is heard and nothing changes.
    func moment(_ number: Int, ofListened target: Int64, after now: Timestamp) -> Timestamp {
        moment(scanners[number], ofListened: target, after: now)
    }

    private func moment(_ scanner: Scanner, ofListened target: Int64, after now: Timestamp) -> Timestamp {
        guard let standIn = scanner.standIn else { return scanner.clock.moment(ofListened: target, after: now) }
        let missing = max(0, target - scanner.clock.listened(at: now))
        return scanners[standIn.number].clock.moment(ofListened: standIn.begin + missing, after: now)
    }

    /// When the first exit comes, if nothing more is heard.
    func nextExit(after now: Timestamp) -> Timestamp {
        scanners.indices.reduce(.never) { earliest, number in
            guard let first = scanners[number].exits.first else { return earliest }
            return min(earliest, moment(number, ofListened: first.deadline, after: now))
        }
    }

    /// When a scanner's listened time can reach `target`, whatever is heard. A silence that has begun ends by itself or
    /// with a report, which is a moment to look again.
    func earliestMoment(_ number: Int, ofListened target: Int64, after now: Timestamp) -> Timestamp {
        earliestMoment(scanners[number], ofListened: target, after: now)
    }

    private func earliestMoment(_ scanner: Scanner, ofListened target: Int64, after now: Timestamp) -> Timestamp {
        let direct: Timestamp
        if let standIn = scanner.standIn {
            let missing = max(0, target - scanner.clock.listened(at: now))
            direct = scanners[standIn.number].clock.earliestMoment(ofListened: standIn.begin + missing)
        } else {
            direct = scanner.clock.earliestMoment(ofListened: target)
        }
        return direct > now ? direct : moment(scanner, ofListened: target, after: now)
    }

    /// Before this moment no exit can come.
    func earliestExit(after now: Timestamp) -> Timestamp {
        scanners.indices.reduce(.never) { earliest, number in
            guard let first = scanners[number].exits.first else { return earliest }
            return min(earliest, earliestMoment(number, ofListened: first.deadline, after: now))
        }
    }

    /// Whether a scanner can hear: it listens and is not deaf.
    func hears(_ number: Int, at time: Timestamp) -> Bool {
        scanners[number].clock.isListening && !scanners[number].clock.isDeaf(at: time)
    }

    /// Microseconds in which any scanner listened, and the share of all the time since the first began.
    func listenedByAny(at time: Timestamp) -> (time: Int64, share: Double) {
        guard let anyone else { return (0, 1) }
        let listened = listened(anyone, at: time)
        return (listened, time > begin ? Double(listened) / Double(time - begin) : 1)
    }

    /// When any scanner will have listened for so long, if nothing more is heard.
    func moment(ofListenedByAny target: Int64, after now: Timestamp) -> Timestamp {
        anyone.map { moment($0, ofListened: target, after: now) } ?? .never
    }

    /// When any scanner can have listened for so long, whatever is heard.
    func earliestMoment(ofListenedByAny target: Int64, after now: Timestamp) -> Timestamp {
        anyone.map { earliestMoment($0, ofListened: target, after: now) } ?? .never
    }

    // MARK: Deafness

    /// When deafness may have to be told of some scanner.
    func nextDeafness(after now: Timestamp) -> Timestamp {
        scanners.reduce(.never) { min($0, $1.nextDeafness(after: now)) }
    }

    /// Scanners that hear nothing any more, and those whose silence counts again; each is given once.
    mutating func deafnessChanges(at time: Timestamp) -> [(number: Int, isDeaf: Bool)] {
        var changes: [(number: Int, isDeaf: Bool)] = []
        for number in scanners.indices where scanners[number].clock.isListening {
            let isDeaf = scanners[number].clock.isDeaf(at: time)
            guard isDeaf != scanners[number].isSaidToBeDeaf,
                !isDeaf || time >= scanners[number].clock.lastReport + ScannerClock.patience
            else { continue }
            scanners[number].isSaidToBeDeaf = isDeaf
            changes.append((number, isDeaf))
        }
        return changes
    }
}
