import Testing

@testable import SkerryCore

/// Events as the lines that other programs read, whole.
@Suite struct EventLineTests {
    private static let door = BeaconRegion(name: "front \"door\"", uuid: Packet.office, major: 1)!
    private static let packets: [Timed] = [
        (0, Packet.iBeacon(rssi: -65, address: 0xC055_4433_2210)), (1.25, Packet.other), (30.5, Packet.other),
    ]

    private func line(_ kind: EventKind, _ playback: Playback) -> String {
        playback.lines(EventKinds(kind)).first ?? ""
    }

    private func play() throws -> Playback { try Playback(Self.packets, regions: [Self.door]) }

    @Test func start() throws {
        #expect(
            line(.start, try play()) == """
                {"event":"start","time":"2023-11-14T22:13:20.000000Z","seq":1,"version":"1","schema":1,\
                "command":"replay","profile":"apple","sources":[{"name":"capture","kind":"btsnoop"}],\
                "regions":[{"name":"front \\"door\\"","kind":"beacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0",\
                "major":1}]}
                """)
    }

    @Test func advertisement() throws {
        #expect(
            line(.advertisement, try play()) == """
                {"event":"advertisement","time":"2023-11-14T22:13:20.000000Z","seq":1,"source":"capture",\
                "address":"C0:55:44:33:22:10","addressType":"random","rssi":-65,"pdu":"legacy",\
                "beacon":{"format":"ibeacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1,\
                "measuredPower":-59}}
                """)
    }

    @Test func advertisementInAnExtendedReport() throws {
        let data = [UInt8](hex: "1bff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c54e")
        let playback = try Playback([(0, Packet.extended(data, rssi: 127, address: 0, addressType: 0xFF))])
        #expect(
            line(.advertisement, playback) == """
                {"event":"advertisement","time":"2023-11-14T22:13:20.000000Z","seq":1,"source":"capture",\
                "address":"00:00:00:00:00:00","addressType":"anonymous","pdu":"extended","phy":"2M",\
                "beacon":{"format":"ibeacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":100,"minor":0,\
                "measuredPower":-59,"extra":"4e"}}
                """)
        #expect(playback.statistics.addresses.count == 0)
    }

    @Test func ranging() throws {
        #expect(
            line(.ranging, try play()) == """
                {"event":"ranging","time":"2023-11-14T22:13:21.000000Z","seq":1,"region":"front \\"door\\"",\
                "beacons":[{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1,"proximity":"near",\
                "accuracy":2,"rssi":-65,"samples":1,"lastSeen":"2023-11-14T22:13:20.000000Z"}]}
                """)
    }

    @Test func region() throws {
        #expect(
            try play().lines(EventKinds(.region)) == [
                """
                {"event":"region","time":"2023-11-14T22:13:20.000000Z","seq":1,"region":"front \\"door\\"",\
                "kind":"beacon","transition":"enter","state":"inside","from":"unknown",\
                "by":{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1},"reason":"advertisement",\
                "evidence":{"lastSeen":"2023-11-14T22:13:20.000000Z","silence":0,"timeout":30,\
                "timeoutBasis":"profile","samples":1,"listening":1}}
                """,
                """
                {"event":"region","time":"2023-11-14T22:13:50.000000Z","seq":2,"region":"front \\"door\\"",\
                "kind":"beacon","transition":"exit","state":"outside","from":"inside",\
                "by":{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1},"reason":"silence",\
                "evidence":{"lastSeen":"2023-11-14T22:13:20.000000Z","silence":30,"timeout":30,\
                "timeoutBasis":"profile","samples":1,"listening":1}}
                """,
            ])
    }

    @Test func regionThatWasDetermined() throws {
        let playback = try Playback([(0, Packet.other), (30, Packet.other)], regions: [Self.door])
        #expect(
            line(.region, playback) == """
                {"event":"region","time":"2023-11-14T22:13:50.000000Z","seq":1,"region":"front \\"door\\"",\
                "kind":"beacon","transition":"determined","state":"outside","from":"unknown","reason":"silence",\
                "evidence":{"silence":30,"timeout":30,"timeoutBasis":"profile","samples":0,"listening":1}}
                """)
    }

    @Test func circularRegion() throws {
        let moment = Timestamp(iso8601: "2024-06-01T12:00:05Z")!
        let determined = RegionTransition(
            region: 0, transition: .determined, state: .outside, from: .unknown, reason: .location,
            evidence: .circle(.init(distance: 150.126, horizontalAccuracy: 4.5, confirmations: 1)))
        let entered = RegionTransition(
            region: 0, transition: .enter, state: .inside, from: .outside, reason: .location,
            evidence: .circle(
                .init(distance: 0, horizontalAccuracy: 10, confirmations: 2, crossedAt: moment + -1_234_567)))
        let forgotten = RegionTransition(
            region: 0, transition: .determined, state: .unknown, from: .inside, reason: .silence,
            evidence: .circle(.init(confirmations: 0)))
        var writer = EventLine(wanted: .standard, regions: ["home"])
        var line = JSONLine(capacity: 256)
        let events = [determined, entered, forgotten].map { Event(time: moment, .region($0)) }
        writer.write(events, sources: [], to: &line)
        #expect(
            line.takeString().split(separator: "\n") == [
                """
                {"event":"region","time":"2024-06-01T12:00:05.000000Z","seq":1,"region":"home","kind":"circular",\
                "transition":"determined","state":"outside","from":"unknown","reason":"location",\
                "evidence":{"distance":150.13,"horizontalAccuracy":4.5,"confirmations":1}}
                """,
                """
                {"event":"region","time":"2024-06-01T12:00:05.000000Z","seq":2,"region":"home","kind":"circular",\
                "transition":"enter","state":"inside","from":"outside","reason":"location",\
                "evidence":{"distance":0,"horizontalAccuracy":10,"confirmations":2,\
                "crossedAt":"2024-06-01T12:00:03.765433Z"}}
                """,
                """
                {"event":"region","time":"2024-06-01T12:00:05.000000Z","seq":3,"region":"home","kind":"circular",\
                "transition":"determined","state":"unknown","from":"inside","reason":"silence",\
                "evidence":{"confirmations":0}}
                """,
            ])
    }

    @Test func scanner() throws {
        let playback = try Playback([(0, Packet.scan(true, filter: true))])
        #expect(
            playback.lines(EventKinds(.scanner)) == [
                """
                {"event":"scanner","time":"2023-11-14T22:13:20.000000Z","seq":1,"source":"capture","state":"listening"}
                """,
                """
                {"event":"scanner","time":"2023-11-14T22:13:20.000000Z","seq":2,"source":"capture",\
                "state":"listening","detail":"the controller filters duplicates"}
                """,
                """
                {"event":"scanner","time":"2023-11-14T22:13:20.000000Z","seq":3,"source":"capture","state":"ended"}
                """,
            ])
    }

    @Test func error() throws {
        let bytes = BTSnoopFile([(0, Packet.other), (1, Packet.other)]).bytes.dropLast(4)
        let playback = try Playback([CaptureStream(name: "a\\b", bytes: Array(bytes))])
        #expect(
            line(.error, playback) == #"""
                {"event":"error","time":"2023-11-14T22:13:20.000000Z","seq":1,"source":"a\\b","domain":"capture",\#
                "name":"cut","message":"a\\b: record 2 at byte 58 is cut: 38 of at least 42 bytes",\#
                "recoverable":false}
                """#)
    }

    @Test func statistics() throws {
        let cut = Packet.event([0x02, 0x01, 0x00])
        let playback = try Playback(
            [(0, Packet.iBeacon()), (1, Packet.report([5, 9], rssi: 127)), (0.5, cut), (1.5, Packet.other)],
            regions: [Self.door])
        #expect(
            line(.statistics, playback) == """
                {"event":"statistics","time":"2023-11-14T22:13:21.500000Z","seq":1,"files":1,"records":4,"reports":3,\
                "addresses":2,"beacons":{"ibeacon":1},"identities":1,\
                "malformed":{"adLengthOverrun":1,"legacyReportTruncated":1},"rssiUnavailable":1,"containerErrors":0,\
                "timeJumps":1,"dropped":0,"first":"2023-11-14T22:13:20.000000Z","last":"2023-11-14T22:13:21.500000Z",\
                "events":{}}
                """)
        #expect(
            playback.lines(.standard).last?.hasSuffix("\"events\":{\"ranging\":1,\"region\":1,\"scanner\":2}}") == true)
    }

    /// Numbers are those of the output: over the kinds it was to get.
    @Test func sequenceNumbersCountWhatTheOutputWasToGet() throws {
        for wanted in [
            Playback.allEvents, .standard, EventKinds(.ranging), [EventKinds(.region), EventKinds(.statistics)],
        ] {
            let lines = try play().lines(wanted)
            #expect(!lines.isEmpty)
            for (number, text) in lines.enumerated() {
                #expect(JSONText(text)?["seq"] == .number("\(number + 1)"))
            }
        }
        #expect(try play().lines([]) == [])
    }

    @Test func addressesAndIdentitiesAreExactUpToTheirBound() {
        var count = DistinctCount(seed: 7)
        for value in 1...65_536 as ClosedRange<UInt64> {
            count.insert(value)
            count.insert(value)
        }
        #expect(count.count == 65_536 && !count.isAtLeast)
        count.insert(1)
        #expect(!count.isAtLeast)
        count.insert(65_537)
        #expect(count.count == 65_536 && count.isAtLeast)
    }
}
