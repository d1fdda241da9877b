private import Glibc

/// The clocks of this machine (clock_gettime(2)).
public enum MachineClock {
    /// Microseconds of a clock that never goes back.
    public static var monotonic: Int64 { microseconds(of: CLOCK_MONOTONIC) }

    /// Microseconds that the machine slept since it was started, in which that clock stood still.
    public static var asleep: Int64 {
        // In this order, so that a pause between the two counts as no less than nothing.
        let awake = monotonic
        return microseconds(of: CLOCK_BOOTTIME) - awake
    }

    /// Microseconds since 1970 as the machine has them; somebody may set them.
    public static var wall: Int64 { microseconds(of: CLOCK_REALTIME) }

    private static func microseconds(of clock: clockid_t) -> Int64 {
        var now = timespec()
        unsafe clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}
