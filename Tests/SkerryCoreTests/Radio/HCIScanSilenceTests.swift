import Testing

@testable import SkerryCore

@Suite("A scan that hears nothing")
struct HCIScanSilenceTests {
    @Test("quiet air: the scan is begun anew, at growing intervals, and nothing is told")
    func quiet() {
        for isExclusive in [false, true] {
            let course = ScanCourse(isExclusive: isExclusive, mayPowerCycle: true)
            _ = course.setUp()
            #expect(course.news() == ["listening: passive extended scan on LE 1M"])
            let renewals = [5, 15, 35, 75, 135, 195].map { "\($0): 2042 2041 2042" }
            #expect(course.run(until: 249) == renewals)
            #expect(course.news() == [])
            #expect(course.counts.scanRestarts == 6)
            #expect(course.counts.controllerResets == 0)
            // What is heard begins the count again.
            _ = course.hear(ScanCourse.report)
            #expect(course.run(until: 262) == ["254: 2042 2041 2042"])
        }
    }

    @Test("every kind of report counts, and nothing else")
    func reports() {
        for (event, isReport) in [
            (ScanCourse.report, true), ("3e020b00", true), ("3e020d00", true), ("3e0213 00", false),
            ("0e0301 0000", false),
            ("ff0100", false),
        ] {
            let course = ScanCourse()
            _ = course.setUp()
            course.now = 9
            _ = course.hear(event)
            _ = course.run(until: 10)
            #expect(course.counts.scanRestarts == (isReport ? 0 : 1), "\(event)")
        }
    }

    /// Reports, so many a second, for 20 s.
    private func busy(_ course: ScanCourse, _ rate: Int) {
        _ = course.setUp()
        _ = course.news()
        for count in 1...20 * rate {
            course.now = Double(count) / Double(rate)
            _ = course.hear(ScanCourse.report)
        }
    }

    @Test("full air that falls silent: begun anew three times, reset, opened anew, then it counts as quiet")
    func revival() {
        let silent = "deaf: nothing is heard where there was much"
        let course = ScanCourse(mayPowerCycle: true)
        busy(course, 20)
        #expect(
            course.run(until: 300) == [
                "25: 2042 2041 2042", "35: 2042 2041 2042", "55: 2042 2041 2042",
                "95: power cycle 2003 2042 2041 2042", "135: reopen 2003 2042 2041 2042", "175: 2042 2041 2042",
                "235: 2042 2041 2042", "295: 2042 2041 2042",
            ])
        // It is not said to listen only because commands are answered.
        #expect(course.news() == ["\(silent); the controller is reset", "\(silent); it is opened anew"])
        _ = course.hear(ScanCourse.report)
        #expect(course.news() == ["listening: passive extended scan on LE 1M"])
        #expect(course.counts.controllerResets == 1)
        #expect(course.counts.reopened == 1)
    }

    @Test("the same, exclusive, and without the right to switch off")
    func otherRevivals() {
        var course = ScanCourse(isExclusive: true)
        busy(course, 20)
        let all = "c03 c01 2003 2001 2042 2041 2042"
        #expect(
            course.run(until: 160) == [
                "25: 2042 2041 2042", "35: 2042 2041 2042", "55: 2042 2041 2042", "95: \(all)",
                "135: reopen \(all)",
            ])
        #expect(course.counts.controllerResets == 1)
        course = ScanCourse()
        busy(course, 20)
        #expect(
            course.run(until: 160) == [
                "25: 2042 2041 2042", "35: 2042 2041 2042", "55: 2042 2041 2042",
                "95: reopen 2003 2042 2041 2042", "135: 2042 2041 2042",
            ])
    }

    @Test("air that was never full, or thins out, is quiet")
    func thin() {
        var course = ScanCourse(mayPowerCycle: true)
        busy(course, 5)
        _ = course.run(until: 300)
        #expect(course.counts.controllerResets == 0)
        course = ScanCourse(mayPowerCycle: true)
        busy(course, 20)
        for second in 21...50 {
            course.now = Double(second)
            _ = course.hear(ScanCourse.report)
        }
        _ = course.run(until: 300)
        #expect(course.counts.controllerResets == 0)
    }

    @Test("it is revived again when it had heard something since")
    func revivedTwice() {
        let course = ScanCourse(mayPowerCycle: true)
        busy(course, 20)
        _ = course.run(until: 95)
        for count in 0..<200 {
            course.now = 95 + Double(count) / 20
            _ = course.hear(ScanCourse.report)
        }
        _ = course.run(until: 180)
        #expect(course.counts.controllerResets == 2)
        #expect(course.counts.reopened == 0)
    }
}
