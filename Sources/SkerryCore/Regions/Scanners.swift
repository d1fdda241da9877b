/// The sources of advertisements together. A beacon that several have heard leaves when those that listen have lost it. What
/// only one has heard, others may not reach: it waits while that one can't hear, for ten minutes. Then, or once that one has
/// ended, another listens for it, so that nothing stays for ever that an adapter heard which was unplugged. While nobody
/// listens, nothing leaves.
struct Scanners {
    /// Microseconds for which a source that can't hear is waited for.
    static let longestAbsence = 600 * Int64.second

    /// By number, and behind them one that listens whenever any of them does.
    private var scanners: [Scanner]
    private var begin: Timestamp?

    init() {
        var anyone = Scanner(name: "", listeningSince: .earliest)
        anyone.clock.set(listening: false, filtersDuplicates: false, at: .earliest)
        scanners = [anyone]
    }

    private var anyone: Int { scanners.count - 1 }

    var indices: Range<Int> { 0..<anyone }
    var names: [String] { indices.map { scanners[$0].name } }
    var clocks: [ScannerClock] { indices.map { scanners[$0].clock } }

    @inline(__always)
    subscript(number: Int) -> Scanner {
        _read { yield scanners[number] }
        _modify { yield &scanners[number] }
    }

    /// Adds a scanner that listens from now on.
    ///
    /// - Returns: Its number.
    mutating func add(name: String, at time: Timestamp) -> Int {
        begin = begin ?? time
        change(at: time) { $0.insert(Scanner(name: name, listeningSince: time)) }
        return anyone - 1
    }

    /// Adds a source that never hears advertisements.
    ///
    /// - Returns: Its number.
    mutating func addSilent(name: String) -> Int {
        var scanner = Scanner(name: name, listeningSince: .earliest)
        scanner.clock.set(listening: false, filtersDuplicates: false, at: .earliest)
        insert(scanner)
        return anyone - 1
    }

    private mutating func insert(_ scanner: Scanner) { scanners.insert(scanner, at: anyone) }

    /// Changes what decides about who listens.
    mutating func change(at time: Timestamp, _ body: (inout Scanners) -> Void) {
        settle(at: time)
        body(&self)
        appointStandIns(at: time)
    }

    /// Some have not listened from `time` on for so many microseconds, and nothing was missed.
    mutating func sleep(from time: Timestamp, for span: Int64, _ numbers: [Int]) {
        change(at: time) { _ in }
        for number in numbers {
            scanners[number].clock.sleep(span)
            scanners[number].absentSince = scanners[number].absentSince.map { $0 + span }
        }
    }

    private mutating func settle(at time: Timestamp) {
        for number in scanners.indices {
            guard let standIn = scanners[number].standIn else { continue }
            let listened = scanners[standIn.number].clock.listened(at: time) - standIn.begin
            scanners[number].clock.credit(listened)
        }
    }

    private mutating func appointStandIns(at time: Timestamp) {
        let listener = indices.first { hears($0, at: time) }
        let standIn = (listener ?? indices.first { scanners[$0].clock.isListening }).map {
            Scanner.StandIn(number: $0, begin: scanners[$0].clock.listened(at: time))
        }
        for number in scanners.indices {
            let isListening = scanners[number].clock.isListening
            scanners[number].absentSince = isListening ? nil : scanners[number].absentSince ?? time
            if isListening { scanners[number].hasEnded = false }
            let isGone = number == anyone || endOfPatience(number, at: time).map { $0 <= time } ?? false
            scanners[number].standIn = isGone && standIn?.number != number ? standIn : nil
        }
    }

    /// Until when a scanner that can't hear is waited for; `nil` where it hears.
    private func endOfPatience(_ number: Int, at time: Timestamp) -> Timestamp? {
        if scanners[number].hasEnded { return time }
        if let since = scanners[number].absentSince { return since.due(after: Self.longestAbsence) }
        guard scanners[number].clock.isDeaf(at: time) else { return nil }
        return scanners[number].clock.lastReport.due(after: ScannerClock.grace + Self.longestAbsence)
    }

