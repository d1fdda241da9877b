import Testing

@testable import SkerryCore

/// Event bytes are those of controllers in captures, or written by the tables of the Core specification, volume 4, part E.
@Suite("What is said to a controller")
struct HCIScanConversationTests {
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
}
