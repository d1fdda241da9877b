import Testing

@testable import SkerryCore

@Suite struct HCIDumpTests {
    @Test func recordsAreRead() throws {
        let report = "043e2a02010001ee2e5a9d45e61e0201061aff4c000215fda50693a4e24fb1afcfc6eb0764782500050006b0b6"
        let contents = try Contents(
            hex: "0700 01 00 f70c855c d8cc0a00 040f0400010000" + "2d00 01 00 390d855c 5f060b00" + report)
        #expect(contents.kind == "hcidump")
        #expect(
            contents.records == [
                .init(time: "2019-03-10T13:11:19.707800Z", link: .h4, payload: "040f0400010000"),
                .init(time: "2019-03-10T13:12:25.722527Z", link: .h4, payload: report),
            ])
        #expect(contents.end == nil)
    }

    @Test func recordsOfBothDirectionsAreRead() throws {
        let contents = try Contents(hex: "0400 00 00 f70c855c 00000000 01030c00 0400 01 00 f70c855c 00000000 040f0400")
        #expect(contents.records.map(\.payload) == ["01030c00", "040f0400"])
    }

    @Test(arguments: 1..<16)
    func aFileThatEndsWithinARecordKeepsTheRecordsBefore(missing: Int) throws {
        let bytes = [UInt8](hex: "0400 00 00 f70c855c 00000000 01030c00 0400 01 00 f70c855c 00000000 040f0400")
        let contents = try Contents(Array(bytes.dropLast(missing)))
        #expect(contents.records.map(\.payload) == ["01030c00"])
        #expect(contents.end?.contains("of at least") == true)
    }
}
