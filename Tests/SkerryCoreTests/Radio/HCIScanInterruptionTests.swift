import Testing

@testable import SkerryCore

@Suite("A scan that others end")
struct HCIScanInterruptionTests {
    @Test(
        "others, and the controller itself, end a scan",
        arguments: [
            ("0e04010c2000", ScanCourse.interrupted, 0), ("0e0401422000", ScanCourse.interrupted, 0),
            ("0e0401030c00", "another program, or the kernel, reset the controller", 0),
            ("100100", "the controller reports a hardware error", 1), ("3e0111", "another program's scan has ended", 0),
        ] as [(String, String, UInt64)])
    func interruption(event: String, reason: String, resets: UInt64) {
        let course = ScanCourse()
        _ = course.setUp()
        _ = course.news()
        course.now = 5
        #expect(course.hear(event) == [])
        #expect(course.news() == ["paused: \(reason)"])
        // What else is seen until it begins again belongs to that.
        #expect(course.hear("0e0401030c00") == [])
        #expect(course.run(until: 6) == ["6: 2003 2042 2041 2042"])
        #expect(course.news() == ["listening: passive extended scan on LE 1M"])
        #expect(course.counts.scanRestarts == 1)
        #expect(course.counts.controllerResets == resets)
    }

    @Test("what others do without ending a scan")
    func noInterruption() {
        var course = ScanCourse()
        _ = course.setUp()
        _ = course.news()
        for event in ["0e04010b2000", "0e0401412000", "0e040142200c", "0f04000142 20", "0e03010000", "0e0401090c00"] {
            #expect(course.hear(event) == [])
        }
        #expect(course.news() == [])
        course = ScanCourse(isExclusive: true)
        _ = course.setUp()
        _ = course.news()
        // Nobody else commands this one.
        #expect(course.hear("0e0401030c00") == [])
        #expect(course.news() == [])
    }

    @Test("an interruption while commands are under way begins them again later")
    func interruptedSetup() {
        let course = ScanCourse()
        _ = course.open()
        _ = course.hear("0e0c01032000ff79010800000000")
        _ = course.hear("0e0401422000")
        // Another program's scan: the parameters would be refused.
        #expect(course.hear("0e0401422000") == [])
        #expect(course.hear("0e040141200c") == [])
        #expect(course.news() == ["paused: " + ScanCourse.interrupted])
        #expect(course.run(until: 1) == ["1: 2003 2042 2041 2042"])
        #expect(course.counts.commandsRefused == 0)
    }

    @Test("another program's answer, taken for ours while the scan is set up, does no harm")
    func othersAnswer() {
        let course = ScanCourse()
        _ = course.open()
        _ = course.hear("0e0c01032000ff79010800000000")
        #expect(course.hear("0e0401422000") == ["412008000001" + "0060006000"])
        // Ours.
        #expect(course.hear("0e0401422000") == [])
        #expect(course.hear("0e0401412000") == ["422006010000000000"])
        #expect(course.hear("0e0401422000") == [])
        #expect(course.news() == ["listening: passive extended scan on LE 1M"])
        #expect(course.counts.scanRestarts == 0)
    }

    @Test("the reset after a hardware error counts once")
    func hardwareError() {
        let course = ScanCourse(isExclusive: true)
        _ = course.setUp()
        #expect(course.counts.controllerResets == 0)
        _ = course.hear("100100")
        #expect(course.run(until: 1) == ["1: c03 c01 2003 2001 2042 2041 2042"])
        #expect(course.counts.controllerResets == 1)
    }

    @Test("two programs don't fight: the scan is begun again at growing intervals, until there is peace")
    func fight() {
        let course = ScanCourse()
        _ = course.setUp()
        var delays: [Double] = []
        for _ in 0..<8 {
            course.now += 5
            _ = course.hear("0e0401422000")
            delays.append(course.deadline! - course.now)
            _ = course.run(until: course.deadline!)
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(course.counts.scanRestarts == 8)
        course.now += 59
        _ = course.hear("0e0401422000")
        #expect(course.deadline == course.now + 60)
        _ = course.run(until: course.deadline!)
        course.now += 60
        _ = course.hear("0e0401422000")
        #expect(course.deadline == course.now + 1)
    }
}
