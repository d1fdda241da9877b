/// Turns the reports of one gpsd, or of a log of one, into fixes, headings and the loss of the place.
///
/// A state machine without a clock. Live, the present moment comes with each call, never going back, and `advance` is
/// due at `due`. In a log the receivers' own times are the clock.
public struct LocationSource {
    /// What the reports come to.
    public enum Output: Equatable, Sendable {
        /// A receiver's new fix. Its time is that of the receiver, else of the receipt; `nil` only in a log that has
        /// told no time yet.
        case fix(Fix, device: String?)
        /// What a compass said, and why its headings can't be used where they can't.
        case compass(CompassReading, rejection: HeadingRejection?, device: String?, time: Timestamp?)
        /// No receiver knows the place any more: Core Location's error 0. Told once; the next fix ends it.
        case locationUnknown(time: Timestamp)

        /// When it was measured or decided.
        var time: Timestamp? {
            switch self {
            case .fix(let fix, _): fix.time
            case .compass(_, _, _, let time): time
            case .locationUnknown(let time): time
            }
        }
    }

    /// What was counted.
    struct Counts: Equatable, Sendable {
        /// Fixes delivered.
        var fixes = 0
        /// Places that can't be (`FixReading.Rejection`).
        var rejected = 0
        /// Fixes dropped because they were not newer than the one before.
        var overtaken = 0
        /// Jumps of a receiver's clock that were followed: by more than a day, or back and kept up for ten fixes.
        var clockCorrections = 0
        /// Readings of a compass.
        var compass = 0
        /// Of these, readings whose headings can't be (`HeadingRejection.leavesNone`).
        var compassRejected = 0
    }

    /// After so long without a fix, the place is unknown.
    static let grace = 10 * Int64.second
    /// Live, silence is taken for the loss of the fix after so long: a cable may be out.
    static let silence = 60 * Int64.second
    /// More receivers than anybody connects; what comes beyond shares the last one's sequence.
    static let mostReceivers = 64

    private var receivers: [(device: String?, fixes: FixSequence)] = []
    private var counted = Counts()
    /// The latest time that a TPV report told.
    private var running: Timestamp?
    private var isPlaceKnown = false
    /// When the place becomes unknown unless a fix comes.
    private var unknownDue: Timestamp?
    private var outputs: [Output] = []
    /// In a log, what compasses said since the last report of a place: that one's epoch has not ended, and its fix was
    /// measured before.
    private var held: [Output] = []
    /// A compass a hundred times as fast as the receiver.
    private static let mostHeld = 128

    /// A source of which nothing is known yet.
    init() {}

    /// What was counted so far.
    var counts: Counts {
        receivers.reduce(into: counted) { counts, receiver in
            counts.overtaken += receiver.fixes.overtaken
            counts.clockCorrections += receiver.fixes.corrections
        }
    }

    /// When `advance` must be called, if nothing comes before.
    var due: Timestamp? { (receivers.map(\.fixes.due) + [unknownDue]).compactMap(\.self).min() }

    /// What the reports came to since the last call, in order.
    mutating func takeOutputs() -> [Output] {
        defer { outputs.removeAll(keepingCapacity: true) }
        return outputs
    }

    /// Takes a report.
    ///
    /// - Parameter now: Live, the moment of its receipt.
    mutating func observe(_ report: GPSDReport, now: Timestamp? = nil) {
        if let now { advance(to: now) }
        switch report {
        case .position(let tpv): observe(tpv, now)
        case .attitude(let att):
            counted.compass += 1
            if att.rejection?.leavesNone == true { counted.compassRejected += 1 }
            held.append(
                .compass(att.compass, rejection: att.rejection, device: att.device, time: att.time ?? now ?? running))
            if now != nil || held.count == Self.mostHeld { release() }
        case .device(let device) where !device.isActive:
            finish(receivers.firstIndex { $0.device == device.path })
            lose(now ?? running)
        default: break
        }
    }

    /// Tells what falls due until this moment: epochs that end by silence, a place that is lost.
    mutating func advance(to moment: Timestamp) {
        for index in receivers.indices where receivers[index].fixes.due.map({ $0 <= moment }) ?? false { finish(index) }
        guard let due = unknownDue, due <= moment else { return }
        unknownDue = nil
        isPlaceKnown = false
        outputs.append(.locationUnknown(time: due))
    }

    /// The connection to gpsd is gone, or the log is at its end: the epochs will not get another report.
    mutating func disconnect(now: Timestamp? = nil) {
        if let now { advance(to: now) }
        for index in receivers.indices { finish(index) }
        release()
        lose(now ?? running)
    }

    private mutating func observe(_ tpv: TPV, _ now: Timestamp?) {
        let endsEpoch = tpv.time == nil || tpv.time != running
        if let time = tpv.time { running = time }
        let moment = now ?? running
        var reading = FixReading(tpv)
        if case .fix(var fix) = reading, fix.time == nil {
            fix.time = moment
            reading = .fix(fix)
        }
        let index = receiver(tpv.device)
        let ended = receivers[index].fixes.observe(
            .init(reading: reading, time: tpv.time, moment: moment, due: now?.due(after: FixSequence.epochSilence)))
        if let ended { take(ended, index) }
        if endsEpoch { release() }
        // In a log, time goes on with its reports alone.
        if now == nil, let running { advance(to: running) }
    }

    private mutating func release() {
        outputs += held
        held.removeAll(keepingCapacity: true)
    }

    private mutating func receiver(_ device: String?) -> Int {
        if let known = receivers.firstIndex(where: { $0.device == device }) { return known }
        if receivers.count < Self.mostReceivers { receivers.append((device, FixSequence())) }
        return receivers.count - 1
    }

    private mutating func finish(_ index: Int?) {
        if let index, let ended = receivers[index].fixes.finish() { take(ended, index) }
    }

    private mutating func take(_ epoch: FixSequence.Epoch, _ index: Int) {
        guard case .fix(let fix) = epoch.reading else {
            if epoch.reading != .noFix { counted.rejected += 1 }
            return lose(epoch.moment)
        }
        counted.fixes += 1
        isPlaceKnown = true
        unknownDue = epoch.due == nil ? nil : epoch.moment?.due(after: Self.silence)
        outputs.append(.fix(fix, device: receivers[index].device))
    }

    /// From this moment on no fix may come any more.
    private mutating func lose(_ moment: Timestamp?) {
        guard isPlaceKnown, let due = moment?.due(after: Self.grace) else { return }
        unknownDue = min(unknownDue ?? .never, due)
    }
}
