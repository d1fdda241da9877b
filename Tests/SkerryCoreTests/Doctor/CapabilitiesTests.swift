import Testing

@testable import SkerryCore

@Suite("What a program may do")
struct CapabilitiesTests {
    @Test(
        "privileges of a process",
        arguments: [
            ("Name:\tx\nCapInh:\t0000000000003000\nCapEff:\t0000000000002000\n", Capabilities.netRaw),
            ("CapEff:\t000001ffffffffff\n", Capabilities(rawValue: 0x1FF_FFFF_FFFF)),
            ("CapEff:\t0000000000000000\n", []), ("CapEff:\tx\n", []), ("", []),
        ] as [(String, Capabilities)])
    func process(status: String, found: Capabilities) {
        #expect(Capabilities(status: status) == found)
    }

    /// The first two as `setcap cap_net_raw,cap_net_admin+ep` and `+p` write them.
    @Test(
        "privileges of a file",
        arguments: [
            ([1, 0, 0, 2, 0, 0x30, 0, 0] + [UInt8](repeating: 0, count: 12), [.netRaw, .netAdmin]),
            ([0, 0, 0, 2, 0, 0x30, 0, 0] + [UInt8](repeating: 0, count: 12), []),
            ([1, 0, 0, 3, 0, 0x20, 0, 0] + [UInt8](repeating: 0, count: 16), .netRaw), ([1, 0, 0, 2], []), ([], []),
        ] as [([UInt8], Capabilities)])
    func file(attribute: [UInt8], found: Capabilities) {
        #expect(Capabilities(attribute: attribute) == found)
    }
}
