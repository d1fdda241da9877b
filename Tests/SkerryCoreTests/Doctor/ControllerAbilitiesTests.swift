import Testing

@testable import SkerryCore

@Suite("What a controller says of itself")
struct ControllerAbilitiesTests {
    @Test func theAnswersToTwoCommands() {
        var abilities = ControllerAbilities()
        let commands = [UInt8](repeating: 0, count: 37) + [0x60] + [UInt8](repeating: 0, count: 26)
        // Of others: a refusal, another command, a report, nothing.
        for event: [UInt8] in [
            [0x0E, 4, 1, 0x01, 0x10, 0x0C], [0x0E, 5, 1, 0x0C, 0x20, 0, 0], [0x3E, 2, 1, 0], [],
            [0x0E, 10, 1, 0x02, 0x10, 0, 1],
        ] { abilities.receive(event) }
        #expect(abilities == ControllerAbilities())
        abilities.receive([0x0E, 12, 1, 0x01, 0x10, 0, 0x0B, 1, 0, 0x0B, 2, 0, 1, 0])
        #expect(abilities.versionName == "5.2" && !abilities.isComplete)
        abilities.receive([0x0E, 68, 1, 0x02, 0x10, 0] + commands)
        #expect(abilities.hasExtendedScanning == true && abilities.isComplete)
        abilities.receive([0x0E, 68, 1, 0x02, 0x10, 0] + commands.map { $0 & 0x20 })
        #expect(abilities.hasExtendedScanning == false)
        #expect(ControllerAbilities(version: 99).versionName == "HCI version 99")
    }
}
