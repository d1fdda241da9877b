/// A log of a receiver that is played: what its reports come to, on the receivers' own clocks.
///
/// A fix comes as soon as its epoch has ended in the log, which is before anything later is needed: whoever merges it
/// with other inputs by time may read ahead.
public struct GPSLog {
    /// What comes next.
    public enum Next: Sendable {
        /// A fix, a heading, the loss of the place.
        case output(LocationSource.Output)
        /// More bytes must be supplied.
        case needsBytes
        /// What was passed over because it can't be read, for people.
        case damaged(String)
        /// The end. What is wrong with it, for people, where something is.
        case ended((name: Fault.Name, message: String)?)
    }

    /// What events call the log.
    public let name: String
    /// What the log is.
    public let kind: GPSLogKind
    private var stream: GPSDStream
    private var source = LocationSource()
    private var outputs: [LocationSource.Output] = []
    private var taken = 0
    private var ending: Next?
    /// Of what could not be read, so much was told.
    private var told = GPSDStream.Counts()

    /// - Parameters:
    ///   - name: What events shall call it.
    ///   - kind: What the log is; of what a receiver sent, gpsdecode has made the stream.
    ///   - stream: gpsd's JSON, of which nothing has been passed.
    public init(name: String, kind: GPSLogKind = .gpsd, stream: GPSDStream) {
        self.name = name
        self.kind = kind
        self.stream = stream
    }

    /// What was read and what was passed over.
    var lineCounts: GPSDStream.Counts { stream.counts }
    /// What the reports came to.
    var counts: LocationSource.Counts { source.counts }
    /// Bytes passed so far.
    public var position: UInt64 { stream.position }

    /// Reads once; see `GPSDStream.supply`.
    public mutating func supply<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        try unsafe stream.supply(read)
    }

    /// Goes on after an end that was only that of the moment.
    public mutating func resume() { stream.resume() }

    /// Ends the log here, because it can't be read further.
    public mutating func end() {
        guard ending == nil else { return }
        source.disconnect()
        outputs = outputs[taken...] + source.takeOutputs()
        taken = 0
        ending = .ended(nil)
    }

    /// Looks for what comes next.
    public mutating func next() -> Next {
        while taken == outputs.count {
            if let ending { return ending }
            switch stream.next() {
            case .report(let report): source.observe(report)
            case .needsBytes: return .needsBytes
            case .ended(let fault):
                source.disconnect()
                ending = .ended(fault)
                // The last line, which that tells of.
                if fault != nil { told.unreadableLines += 1 }
            }
            outputs = source.takeOutputs()
            taken = 0
            if let what = untoldDamage() { return .damaged(what) }
        }
        defer { taken += 1 }
        return .output(outputs[taken])
    }

    private mutating func untoldDamage() -> String? {
        let (before, now) = (told, stream.counts)
        told = now
        let kinds = [
            (now.unreadableLines - before.unreadableLines, "line", "can't be read"),
            (now.longLines - before.longLines, "line", "longer than \(GPSDStream.longestLine) bytes"),
            (now.unreadableMembers - before.unreadableMembers, "member", "of the wrong kind"),
        ]
        let met = kinds.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s") \($0.2)" }
        return met.isEmpty ? nil : "before byte \(position): " + met.joined(separator: ", ")
    }
}
