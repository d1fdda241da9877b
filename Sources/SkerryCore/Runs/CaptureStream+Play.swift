extension CaptureStream {
    /// Plays the record that `next` has returned and those behind it, up to `bound`.
    mutating func play(
        until bound: Timestamp, to receiver: inout Receiver, statistics: inout Statistics,
        engine: inout Engine
    ) {
        var walk = RecordWalk(from: found, until: bound, clock: clock)
        found = nil
        reader.play(buffer, start..<end, &walk, to: &receiver, &statistics, &engine)
        clock = walk.clock
        found = walk.found
        records &+= walk.records
        advance(walk.length)
    }
}
