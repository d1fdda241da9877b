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

    /// Jumps of the clock, levels and powers that can't be, holes: numbers are numbers, and who is silent for long leaves.
    @Test(arguments: Profile.allCases, 0..<20)
    func whateverIsHeardTheRegionIsLeftInTheEnd(profile: Profile, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var packets: [Timed] = []
        var (now, latest) = (0.0, 0.0)
        for _ in 0..<400 {
            let step = [0, 1e-6, 0.01, 0.3, 2.5, 40, 100, 5000, -1, -3000].randomElement(using: &random)!
            now = max(0, now + step)
            latest = max(latest, now)
            let kind = UInt8.random(in: 0..<20, using: &random)
            if kind == 0 {
                packets.append((now, Packet.scan(Bool.random(using: &random), filter: Bool.random(using: &random))))
            } else if kind == 1 {
                packets.append((now, Packet.other))
            } else {
                let minor = UInt16.random(in: 0..<5, using: &random)
                let (power, rssi) = (
                    Int8.random(in: .min ... .max, using: &random), Int8.random(in: .min ... .max, using: &random)
                )
                packets.append((now, Packet.iBeacon(minor: minor, power: power, rssi: rssi)))
            }
        }
        packets.append((latest, Packet.scan(true)))
        // The longest exit time that can have been learned, and more.
        packets += (1...300).map { (latest + Double($0), Packet.other) }
        let playback = try Playback(packets, regions: [Self.door], profile: profile)
        #expect(playback.trace(.region).last?.hasSuffix("exit door") == true)
        for line in playback.lines() {
            #expect(!line.contains("nan") && !line.contains(":inf") && !line.contains(":-inf"))
        }
        for beacon in playback.rangings.flatMap(\.ranging.beacons) {
            #expect((beacon.accuracy ?? 0) >= 0 && (beacon.accuracy ?? 0).isFinite)
        }
    }

    @Test(arguments: Profile.allCases, [-40, -20.5, 0, 19, 40] as [Double])
    func noGainMakesADistanceThatIsNone(profile: Profile, gain: Double) {
        var settings = ProximitySettings(profile: profile)
        settings.receiverGain = gain
        var estimators = Estimators(settings)
        for rssi in Int8.min ... -1 {
            estimators.begin(0)
            estimators.sight(0, rssi: rssi, after: 0, at: BTSnoopFile.begin)
            for power in stride(from: -128.0, through: -20, by: 1) {
                let distance = estimators.look(0, measuredPower: power, at: BTSnoopFile.begin)?.distance ?? -1
                #expect(distance >= 0 && distance < 1e15)
            }
        }
    }
}
