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

    private static func adapter(_ index: UInt16, _ address: UInt64, hasLowEnergy: Bool? = nil) -> Adapter {
        Adapter(
            index: index, name: "hci\(index)", address: DeviceAddress(bits: address), isUp: true,
            hasLowEnergy: hasLowEnergy)
    }

    /// Cheap adapters share addresses: of those the one that scans goes on, and another one begins when it has gone.
    @Test(
        arguments: [
            ([(0, 1), (1, 1)], [], [0]), ([(0, 1), (1, 1)], [0], []), ([(0, 1), (1, 1)], [1], []),
            ([(0, 1), (1, 1), (2, 1)], [0], []), ([(1, 1)], [0], [1]), ([(0, 2), (1, 1)], [0], [1]),
            ([(0, 2)], [0], []), ([], [0], []),
        ] as [([(UInt16, UInt64)], [UInt16], [UInt16])])
    func ofAdaptersWithOneAddressOneScans(there: [(UInt16, UInt64)], known: [UInt16], new: [UInt16]) {
        let adapters = there.map { Self.adapter($0.0, $0.1) }
        let choice = AdapterChoice.address(DeviceAddress(bits: 1))
        #expect(choice.newcomers(among: adapters, known: known).map(\.index) == new)
    }

    @Test func allThatAreNewBegin() {
        let adapters = [Self.adapter(0, 1), Self.adapter(1, 1), Self.adapter(2, 3, hasLowEnergy: false)]
        #expect(AdapterChoice.all.newcomers(among: adapters, known: []).map(\.index) == [0, 1])
        #expect(AdapterChoice.all.newcomers(among: adapters, known: [0]).map(\.index) == [1])
        #expect(AdapterChoice.name("hci1").newcomers(among: adapters, known: [0]).map(\.index) == [1])
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
