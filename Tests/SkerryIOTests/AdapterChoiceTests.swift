import SkerryCore
import Testing

@testable import SkerryIO

struct AdapterChoiceTests {
    @Test(
        arguments: [
            ("all", AdapterChoice.all), ("hci0", .name("hci0")), ("hci12", .name("hci12")),
            ("00:5e:00:53:02:01", .address(DeviceAddress(bits: 0x005E_0053_0201))),
            ("hci", nil), ("hcix", nil), ("hci70000", nil), ("", nil), ("00:5e:00:53:02", nil),
            ("0:5e:00:53:02:01", nil),
            ("00:5e:00:53:02:01:", nil), ("00:5g:00:53:02:01", nil), ("eth0", nil), ("+0:5e:00:53:02:01", nil),
            ("hci+1", nil),
        ])
    func whatTheUserWroteIsUnderstood(text: String, choice: AdapterChoice?) {
        #expect(AdapterChoice(text) == choice)
    }

    @Test func adaptersAreChosenByNameOrAddress() {
        let address = DeviceAddress(bits: 1)
        #expect(AdapterChoice.all.includes(name: "hci1", address: address))
        #expect(AdapterChoice.name("hci1").includes(name: "hci1", address: address))
        #expect(!AdapterChoice.name("hci1").includes(name: "hci0", address: address))
        #expect(AdapterChoice.address(address).includes(name: "hci7", address: address))
        #expect(!AdapterChoice.address(address).includes(name: "hci7", address: DeviceAddress(bits: 2)))
    }
}
