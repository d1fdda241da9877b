import Testing

@testable import SkerryCore

/// Event bytes are those of controllers in captures, or written by the tables of the Core specification, volume 4, part E.
@Suite("The course of a controller's scan")
struct HCIScannerTests {
    private static let report = "3e0d0201000101000000000cc000c5"
    private static let interrupted = "another program switched the scan off, or its own on"

    /// What a controller is sent, and what it answers; the last answer is followed by nothing.
    struct Conversation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var isExclusive = false
        var isActive = false
        var phys = HCIScanner.PHYs.oneM
        let lines: [(sent: String, answer: String)]
        let news: String
        var refusals: UInt64 = 0
    }

    static let conversations = [
        Conversation(
            testDescription: "a phone's controller with extended advertising, beside the kernel",
            lines: [
                ("032000", "0e0c01032000ff79010800000000"),
                ("422006000000000000", "0e0401422000"),
                ("412008000001 0060006000", "0e0401412000"),
                ("422006010000000000", "0e0401422000"),
            ], news: "listening: passive extended scan on LE 1M"),
        Conversation(
            testDescription: "one without, active", isActive: true,
            lines: [
                ("032000", "0e0c01032000ff00000000000000"),
                ("0c20020000", "0e04010c2000"),
                ("0b2007 01 6000 6000 00 00", "0e04010b2000"),
                ("0c20020100", "0e04010c2000"),
            ], news: "listening: active legacy scan on LE 1M"),
        Conversation(
            testDescription: "on two PHYs, of which each has half the time; a scan was left on", isActive: true,
            phys: [.oneM, .coded],
            lines: [
                ("032000", "0e0c01032000ef7f01ffbe050000"),
                ("422006000000000000", "0e0401422000"),
                ("41200d 00 00 05 01 c000 6000 01 c000 6000", "0e0402412000"),
                ("422006010000000000", "0e0402422000"),
            ], news: "listening: active extended scan on LE 1M and LE Coded"),
        Conversation(
            testDescription: "on LE Coded alone", phys: .coded,
            lines: [
                ("032000", "0e0c01032000ef7f01ffbe050000"),
                ("422006000000000000", "0e0401422000"),
                ("412008 00 00 04 00 6000 6000", "0e0402412000"),
                ("422006010000000000", "0e0402422000"),
            ], news: "listening: passive extended scan on LE Coded"),
        Conversation(
            testDescription: "a controller with extended advertising, but without LE Coded", phys: [.oneM, .coded],
            lines: [
                ("032000", "0e0c01032000ff51000000000000"),
                ("422006000000000000", "0e0401422000"),
                ("412008000001 0060006000", "0e0401412000"),
                ("422006010000000000", "0e0401422000"),
            ], news: "listening: passive extended scan on LE 1M; it can't be had on LE Coded here"),
        Conversation(
            testDescription: "LE Coded is there, and refused", phys: [.oneM, .coded],
            lines: [
                ("032000", "0e0c01032000ff79010800000000"),
                ("422006000000000000", "0e0401422000"),
                ("41200d 00 00 05 00 c000 6000 00 c000 6000", "0e0401412011"),
                ("412008000001 0060006000", "0e0401412000"),
                ("422006010000000000", "0e0401422000"),
            ], news: "listening: passive extended scan on LE 1M; it can't be had on LE Coded here", refusals: 1),
        Conversation(
            testDescription: "LE Coded is refused when the scan begins", phys: [.oneM, .coded],
            lines: [
                ("032000", "0e0c01032000ff79010800000000"),
                ("422006000000000000", "0e0401422000"),
                ("41200d 00 00 05 00 c000 6000 00 c000 6000", "0e0401412000"),
                ("422006010000000000", "0e0401422012"),
                ("412008000001 0060006000", "0e0401412000"),
                ("422006010000000000", "0e0401422000"),
            ], news: "listening: passive extended scan on LE 1M; it can't be had on LE Coded here", refusals: 1),
        Conversation(
            testDescription: "extended commands that are unknown",
            lines: [
                ("032000", "0e0c01032000ff79010800000000"),
                ("422006000000000000", "0e0401422001"),
                ("412008000001 0060006000", "0f0401014120"),
                ("0c20020000", "0e04010c200c"),
                ("0b2007 00 6000 6000 00 00", "0e04010b2000"),
                ("0c20020100", "0e04010c2000"),
            ], news: "listening: passive legacy scan on LE 1M", refusals: 1),
        Conversation(
            testDescription: "extended commands that are disallowed after legacy ones",
            lines: [
                ("032000", "0e0c01032000ff79010800000000"),
                ("422006000000000000", "0e040142200c"),
                ("412008000001 0060006000", "0e040141200c"),
                ("0c20020000", "0e04010c2000"),
                ("0b2007 00 6000 6000 00 00", "0e04010b2000"),
                ("0c20020100", "0e04010c2000"),
            ], news: "listening: passive legacy scan on LE 1M", refusals: 1),
        Conversation(
            testDescription: "legacy commands that are disallowed after extended ones",
            lines: [
                ("032000", "0e0c01032000ff00000000000000"),
                ("0c20020000", "0e04010c2000"),
                ("0b2007 00 6000 6000 00 00", "0e04010b2000"),
                ("0c20020100", "0e04010c200c"),
                ("422006000000000000", "0e0401422000"),
                ("412008000001 0060006000", "0e0401412000"),
                ("422006010000000000", "0e0401422000"),
            ], news: "listening: passive extended scan on LE 1M", refusals: 1),
        Conversation(
            testDescription: "a controller of one's own", isExclusive: true,
            lines: [
                ("030c00", "0e0401030c00"),
                ("010c08 ffffffffff1f0020", "0e0401010c00"),
                ("032000", "0e0c01032000ff7d000800000000"),
                ("012008 0214000000000000", "0e0401012000"),
                ("422006000000000000", "0e0401422000"),
                ("412008000001 0060006000", "0e0401412000"),
                ("422006010000000000", "0e0401422000"),
            ], news: "listening: passive extended scan on LE 1M"),
        Conversation(
            testDescription: "a controller of one's own that knows less than it says", isExclusive: true,
            lines: [
                ("030c00", "0e0401030c00"),
                ("010c08 ffffffffff1f0020", "0e0401010c00"),
                ("032000", "0e0c01032000ff7d000800000000"),
                ("012008 0214000000000000", "0e0401012000"),
                ("422006000000000000", "0e0401422001"),
                ("412008000001 0060006000", "0e0401412001"),
                ("012008 0200000000000000", "0e0401012000"),
                ("0c20020000", "0e04010c2000"),
                ("0b2007 00 6000 6000 00 00", "0e04010b2000"),
                ("0c20020100", "0e04010c2000"),
            ], news: "listening: passive legacy scan on LE 1M", refusals: 1),
    ]

    @Test("what is said to a controller, byte by byte", arguments: conversations)
    func conversation(_ conversation: Conversation) {
        let course = ScanCourse(
            isExclusive: conversation.isExclusive, isActive: conversation.isActive, phys: conversation.phys)
        var actions = course.open()
        for line in conversation.lines {
            #expect(actions == [[UInt8](hex: line.sent).hex])
            #expect(course.news() == [])
            actions = course.hear(line.answer)
        }
        #expect(actions == [])
        #expect(course.news() == [conversation.news])
        #expect(course.counts.commandsRefused == conversation.refusals)
        #expect(course.deadline == 5)
    }

    @Test("the other PHY's statuses", arguments: [0x11, 0x12, 0x20] as [UInt8])
    func codedRefused(status: UInt8) {
        let course = ScanCourse(phys: [.oneM, .coded])
        course.statuses[0x2041] = status
        #expect(course.setUp() == ["2003", "2042", "2041", "2041"])
        #expect(course.counts.commandsRefused == 2)
    }

    // MARK: One command at a time

    @Test("what means nothing while an answer is awaited")
    func strangers() {
        for event in [
            "0e0401422000", "0e0401412000",  // answers to what was not asked, before anything is on
            "0e0301 0000", "0e0301 0320",  // no command; no status
            "0f0400010320", "0e00", "0e", "0f0301", "3e", "", "0f0401010000",
            "130501010001", Self.report, "3e00", "3e0113", "ff0100",
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

    // MARK: Faults

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
        #expect(course.news() == ["paused: " + Self.interrupted])
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

    // MARK: The world outside

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
            _ = course.hear(Self.report)
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

    // MARK: Interruptions

    @Test(
        "others, and the controller itself, end a scan",
        arguments: [
            ("0e04010c2000", interrupted, 0), ("0e0401422000", interrupted, 0),
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
        #expect(course.news() == ["paused: " + Self.interrupted])
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

    // MARK: Silence

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
            _ = course.hear(Self.report)
            #expect(course.run(until: 262) == ["254: 2042 2041 2042"])
        }
    }

    @Test("every kind of report counts, and nothing else")
    func reports() {
        for (event, isReport) in [
            (Self.report, true), ("3e020b00", true), ("3e020d00", true), ("3e0213 00", false), ("0e0301 0000", false),
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
            _ = course.hear(Self.report)
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
        _ = course.hear(Self.report)
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
            _ = course.hear(Self.report)
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
            _ = course.hear(Self.report)
        }
        _ = course.run(until: 180)
        #expect(course.counts.controllerResets == 2)
        #expect(course.counts.reopened == 0)
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
                    case 2: course.hear(Self.report)
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
