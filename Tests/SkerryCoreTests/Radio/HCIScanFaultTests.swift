import Testing

@testable import SkerryCore

@Suite("A controller that does not do what it is told")
struct HCIScanFaultTests {
    @Test("a controller that does not answer: set up again, then opened anew, at growing intervals")
    func dead() {
        let course = ScanCourse()
        course.isDead = true
        #expect(course.setUp() == ["2003"])
        #expect(
            course.run(until: 200) == [
                "3: 2003", "7: reopen 2003", "13: reopen 2003", "23: reopen 2003", "41: reopen 2003", "75: reopen 2003",
                "137: reopen 2003", "199: reopen 2003",
            ])
        #expect(course.news() == ["failed: the controller does not answer LE Read Local Supported Features"])
        #expect(course.counts.commandTimeouts == 8)
        #expect(course.counts.reopened == 7)
        // It comes back, and stays; what fails later is not delayed for what failed before.
        course.isDead = false
        #expect(course.run(until: 261) == ["261: reopen 2003 2042 2041 2042"])
        #expect(course.news() == ["listening: passive extended scan on LE 1M"])
        #expect(course.run(until: 275) == ["266: 2042 2041 2042"])
        course.isDead = true
        #expect(course.run(until: 279) == ["276: 2042", "279: 2003"])
        #expect(course.news() == ["failed: the controller does not answer LE Set Extended Scan Enable"])
    }

    @Test("where it is allowed, power cycles and opening anew take turns")
    func deadWithPower() {
        let course = ScanCourse(mayPowerCycle: true)
        course.isDead = true
        _ = course.setUp()
        #expect(
            course.run(until: 50) == [
                "3: 2003", "7: power cycle 2003", "13: reopen 2003", "23: power cycle 2003", "41: reopen 2003",
            ])
        #expect(course.counts.controllerResets == 2)
    }

    @Test("an exclusive one is reset first")
    func deadExclusive() {
        let course = ScanCourse(isExclusive: true)
        course.isDead = true
        _ = course.setUp()
        #expect(course.run(until: 13) == ["3: c03", "7: reopen c03", "13: reopen c03"])
        #expect(course.counts.controllerResets == 1)
    }

    @Test("the answer to a command that was given up is not taken for another program's")
    func lateAnswer() {
        let course = ScanCourse()
        _ = course.open()
        _ = course.hear("0e0c01032000ff79010800000000")
        _ = course.hear("0e0401422000")
        _ = course.hear("0e0401412000")
        _ = course.pass(until: 2)
        _ = course.pass(until: 3)
        _ = course.news()
        #expect(course.hear("0e0401422000") == [])
        #expect(course.news() == [])
        // The second is, once the scan is on.
        #expect(course.obey(["032000"]).last == "2042")
        _ = course.news()
        #expect(course.hear("0e0401422000") == [])
        #expect(course.news() == ["paused: " + ScanCourse.interrupted])
    }

    @Test("what is refused both ways is a fault that says so")
    func refused() {
        let course = ScanCourse(mayPowerCycle: true)
        course.statuses = [0x2041: 0x0C, 0x200B: 0x0C]
        #expect(course.setUp() == ["2003", "2042", "2041", "200c", "200b"])
        #expect(course.news() == ["failed: the controller refuses LE Set Scan Parameters (status 0x0C)"])
        #expect(course.run(until: 1) == ["1: 2003 2042 2041 200c 200b"])
        #expect(course.run(until: 3) == ["3: power cycle 2003 2042 2041 200c 200b"])
        course.statuses = [0x2042: 0x1F]
        #expect(course.run(until: 7) == ["7: reopen 2003 2042 2041 2042"])
        #expect(course.news() == ["failed: the controller refuses LE Set Extended Scan Enable (status 0x1F)"])
        course.statuses = [0x2003: 0x03]
        #expect(course.run(until: 15) == ["15: power cycle 2003"])
        #expect(course.news() == ["failed: the controller refuses LE Read Local Supported Features (status 0x03)"])
        course.statuses = [:]
        #expect(course.run(until: 31) == ["31: reopen 2003 2042 2041 2042"])
        #expect(course.news() == ["listening: passive extended scan on LE 1M"])
    }

    @Test("a controller without LE is looked at again once a minute")
    func withoutLE() {
        let course = ScanCourse(mayPowerCycle: true)
        course.statuses = [0x2003: 0x01]
        _ = course.setUp()
        #expect(course.run(until: 130) == ["60: 2003", "120: 2003"])
        #expect(course.news() == ["unsupported: this controller has no Bluetooth LE"])
    }
}
