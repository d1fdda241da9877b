import Testing

@testable import SkerryCore

@Test(arguments: [
    "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "e2c56db5-dffb-48d2-b060-d0f5a71096e0",
    "E2C56DB5DFFB48D2B060D0F5A71096E0", "e2c56db5dffb48d2b060d0f5a71096e0",
])
func uuidIsReadInAnyCaseWithAndWithoutDashes(text: String) {
    #expect(ProximityUUID(text)?.description == "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
}
