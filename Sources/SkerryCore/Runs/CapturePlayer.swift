/// A capture within a replay: its own clock, and the way of its records into the engine.
struct CapturePlayer {
    var stream: CaptureStream
    private var receiver: Receiver

    init(_ stream: CaptureStream) {
        self.stream = stream
        receiver = Receiver(name: stream.name)
    }

    /// What events name as the source of its faults.
    var source: SourceID? { receiver.firstSource }
    /// The moment of its last record on its own clock, which does not go back.
    var now: Timestamp { stream.clock.now }

    /// Looks for the next record; `play` plays it.
    mutating func next() -> PlayerStep {
        switch stream.next() {
        case .record(let record): .due(max(record.time, now), time: record.time)
        case .needsBytes: .needsBytes
        case .damaged(let what): .damaged(what)
        case .ended(let fault): .ended(fault)
        }
    }

    /// Plays the record that was found and those behind it, up to a bound.
    mutating func play(until bound: Timestamp, _ statistics: inout Statistics, to engine: inout Engine) {
        stream.play(until: bound, to: &receiver, statistics: &statistics, engine: &engine)
    }

    /// Nothing more comes.
    mutating func finish(_ statistics: inout Statistics, _ engine: inout Engine) {
        receiver.finish(statistics: &statistics, engine: &engine)
    }
}
