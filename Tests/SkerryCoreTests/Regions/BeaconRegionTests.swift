import Testing

@testable import SkerryCore

@Suite struct BeaconRegionTests {
    @Test func aRegionWithAHoleIsNone() {
        #expect(BeaconRegion(name: "a", major: 1) == nil)
        #expect(BeaconRegion(name: "a", minor: 1) == nil)
        #expect(BeaconRegion(name: "a", uuid: Packet.office, minor: 1) == nil)
        #expect(BeaconRegion(name: "a", major: 1, minor: 1) == nil)
        #expect(BeaconRegion(name: "a") != nil)
        #expect(BeaconRegion(name: "a", uuid: Packet.office, major: 0, minor: 0) != nil)
    }

    private static let regions = [
        BeaconRegion(name: "any")!, BeaconRegion(name: "uuid", uuid: Packet.office)!,
        BeaconRegion(name: "major 0", uuid: Packet.office, major: 0)!,
        BeaconRegion(name: "0/0", uuid: Packet.office, major: 0, minor: 0)!,
        BeaconRegion(name: "1/2", uuid: Packet.office, major: 1, minor: 2)!,
    ]

    private func names(_ regions: [BeaconRegion], _ identity: BeaconIdentity) -> [String] {
        var index = RegionIndex(regions)
        var numbers: [Int] = []
        let matches = index.matches(identity)
        index.forEachRegion(of: matches) { numbers.append($0) }
        return numbers.sorted().map { regions[$0].name }
    }

    @Test(
        arguments: [
            (0, 0, ["any", "uuid", "major 0", "0/0"]), (0, 1, ["any", "uuid", "major 0"]),
            (1, 2, ["any", "uuid", "1/2"]),
            (1, 0, ["any", "uuid"]), (65_535, 65_535, ["any", "uuid"]),
        ] as [(UInt16, UInt16, [String])])
    func openFieldsMatchAnythingAndZeroIsAValue(major: UInt16, minor: UInt16, expected: [String]) {
        #expect(names(Self.regions, BeaconIdentity(uuid: Packet.office, major: major, minor: minor)) == expected)
    }

    @Test func anotherUUIDMatchesNoneOfThem() {
        for bit in 0..<64 {
            let high = ProximityUUID(high: Packet.office.high ^ 1 << UInt64(bit), low: Packet.office.low)
            let low = ProximityUUID(high: Packet.office.high, low: Packet.office.low ^ 1 << UInt64(bit))
            #expect(names(Self.regions, BeaconIdentity(uuid: high, major: 0, minor: 0)) == ["any"])
            #expect(names(Self.regions, BeaconIdentity(uuid: low, major: 0, minor: 0)) == ["any"])
        }
    }

    /// Hashing finds what comparing each region with each beacon finds.
    @Test func anyRegionsAreFoundAsByComparison() {
        var generator = SeededGenerator(seed: 26)
        func number() -> UInt16 { UInt16.random(in: 0..<3, using: &generator) }
        for _ in 0..<300 {
            let regions = (0..<Int.random(in: 0..<12, using: &generator)).map { place in
                let uuid =
                    UInt8.random(in: 0..<6, using: &generator) == 0
                    ? nil : ProximityUUID(high: 0, low: UInt64(number()))
                let major = uuid == nil || Bool.random(using: &generator) ? nil : number()
                let minor = major == nil || Bool.random(using: &generator) ? nil : number()
                return BeaconRegion(name: "\(place)", uuid: uuid, major: major, minor: minor)!
            }
            for _ in 0..<20 {
                let identity = BeaconIdentity(
                    uuid: ProximityUUID(high: 0, low: UInt64(number())), major: number(), minor: number())
                let expected = regions.filter { region in
                    (region.uuid ?? identity.uuid) == identity.uuid
                        && (region.major ?? identity.major) == identity.major
                        && (region.minor ?? identity.minor) == identity.minor
                }
                #expect(names(regions, identity) == expected.map(\.name))
            }
        }
    }
}
