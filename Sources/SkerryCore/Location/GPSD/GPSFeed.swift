/// A live gpsd: the way of what it says into the engine.
struct GPSFeed {
    /// What events call it.
    let name: String
    private let source: SourceID
    private var reports = LocationSource()
    /// What the connection counted.
    var lines = GPSDStream.Counts()

    /// Microseconds by which a receiver's clock and the machine's may differ before one of them counts as wrong. A fix is
    /// then taken for as old as it was when it came.
    private static let agreement = 10 * Int64.second

    init(name: String, source: SourceID) {
        self.name = name
        self.source = source
    }

    /// When `advance` must be called, if nothing comes before.
    var due: Timestamp? { reports.due }

    /// What was counted so far.
    var statistics: GPSStatistics {
        var statistics = GPSStatistics()
        statistics.add(lines, reports.counts)
        return statistics
    }

    /// A report came.
    ///
    /// - Parameters:
    ///   - now: The engine's clock.
    ///   - offset: Microseconds from there to the wall clock, on which receivers have their times.
    mutating func receive(_ report: GPSDReport, at now: Timestamp, offset: Int64, _ engine: inout Engine) {
        reports.observe(report, now: now)
        pass(at: now, offset: offset, &engine)
    }

    /// gpsd came or went.
    mutating func receive(
        _ news: GPSDConnection.News, at now: Timestamp, offset: Int64, _ engine: inout Engine
    ) {
        guard case .disconnected(let reason, let advice) = news else { return }
        let message = [reason, advice].compactMap(\.self).joined(separator: "; ")
        let fault = Fault(domain: .gps, name: .network, message: "\(name): \(message)", isRecoverable: true)
        engine.emit(now, source, .error(fault))
        reports.disconnect(now: now)
        pass(at: now, offset: offset, &engine)
    }

    /// What is due is told.
    mutating func advance(to now: Timestamp, offset: Int64, _ engine: inout Engine) {
        guard let due, due <= now else { return }
        reports.advance(to: now)
        pass(at: now, offset: offset, &engine)
    }

    private mutating func pass(at now: Timestamp, offset: Int64, _ engine: inout Engine) {
        for output in reports.takeOutputs() {
            switch output {
            case .fix(var fix, _):
                let moment = fix.time.map { measured($0, now, offset) } ?? now
                fix.time = moment
                engine.observe(fix, from: source, at: moment)
            case .compass(let reading, _, let device, let time):
                let moment = time.map { measured($0, now, offset) } ?? now
                engine.observe(reading, device: device, from: source, at: moment)
            case .locationUnknown(let time): engine.losePlace(source, at: min(time, now))
            }
        }
    }

    /// When it was measured, on the engine's clock.
    private func measured(_ time: Timestamp, _ now: Timestamp, _ offset: Int64) -> Timestamp {
        let moment = time + -offset
        return abs(now - moment) <= Self.agreement ? min(moment, now) : now
    }
}
