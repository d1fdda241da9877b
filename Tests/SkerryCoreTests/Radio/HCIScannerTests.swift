import Testing

@testable import SkerryCore

/// Event bytes are those of controllers in captures, or written by the tables of the Core specification, volume 4, part E.
@Suite("The course of a controller's scan")
struct HCIScannerTests {
    @Test("what means nothing while an answer is awaited")
    func strangers() {
        for event in [
            "0e0401422000", "0e0401412000",  // answers to what was not asked, before anything is on
            "0e0301 0000", "0e0301 0320",  // no command; no status
            "0f0400010320", "0e00", "0e", "0f0301", "3e", "", "0f0401010000",
            "130501010001", ScanCourse.report, "3e00", "3e0113", "ff0100",
        ] {
            let course = ScanCourse(isExclusive: true)
            course.features = "ff00000000000000"
            _ = course.open()
            #expect(course.hear(event) == [], "\(event)")
            #expect(course.hear("0e0401030c00") == ["010c08ffffffffff1f0020"], "\(event)")
        }
    }

    @Test("a controller that takes no command yet is not sent one")
    func credits() {
        let course = ScanCourse(isExclusive: true)
        _ = course.open()
        #expect(course.hear("0e0400030c00") == [])
        // An answer to what was not sent yet is none.
        #expect(course.hear("0e0400010c00") == [])
        #expect(course.hear("0e03010000") == ["010c08ffffffffff1f0020"])
        #expect(course.hear("0e0400010c00") == [])
        #expect(course.hear("0f0400010000") == ["032000"])
        #expect(course.hear("0e0c00032000ff79010800000000") == [])
        #expect(course.deadline == 2)
        #expect(course.pass(until: 2) == [])
        #expect(course.news() == ["failed: the controller does not answer LE Set Event Mask"])
        // A reset is tried nevertheless.
        #expect(course.pass(until: 3) == ["030c00"])
    }

    @Test("beside the kernel, which counts itself, it does not count")
    func kernelCounts() {
        let course = ScanCourse()
        _ = course.open()
        #expect(course.hear("0e0c00032000ff00000000000000") == ["0c20020000"])
    }

    @Test("what fails outside, and when it is tried again")
    func failures() {
        let cases: [(HCIScanner.Failure, Bool, String, [String])] = [
            (
                .poweredOff, false, "poweredOff: the adapter is off; 'bluetoothctl power on' switches it on",
                ["22: 2003", "24: 2003", "26: 2003"]
            ),
            (
                .blocked, true, "poweredOff: blocked; 'rfkill unblock bluetooth' allows it",
                ["22: reopen", "24: reopen", "26: reopen"]
            ),
            (
                .unplugged, false, "failed: the adapter is gone; plug it in again",
                ["21: reopen", "23: reopen", "27: reopen"]
            ),
            (
                .notPermitted, true,
                "unauthorized: scanning needs CAP_NET_RAW, an exclusive scan CAP_NET_ADMIN",
                ["21: reopen", "23: reopen", "27: reopen"]
            ),
            (.other("x"), false, "failed: x", ["21: reopen", "23: reopen", "27: reopen"]),
        ]
        for (failure, isExclusive, news, tries) in cases {
            let course = ScanCourse(isExclusive: isExclusive)
            course.features = "ff00000000000000"
            _ = course.setUp()
            _ = course.news()
            course.now = 5
            _ = course.hear(ScanCourse.report)
            _ = course.run(until: 14)
            course.now = 20
            #expect(course.fail(failure) == [])
            #expect(course.news() == [news])
            var seen: [String] = []
            for _ in 0..<3 {
                let due = course.deadline!
                let actions = course.pass(until: due)
                seen.append("\(Int(due)): " + (actions == ["032000"] ? "2003" : actions[0]))
                #expect(course.fail(failure) == [])
            }
            #expect(seen == tries)
            #expect(course.news() == [])
            #expect(course.setUp().last == "200c")
            #expect(course.news() == ["listening: passive legacy scan on LE 1M"])
            // What could not be opened was not.
            #expect(course.counts.reopened == 0)
        }
    }

    @Test("on the way out the scan is switched off")
    func stopping() {
        var course = ScanCourse()
        #expect(course.stop() == nil)
        _ = course.setUp()
        #expect(course.stop() == "422006000000000000")
        #expect(course.deadline == nil)
        #expect(course.stop() == nil)
        course = ScanCourse(isExclusive: true)
        course.features = "ff00000000000000"
        _ = course.setUp()
        #expect(course.stop() == "0c20020000")
    }

    @Test("on the way out another program's scan is left alone")
    func stoppingBesideOthers() {
        var course = ScanCourse()
        _ = course.open()
        #expect(course.stop() == nil)
        course = ScanCourse()
        _ = course.setUp()
        _ = course.hear("0e0401422000")
        #expect(course.stop() == nil)
        // Ours may be on: nobody knows what became of the command.
        course = ScanCourse()
        _ = course.setUp()
        course.isDead = true
        #expect(course.run(until: 7) == ["5: 2042"])
        #expect(course.news().last == "failed: the controller does not answer LE Set Extended Scan Enable")
        #expect(course.stop() == "422006000000000000")
    }

    @Test("whatever comes, there is at most one command at a time and an end to every wait")
    func anything() {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<300 {
            let course = ScanCourse(
                isExclusive: round % 2 == 0, phys: [.oneM, .coded], mayPowerCycle: round % 3 == 0)
            var actions = course.open()
            for _ in 0..<60 {
                let opcodes: [UInt16] = [0x0C03, 0x0C01, 0x2003, 0x2001, 0x200B, 0x200C, 0x2041, 0x2042, 0]
                let opcode = opcodes.randomElement(using: &generator)!
                let status = UInt8.random(in: 0...0x20, using: &generator)
                actions =
                    switch Int.random(in: 0..<8, using: &generator) {
                    case 0: course.hear(generator.bytes(Int.random(in: 0..<12, using: &generator)).hex)
                    case 1: course.hear(([0x0F, 4, status, 1] + .le(opcode)).hex)
                    case 2: course.hear(ScanCourse.report)
                    case 3: course.pass(until: course.deadline ?? course.now)
                    case 4: course.fail(.other("x"))
                    default: course.hear(([0x0E, 4, 1] + .le(opcode) + [status % 3 == 0 ? 0 : status]).hex)
                    }
                #expect(actions.count <= 1)
                if actions == ["reopen"] || actions == ["power cycle"] { actions = course.open() }
                #expect(course.deadline != nil)
            }
        }
    }
}
