import Testing

@testable import SkerryCore

@Suite struct ProximityUUIDTests {
    @Test(arguments: [
        "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "e2c56db5-dffb-48d2-b060-d0f5a71096e0",
        "E2C56DB5DFFB48D2B060D0F5A71096E0", "e2c56db5dffb48d2b060d0f5a71096e0", "e2c56Db5-dffB-48d2-b060-D0F5a71096e0",
    ])
    func uuidIsReadInAnyCaseWithAndWithoutDashes(text: String) {
        #expect(ProximityUUID(text)?.description == "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
        #expect(ProximityUUID(text) == ProximityUUID(high: 0xE2C5_6DB5_DFFB_48D2, low: 0xB060_D0F5_A710_96E0))
    }

    @Test(arguments: [
        "", "E2C56DB5", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E00",
        "E2C56DB5DFFB-48D2-B060-D0F5-A71096E0", "G2C56DB5-DFFB-48D2-B060-D0F5A71096E0",
        "{E2C56DB5-DFFB-48D2-B060-D0F5A71096E0}", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E ",
        "E2C56DB5DFFB48D2B060D0F5A7109６E0", "-2C56DB5-DFFB-48D2-B060-D0F5A71096E0",
        "+2C56DB5DFFB48D2B060D0F5A71096E0", "E2C56DB5-DFFB48D2-B060-D0F5A71096E0",
    ])
    func whatIsNoUUIDIsRefused(text: String) {
        #expect(ProximityUUID(text) == nil)
    }

    @Test func anyUUIDIsReadAsItIsWritten() {
        var generator = SeededGenerator(seed: 25)
        for _ in 0..<1000 {
            let uuid = ProximityUUID(high: generator.next(), low: generator.next())
            let text = uuid.description
            let spellings = [
                text, text.lowercased(), text.filter { $0 != "-" }, text.lowercased().filter { $0 != "-" },
            ]
            #expect(spellings.allSatisfy { ProximityUUID($0) == uuid })
        }
    }
}
