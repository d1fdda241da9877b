import Testing

@testable import SkerryCore

/// What holds for the rules of every profile, whatever is heard.
@Suite struct ProfileTests {
    static let door = BeaconRegion(name: "door", uuid: Packet.office)!

    @Test(arguments: Profile.allCases)
    func aBeaconHeardEverySecondNeverExits(profile: Profile) throws {
        let sightings: [Timed] = (0..<600).map { (Double($0), Packet.iBeacon()) }
        let playback = try Playback(sightings, regions: [Self.door], profile: profile)
        #expect(playback.trace(.region) == ["0.0 enter door"])
    }

    @Test(arguments: Profile.allCases, [1, 2, 5, 50, 500])
    func aSilentBeaconExits(profile: Profile, sightings: Int) throws {
        let heard: [Timed] = (0..<sightings).map { (Double($0) * 0.5, Packet.iBeacon()) }
        let playback = try Playback(
            heard + [(heard.last!.seconds + 121, Packet.other)], regions: [Self.door], profile: profile)
        #expect(playback.trace(.region).count == 2)
        #expect(playback.trace(.region).last?.hasSuffix("exit door") == true)
    }

    @Test func exitTimesAreLearned() throws {
        // Ten a second: gone after eight seconds. Once in twelve seconds: still there after thirty.
        let often: [Timed] = (0..<100).map { (Double($0) / 10, Packet.iBeacon()) }
        let playback = try Playback(often + [(60, Packet.other)], regions: [Self.door], profile: .adaptive)
        #expect(playback.trace(.region) == ["0.0 enter door", "17.9 exit door"])
        let seldom: [Timed] = (0..<20).map { (Double($0) * 12, Packet.iBeacon()) }
        let other = try Playback(seldom + [(260, Packet.other)], regions: [Self.door], profile: .adaptive)
        #expect(other.trace(.region) == ["0.0 enter door"])
    }

    @Test(arguments: Profile.allCases, 0..<20)
    func distancesAreNumbersWhateverIsHeard(profile: Profile, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let settings = ProximitySettings(profile: profile)
        var estimators = Estimators(settings)
        estimators.begin(0)
        var presence = Presence()
        var time = Timestamp(microseconds: 0)
        for _ in 0..<2000 {
            let gap: Int64 = [0, 1, 100_000, 1_000_000, 3_600_000_000, 31_536_000_000_000].randomElement(
                using: &random)!
            time = time + gap
            let rssi = Bool.random(using: &random) ? Int8.random(in: -127 ... -1, using: &random) : nil
            estimators.sight(0, rssi: rssi, after: gap, at: time)
            presence.sight(after: Float(gap) / 1e6)
            let power = Double(Int8.random(in: -128 ... -20, using: &random))
            guard let estimate = estimators.look(0, measuredPower: power, at: time) else { continue }
            #expect(estimate.distance.isFinite && estimate.distance >= 0 && estimate.level.isFinite)
            #expect(8...120 ~= settings.timeout(presence).seconds)
        }
    }
}
