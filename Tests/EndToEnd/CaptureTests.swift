import Foundation
import Testing

extension EndToEndTests {
    /// Real captures, and what must be found in them.
    @Suite struct CaptureTests {
        @Test(.enabled(if: SharedCaptures.areThere, "no captures in ../shared"), arguments: SharedCaptures.names)
        func everythingInACaptureIsFound(name: String) throws {
            let answer = try SharedCaptures.answer(name)
            let run = try Program.run(
                ["replay", "--events", "advertisement,error,statistics", SharedCaptures.path(name)])
            #expect(run.status == 0)
            #expect(run.errors == "")
            let events = try run.objects()
            let statistics = try #require(events.last)
            #expect(statistics["event"] as? String == "statistics")
            #expect(statistics["records"] as? Int == answer.records)
            #expect(statistics["reports"] as? Int == answer.advReports)
            #expect(statistics["addresses"] as? Int == answer.distinctAddresses)
            #expect(statistics["containerErrors"] as? Int == answer.containerErrors.count)
            #expect(statistics["first"] as? String == answer.firstRecordTs)
            #expect(statistics["last"] as? String == answer.lastRecordTs)

            var malformed = try #require(statistics["malformed"] as? [String: Int])
            malformed["badCrc"] = nil  // the answers do not count it
            var expected: [String: Int] = [:]
            for (reason, count) in answer.malformedJoined ?? answer.malformed {
                expected[try #require(SharedCaptures.reasons[reason])] = count
            }
            #expect(malformed == expected)

            // Joined fragments give more than the answer's list, which holds single reports.
            let joined = (answer.withReassembly?.ibeaconReports ?? answer.ibeaconReports) - answer.ibeaconReports
            #expect(statistics["identities"] as? Int == answer.ibeaconIdentities + joined)
            let sightings = Sightings(events)
            #expect(sightings.count == answer.ibeaconReports + joined)
            #expect(sightings.groups.count == answer.ibeacons.count + joined)
            for beacon in answer.ibeacons {
                let group = sightings.groups[Sightings.key(beacon)]
                #expect(group == Sightings.Group(beacon), "\(Sightings.key(beacon))")
            }
            let errors = events.filter { $0["event"] as? String == "error" }
            #expect(errors.count == answer.containerErrors.count)
        }
    }
}

/// What was heard of each iBeacon from each address.
private struct Sightings {
    struct Group: Equatable {
        var count: Int
        var first, last: String
        var weakest, strongest: Int?

        /// A value that the controller calls unavailable, 127, is none.
        init(_ beacon: SharedCaptures.Answer.Beacon) {
            (count, first, last) = (beacon.count, beacon.firstTs, beacon.lastTs)
            weakest = beacon.rssiMin == 127 ? nil : beacon.rssiMin
            strongest = beacon.rssiMax == 127 ? nil : beacon.rssiMax
        }

        init(first time: String) { (count, first, last) = (0, time, time) }
    }

    private(set) var count = 0
    private(set) var groups: [String: Group] = [:]

    init(_ events: [[String: Any]]) {
        for event in events where event["event"] as? String == "advertisement" {
            guard let beacon = event["beacon"] as? [String: Any], beacon["format"] as? String == "ibeacon",
                let time = event["time"] as? String
            else { continue }
            count += 1
            let members = [
                beacon["uuid"], beacon["major"], beacon["minor"], beacon["measuredPower"], event["address"],
                event["addressType"],
            ]
            let key = members.map { "\($0 ?? "?")" }.joined(separator: " ")
            var group = groups[key] ?? Group(first: time)
            group.count += 1
            group.last = time
            if let rssi = event["rssi"] as? Int {
                group.weakest = min(group.weakest ?? rssi, rssi)
                group.strongest = max(group.strongest ?? rssi, rssi)
            }
            groups[key] = group
        }
    }

    static func key(_ beacon: SharedCaptures.Answer.Beacon) -> String {
        let type = SharedCaptures.addressTypes[beacon.addressType] ?? beacon.addressType
        return "\(beacon.uuid) \(beacon.major) \(beacon.minor) \(beacon.power) \(beacon.address) \(type)"
    }
}
