/// The clock of one capture: the latest time of any record so far. It does not go back.
struct CaptureClock {
    private(set) var now = Timestamp.earliest
    private(set) var lastTime = Timestamp.earliest

    init() {}

    /// The clock after a record that was the latest so far.
    init(now time: Timestamp) { (now, lastTime) = (time, time) }

    /// The time of the next record in order of the file.
    @inline(__always)
    mutating func note(_ time: Timestamp, _ statistics: inout Statistics) {
        if time < lastTime { statistics.timeJumps &+= 1 }
        lastTime = time
        if time > now { now = time }
    }
}
