import Testing

@testable import SkerryCore

@Suite struct BeaconTableTests {
    private struct Key: Hashable {
        var identity: BeaconIdentity
        var source: SourceID
    }

    private static func track(_ key: Key) -> Track {
        Track(
            identity: key.identity, source: key.source, measuredPower: -59,
            matches: 0, presence: heardOnce, lastSeen: BTSnoopFile.begin)
    }

    private static var heardOnce: Presence {
        var presence = Presence()
        presence.sight()
        return presence
    }

    private static func key(_ number: UInt64) -> Key {
        Key(
            identity: BeaconIdentity(
                uuid: ProximityUUID(high: number / 64, low: 0), major: UInt16(number / 8 % 8), minor: UInt16(number % 8)
            ),
            source: SourceID(rawValue: UInt16(number % 3)))
    }

    /// Against a dictionary, through thousands of insertions and removals.
    @Test(arguments: [0, 1, .max, 0xA076_1D64_78BD_642F] as [UInt64])
    func whatWasInsertedAndNotRemovedIsFound(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var table = BeaconTable(seed: seed)
        var model: [Key: Int] = [:]
        for step in 0..<6000 {
            let key = Self.key(UInt64.random(in: 0..<700, using: &generator))
            #expect(table.find(key.identity, key.source) == model[key])
            let grows = step % 3000 < 1500
            if let slot = model[key] {
                guard !grows || UInt8.random(in: 0..<4, using: &generator) == 0 else { continue }
                table.remove(slot)
                model[key] = nil
            } else if grows || UInt8.random(in: 0..<4, using: &generator) == 0 {
                let slot = table.insert(Self.track(key))
                #expect(!model.values.contains(slot))
                model[key] = slot
            }
            #expect(table.count == model.count)
        }
        for number in 0..<700 as Range<UInt64> {
            let key = Self.key(number)
            let slot = table.find(key.identity, key.source)
            #expect(slot == model[key])
            if let slot { #expect(table[slot].identity == key.identity && table[slot].source == key.source) }
        }
    }

    @Test func removedSlotsAreUsedAgain() {
        var table = BeaconTable(seed: 1)
        let slots = (0..<100 as Range<UInt64>).map { table.insert(Self.track(Self.key($0))) }
        for slot in slots { table.remove(slot) }
        #expect(table.count == 0)
        for number in 100..<200 as Range<UInt64> { _ = table.insert(Self.track(Self.key(number))) }
        #expect(table.slots == 100)
    }

    @Test func oneBeaconOfTwoSourcesIsTwoTracks() {
        var table = BeaconTable(seed: 1)
        let identity = BeaconIdentity(uuid: Packet.office, major: 0, minor: 0)
        let (a, b) = (SourceID(rawValue: 0), SourceID(rawValue: 1))
        let slot = table.insert(Self.track(Key(identity: identity, source: a)))
        #expect(table.find(identity, a) == slot)
        #expect(table.find(identity, b) == nil)
    }
}