    /// When a scanner may have to be waited for no longer.
    func nextAbsence(after now: Timestamp) -> Timestamp {
        var earliest = Timestamp.never
        for number in indices where scanners[number].standIn == nil {
            guard let end = endOfPatience(number, at: now), end > now else { continue }
            earliest = min(earliest, end)
        }
        return earliest
    }

    // MARK: Listened time

    /// Microseconds that a scanner, or another for it, has listened.
    @inline(__always)
    func listened(_ number: Int, at time: Timestamp) -> Int64 {
        let listened = scanners[number].clock.listened(at: time)
        guard let standIn = scanners[number].standIn else { return listened }
        return listened + scanners[standIn.number].clock.listened(at: time) - standIn.begin
    }

    /// When a scanner's listened time reaches `target`, if nothing is heard and nothing changes.
    func moment(_ number: Int, ofListened target: Int64, after now: Timestamp) -> Timestamp {
        guard let standIn = scanners[number].standIn else {
            return scanners[number].clock.moment(ofListened: target, after: now)
        }
        let missing = max(0, target - scanners[number].clock.listened(at: now))
        return scanners[standIn.number].clock.moment(ofListened: standIn.begin + missing, after: now)
    }

    /// When a scanner's listened time can reach `target`, whatever is heard. A silence that has begun ends by itself or
    /// with a report, which is a moment to look again.
    func earliestMoment(_ number: Int, ofListened target: Int64, after now: Timestamp) -> Timestamp {
        let direct: Timestamp
        if let standIn = scanners[number].standIn {
            let missing = max(0, target - scanners[number].clock.listened(at: now))
            direct = scanners[standIn.number].clock.earliestMoment(ofListened: standIn.begin + missing)
        } else {
            direct = scanners[number].clock.earliestMoment(ofListened: target)
        }
        return direct > now ? direct : moment(number, ofListened: target, after: now)
    }

    /// When the first exit comes, if nothing more is heard.
    func nextExit(after now: Timestamp) -> Timestamp {
        var earliest = Timestamp.never
        for number in indices {
            guard let first = scanners[number].exits.first else { continue }
            earliest = min(earliest, moment(number, ofListened: first.deadline, after: now))
        }
        return earliest
    }

    /// Before this moment no exit can come.
    func earliestExit(after now: Timestamp) -> Timestamp {
        var earliest = Timestamp.never
        for number in indices {
            guard let first = scanners[number].exits.first else { continue }
            earliest = min(earliest, earliestMoment(number, ofListened: first.deadline, after: now))
        }
        return earliest
    }

    /// Whether a scanner can hear: it listens and is not deaf.
    func hears(_ number: Int, at time: Timestamp) -> Bool {
        scanners[number].clock.isListening && !scanners[number].clock.isDeaf(at: time)
    }

    /// Microseconds in which any scanner listened, and the share of all the time since the first began.
    func listenedByAny(at time: Timestamp) -> (time: Int64, share: Double) {
        let listened = listened(anyone, at: time)
        guard let begin, time > begin else { return (listened, 1) }
        return (listened, Double(listened) / Double(time - begin))
    }

    /// When any scanner will have listened for so long, if nothing more is heard.
    func moment(ofListenedByAny target: Int64, after now: Timestamp) -> Timestamp {
        moment(anyone, ofListened: target, after: now)
    }

    /// When any scanner can have listened for so long, whatever is heard.
    func earliestMoment(ofListenedByAny target: Int64, after now: Timestamp) -> Timestamp {
        earliestMoment(anyone, ofListened: target, after: now)
    }

    // MARK: Deafness

    /// When deafness may have to be told of some scanner.
    func nextDeafness(after now: Timestamp) -> Timestamp {
        var earliest = Timestamp.never
        for number in indices { earliest = min(earliest, scanners[number].nextDeafness(after: now)) }
        return earliest
    }

    /// Scanners that hear nothing any more, and those whose silence counts again; each is given once.
    mutating func deafnessChanges(at time: Timestamp) -> [(number: Int, isDeaf: Bool)] {
        var changes: [(number: Int, isDeaf: Bool)] = []
        for number in indices where scanners[number].clock.isListening {
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
