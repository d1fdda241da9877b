/// What a source could not hear because packets of it were lost.
///
/// Of a time in which some were lost, the share that was received counts as listened: r of r + l packets. With half of them
/// lost an exit takes twice as long, with 99 of 100 lost a hundred times; between two sightings of who is still there passes
/// no more listened time than without a loss, and no loss stops the clock for ever. Losses are told behind the packets that
/// were read, so the rest of the time is owed until it has passed.
struct LossAccount {
    /// Microseconds that do not count as listened as soon as they have passed.
    private(set) var owed: Int64 = 0
    /// Until when it is known what was lost.
    private var settled: Timestamp
    /// Packets received since.
    private(set) var received: UInt64 = 0

    /// Nothing was lost before `time`.
    init(at time: Timestamp) { settled = time }

    /// A packet was received.
    mutating func receive() { received += 1 }

    /// All was read: nothing more was lost until now.
    mutating func settle(at time: Timestamp) {
        settled = time
        received = 0
    }

    /// Packets were lost since it was known last what was.
    ///
    /// - Parameter share: Of those that came, the part that was received, 0 to 1.
    mutating func lose(butFor share: Double, at time: Timestamp) {
        owed += Int64(Double(time - settled) * (1 - share))
        settle(at: time)
    }

    /// So many microseconds have passed without counting.
    mutating func pay(_ span: Int64) { owed -= span }
}
