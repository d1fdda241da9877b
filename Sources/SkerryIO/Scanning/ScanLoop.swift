public import SkerryCore

/// Runs a scan: the one place where sources, gpsd and the output meet.
public struct ScanLoop {
    private let sources: [any ScanSource]
    private let gpsd: GPSDClient?
    private let state: StateFile?
    private let recording: CaptureFile?
    private let duration: Int64?
    private var manager = ServiceManager()
    private var poller = Poller()
    /// Who is woken so many microseconds late was stopped: by a signal, a debugger, a container that was paused.
    private static let stall = 2 * Int64.second
    /// At the end a reader has so many microseconds to take what waits for it.
    private static let patience = 5 * Int64.second

    /// - Parameters:
    ///   - sources: What hears advertisements; already told to the scan.
    ///   - gpsd: What knows the place.
    ///   - state: Where the states of regions are kept.
    ///   - recording: Where the scan's recorder writes to.
    ///   - duration: Microseconds after which the scan ends by itself.
    public init(
        sources: [any ScanSource], gpsd: GPSDClient?, state: StateFile? = nil, recording: CaptureFile? = nil,
        duration: Int64? = nil
    ) {
        self.sources = sources
        self.gpsd = gpsd
        self.state = state
        self.recording = recording
        self.duration = duration
    }

    /// Scans until the program is asked to end, the output is full, its time is over, its reader has gone, or a source can't
    /// begin (`failure`).
    ///
    /// - Throws: What the output throws. The scans are switched off in any case.
    public mutating func run(_ scan: inout Scan, into output: inout some LiveOutput & ~Copyable) throws(SystemError) {
        var isOver = false
        defer {
            if !isOver {
                for source in sources { source.stop() }
                recording?.finish(into: &scan)
                _ = state?.finish(scan.engine, clockOffset: scan.clockOffset)
            }
        }
        setClock(of: &scan)
        scan.start()
        manager.tellReady()
        var isBehind = false
        // Who is stopped may be so at work, too.
        var lastTurn = MachineClock.monotonic
        let end = duration.map { lastTurn + $0 }
        while !Signals.endRequested, lastTurn < end ?? .max, failure == nil {
            try pass(&scan, to: &output)
            if output.isFull { break }
            // What was told is kept.
            if let fault = state?.step(
                scan.engine, clockOffset: scan.clockOffset, now: MachineClock.monotonic)
            {
                scan.report(fault)
                try pass(&scan, to: &output)
            }
            let interests = sources.map(\.interests)
            let (gpsdInterest, stateInterest, outputInterest) = (gpsd?.interest, state?.interest, output.interest)
            let all = interests.flatMap(\.self) + [gpsdInterest, stateInterest, outputInterest].compactMap(\.self)
            let deadlines =
                sources.map(\.deadline) + [
                    gpsd?.deadline, scan.deadline, state?.deadline(scan.engine), recording?.deadline, output.deadline,
                    manager.deadline, end,
                ]
            let due = isBehind ? lastTurn : deadlines.compactMap(\.self).min()
            var ready = try poller.wait(for: all, until: due)[...]
            setClock(of: &scan)
            let now = MachineClock.monotonic
            if let due, now - max(lastTurn, due) > Self.stall { scan.stall(for: now - max(lastTurn, due)) }
            lastTurn = now
            isBehind = false
            for (source, wanted) in zip(sources, interests) {
                if !source.step(Array(ready.prefix(wanted.count)), now: now, into: &scan) { isBehind = true }
                ready = ready.dropFirst(wanted.count)
            }
            let ofGPSD = gpsdInterest == nil ? [] : ready.removeFirst()
            if stateInterest != nil { ready.removeFirst() }
            // What was heard before must be told before what falls due without it, and before the place of now.
            if !isBehind {
                if let gpsd { step(gpsd, ofGPSD, now, &scan) }
                scan.advance()
            }
            recording?.step(now: now, into: &scan)
            manager.step(now: now)
            if Signals.takeStatisticsRequest() { scan.tellStatistics(counts) }
            output.step(now: now)
            guard let ofOutput = ready.first else { continue }
            if ofOutput.contains(.writable) {
                try output.send()
            } else if ofOutput.contains(.closed) {
                return
            }
        }
        manager.tellStopping()
        for source in sources { source.stop() }
        setClock(of: &scan)
        if !isBehind { scan.advance() }
        if let fault = state?.finish(scan.engine, clockOffset: scan.clockOffset) { scan.report(fault) }
        recording?.finish(into: &scan)
        isOver = true
        scan.stop(counts)
        try pass(&scan, to: &output)
        try finish(&output)
    }

    /// Why the scan could not begin after all; `nil` where it did.
    public var failure: ScanError? { sources.compactMap(\.failure).first }

    private var counts: ScannerStatistics { sources.reduce(into: ScannerStatistics()) { $0 += $1.counts } }

    private func setClock(of scan: inout Scan) {
        // All at one moment: who is interrupted in between reads them again.
        for _ in 0..<3 {
            let before = MachineClock.monotonic
            let asleep = MachineClock.asleep
            let wall = MachineClock.wall
            let now = MachineClock.monotonic
            if now - before < 10_000 {
                return scan.setClock(monotonic: before, asleep: asleep, wall: Timestamp(microseconds: wall))
            }
        }
    }

    private func step(_ gpsd: GPSDClient, _ ready: Poller.Events, _ now: Int64, _ scan: inout Scan) {
        var outputs: [GPSDClient.Output] = []
        gpsd.step(ready, now: now, into: &outputs)
        scan.count(gpsd.counts)
        for output in outputs {
            switch output {
            case .report(let report): scan.receive(report)
            case .news(let news): scan.receive(news)
            }
        }
    }

    private mutating func pass(_ scan: inout Scan, to output: inout some LiveOutput & ~Copyable) throws(SystemError) {
        guard !scan.events.isEmpty else { return }
        try output.write(scan.events, sources: scan.engine.sourceNames)
        scan.drain()
        manager.tell(status: scan.summary)
    }

    /// Brings out what waits, unless the reader does not take it.
    private mutating func finish(_ output: inout some LiveOutput & ~Copyable) throws(SystemError) {
        let end = MachineClock.monotonic + Self.patience
        while output.waiting > 0, let interest = output.interest, MachineClock.monotonic < end {
            // A second signal ends the program at once, so the first need not cut this short.
            let ready = try poller.wait(for: [interest], until: end, heedsSignals: false)
            if ready.contains(where: { $0.contains(.writable) }) { try output.send() }
        }
    }
}
