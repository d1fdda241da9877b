/// The engine's clock of a live run: it begins at the wall clock's time and goes on with one that never steps.
///
/// A step of the wall clock, as a machine without a battery makes when it first hears of the time, so ends nothing and lets
/// nothing wait; only what events call the time follows it. While the machine sleeps, it goes on.
public struct RunClock {
    /// Microseconds of difference that are a step; what is less comes from reading two clocks one after the other.
    static let step: Int64 = 100_000

    private let origin: (monotonic: Int64, asleep: Int64, wall: Timestamp)
    /// The engine's time.
    public private(set) var now: Timestamp
    /// Microseconds from the engine's time to the wall clock's.
    public private(set) var offset: Int64 = 0
    /// Microseconds that the machine has slept since the clock began.
    public private(set) var slept: Int64 = 0

    /// A clock that begins now.
    ///
    /// - Parameters:
    ///   - monotonic: Microseconds of a clock that never steps, and stands still while the machine sleeps.
    ///   - asleep: For how many microseconds it has stood still.
    ///   - wall: What the wall clock says.
    public init(monotonic: Int64, asleep: Int64 = 0, wall: Timestamp) {
        origin = (monotonic, asleep, wall)
        now = wall
    }

    /// Time has passed.
    ///
    /// - Returns: Microseconds by which the wall clock was set, if it was.
    public mutating func set(monotonic: Int64, asleep: Int64 = 0, wall: Timestamp) -> Int64? {
        if asleep - origin.asleep - slept >= Self.step { slept = asleep - origin.asleep }
        now = max(now, origin.wall + (monotonic - origin.monotonic + slept))
        let change = wall - now - offset
        guard abs(change) >= Self.step else { return nil }
        offset += change
        return change
    }

    /// The engine's time of a moment on the wall clock. What came since the clock was set is a little later than that; a
    /// stamp from the future is not believed.
    public func moment(ofWall wall: Timestamp) -> Timestamp {
        let moment = wall + -offset
        return moment - now <= .second ? moment : now
    }

    /// A moment on the clock that never steps.
    public func monotonic(of moment: Timestamp) -> Int64 { origin.monotonic + (moment - origin.wall) - slept }
}
