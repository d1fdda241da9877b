import Testing

@testable import SkerryCore

@Suite struct RunClockTests {
    private static let begin = BTSnoopFile.begin

    @Test func stepsChangeOnlyTheOffset() {
        var clock = RunClock(monotonic: 5_000_000, wall: Self.begin)
        #expect(clock.set(monotonic: 6_000_000, wall: Self.begin + 1_000_050) == nil)
        #expect(clock.now == Self.begin + 1_000_000)
        #expect(clock.set(monotonic: 7_000_000, wall: Self.begin + 3_602_000_000) == 3_600_000_000)
        #expect(clock.now == Self.begin + 2_000_000)
        #expect(clock.offset == 3_600_000_000)
        #expect(clock.set(monotonic: 8_000_000, wall: Self.begin + 3_603_000_000) == nil)
        // A stamp of the kernel is on the wall clock, and may be later than the beginning of a turn; the future is now.
        #expect(clock.moment(ofWall: Self.begin + 3_603_000_500) == Self.begin + 3_000_500)
        #expect(clock.moment(ofWall: Self.begin + 3_602_500_000) == Self.begin + 2_500_000)
        #expect(clock.moment(ofWall: .latest) == clock.now)
        #expect(clock.monotonic(of: Self.begin + 9_000_000) == 14_000_000)
        #expect(clock.set(monotonic: 9_000_000, wall: Self.begin + -60_000_000) == -3_664_000_000)
        #expect(clock.now == Self.begin + 4_000_000)
    }

    /// The wall clock goes on in a sleep, the one that never steps does not.
    @Test func aSleepIsNoStep() {
        var clock = RunClock(monotonic: 5_000_000, asleep: 7_000_000, wall: Self.begin)
        // Clocks that are read one after the other differ a little.
        #expect(clock.set(monotonic: 6_000_000, asleep: 7_000_900, wall: Self.begin + 1_000_000) == nil)
        #expect(clock.slept == 0)
        #expect(clock.set(monotonic: 7_000_000, asleep: 3_607_000_000, wall: Self.begin + 3_602_000_000) == nil)
        #expect(clock.slept == 3_600_000_000)
        #expect(clock.now == Self.begin + 3_602_000_000)
        #expect(clock.monotonic(of: Self.begin + 3_603_000_000) == 8_000_000)
    }
}
