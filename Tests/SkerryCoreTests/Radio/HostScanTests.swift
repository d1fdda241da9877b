import Testing

@testable import SkerryCore

@Suite("What a host's scan commands come to")
struct HostScanTests {
    private static let on = "01 0c20 02 01 00"
    private static let filtering = "01 0c20 02 01 01"
    private static let off = "01 0c20 02 00 00"
    private static let extendedOn = "01 4220 06 01 00 0000 0000"
    private static let extendedOff = "01 4220 06 00 00 0000 0000"
    private static let reset = "01 030c 00"
    private static let listed = "01 0b20 07 00 6000 6000 00 01"
    private static let extendedListed = "01 4120 08 00 03 01 00 6000 6000"
    private static let everybody = "01 0b20 07 00 6000 6000 00 00"
    private static let timeout = "04 3e 01 11"

    /// A course of packets in H4, what each comes to, and the end: whether a scan is on, filters duplicates, hears only
    /// the accept list; whether an answer is awaited.
    struct Course: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let packets: [String]
        let changes: String
        let end: String

        init(_ name: String, _ packets: [String], _ changes: String, _ end: String) {
            (testDescription, self.packets, self.changes, self.end) = (name, packets, changes, end)
        }
    }

    private static let courses = [
        Course("a command counts at once", [on], "set", "on awaits"),
        Course("and when it was carried out", [on, "04 0e 04 01 0c20 00"], "set -", "on"),
        Course("with its filter", [filtering, "04 0e 04 01 0c20 00"], "set -", "on filters"),
        Course("nothing filters while it is off", ["01 0c20 02 00 01"], "set", "awaits"),
        Course("extended", [extendedOn, "04 0e 04 01 4220 00", extendedOff], "set - set", "awaits"),
        Course("refused by Complete", [on, "04 0e 04 01 0c20 0c"], "set undone", ""),
        Course(
            "a refused end", [filtering, "04 0e 04 01 0c20 00", off, "04 0e 04 01 0c20 0c"], "set - set undone",
            "on filters"),
        Course("refused by Status", [extendedOn, "04 0f 04 01 01 4220"], "set undone", ""),
        Course("Status without an error is not the answer", [on, "04 0f 04 00 01 0c20"], "set -", "on awaits"),
        Course("which may be a refusal", [on, "04 0f 04 00 01 0c20", "04 0e 04 01 0c20 0c"], "set - undone", ""),
        Course("the answer to another command", [on, "04 0e 04 01 4220 0c"], "set -", "on awaits"),
        Course("an answer to nothing", ["04 0e 04 01 0c20 0c", "04 0f 04 0c 01 0c20"], "- -", ""),
        Course("a lost answer", [on, off, "04 0e 04 01 0c20 0c"], "set set undone", "on"),
        Course("scan timeout", [extendedOn, "04 0e 04 01 4220 00", timeout], "set - set", ""),
        Course(
            "a timeout while the end is refused", [on, "04 0e 04 01 0c20 00", off, timeout, "04 0e 04 01 0c20 0c"],
            "set - set set set", ""),
        Course(
            "a timeout of the scan before", [on, "04 0e 04 01 0c20 00", on, timeout, "04 0e 04 01 0c20 00"],
            "set - set set -", "on"),
        Course("reset", [filtering, "04 0e 04 01 0c20 00", reset, "04 0e 04 01 030c 00"], "set - set -", ""),
        Course("a refused reset", [on, "04 0e 04 01 0c20 00", reset, "04 0e 04 01 030c 0c"], "set - set undone", "on"),
        Course("accept list", [listed, "04 0e 04 01 0b20 00", on], "- - set", "on listed awaits"),
        Course("extended accept list", [extendedListed, "04 0e 04 01 4120 00"], "- -", "listed"),
        Course("accept list refused", [listed, "04 0e 04 01 0b20 0c", on], "- - set", "on awaits"),
        Course("accept list given up", [listed, "04 0e 04 01 0b20 00", everybody], "- - -", "awaits"),
        Course("a reset ends the accept list", [listed, "04 0e 04 01 0b20 00", reset], "- - set", "awaits"),
        Course(
            "cut short", ["01 0c20 01 01", "01 0c20", "01", "01 0b20 01 00", "04 0e 03 01 0c20", "04 3e 00", "04", ""],
            "- - - - - - - -", ""),
        Course("other commands and data", ["01 0a20 01 01", "02 0c20 02 01 00"], "- -", ""),
    ]

    @Test(arguments: courses)
    func follows(course: Course) {
        var scan = HostScan()
        let changes = course.packets.map { packet in
            let bytes = [UInt8](hex: packet)
            return switch scan.follow(HCIPacket(h4: bytes.rawSpan)) {
            case .set: "set"
            case .undone: "undone"
            case nil: "-"
            }
        }
        #expect(changes.joined(separator: " ") == course.changes)
        let state = scan.state
        let words = [
            state.isOn ? "on" : "", state.filtersDuplicates ? "filters" : "", state.hearsListedOnly ? "listed" : "",
            scan.awaited != nil ? "awaits" : "",
        ]
        #expect(words.filter { !$0.isEmpty }.joined(separator: " ") == course.end)
        #expect(state.hearsBeacons == (state.isOn && !state.hearsListedOnly))
        if scan.awaited == nil { #expect(scan.settled == state) }
    }

    @Test func whatIsKnownFromElsewhereIsCertain() {
        var scan = HostScan()
        let listed = [UInt8](hex: Self.listed)
        _ = scan.follow(HCIPacket(h4: listed.rawSpan))
        scan.set(isOn: true, filtersDuplicates: true)
        let state = HostScan.State(isOn: true, filtersDuplicates: true, hearsListedOnly: true)
        #expect(scan.state == state && scan.settled == state && scan.awaited == nil)
    }
}
