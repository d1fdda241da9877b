import Testing

@testable import SkerryCore
@testable import skerry

/// Events as an engine gives them, and the screens that they make, as whole text.
enum TableScene {
    static let office = ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")!
    static let visitor = ProximityUUID("6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001")!
    /// 2020-06-10T17:42:00Z, 19:42 in Paris.
    static let begin = Timestamp(seconds: 1_591_810_920, microseconds: 0)

    static func moment(_ seconds: Double) -> Timestamp { begin + Int64(seconds * 1e6) }

    static func start(_ regions: [BeaconRegion]) -> Event {
        Event(
            time: begin,
            .start(Start(version: "0", command: "replay", profile: .apple, sources: [], regions: regions)))
    }

    static func scanner(_ seconds: Double, _ source: UInt16, _ state: ScannerState, _ detail: String? = nil)
        -> Event
    {
        Event(time: moment(seconds), source: SourceID(rawValue: source), .scanner(state, detail: detail))
    }

    static func region(_ seconds: Double, _ number: Int, _ state: RegionState, from: RegionState) -> Event {
        Event(
            time: moment(seconds),
            .region(
                RegionTransition(
                    region: number, transition: .enter, state: state, from: from, by: nil, reason: .advertisement,
                    evidence: .beacon(
                        .init(lastSeen: nil, silence: 0, timeout: 0, basis: .profile, samples: 0, listening: 1)))))
    }

    static func ranging(_ seconds: Double, _ number: Int, _ beacons: [RangedBeacon], omitted: Int = 0)
        -> Event
    {
        Event(time: moment(seconds), .ranging(Ranging(region: number, beacons: beacons, omitted: omitted)))
    }

    static func beacon(
        _ uuid: ProximityUUID, _ major: UInt16, _ minor: UInt16, _ proximity: Proximity, _ metres: Double?,
        _ rssi: Double?, seen: Double
    ) -> RangedBeacon {
        RangedBeacon(
            identity: BeaconIdentity(uuid: uuid, major: major, minor: minor), proximity: proximity, accuracy: metres,
            rssi: rssi, samples: 1, lastSeen: moment(seen), measuredPower: -59, hasImplausibleMeasuredPower: false)
    }

    static func view(_ events: [Event], sources: [String] = ["walk.btsnoop"]) -> TableView {
        var view = TableView()
        view.sources = sources
        view.clock = { LocalTime($0, offset: 7200, zone: "CEST") }
        for event in events { view.take(event) }
        return view
    }

    /// Compares a screen with what it should be; no line may be wider than it.
    static func expect(
        _ view: TableView, _ width: Int, _ height: Int, _ golden: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let lines = view.lines(width: width, height: height, isColoured: false)
        #expect(lines.joined(separator: "\n") == golden, sourceLocation: location)
        #expect(lines.allSatisfy { Line($0).cells <= width }, sourceLocation: location)
        #expect(lines.count <= height, sourceLocation: location)
    }

    /// A frame of an AD structure: its type, and its data in hexadecimal digits.
    static func advertisement(_ seconds: Double, _ type: UInt8, _ hex: String, rssi: Int8?) -> Event {
        let digits = Array(hex)
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! }
        return Event(
            time: moment(seconds), source: SourceID(rawValue: 0),
            .advertisement(
                Advertisement(
                    address: DeviceAddress(bits: 1), addressType: .random, rssi: rssi, pdu: .legacy, phy: nil,
                    beacon: Beacon(ADStructure(type: type, data: bytes.rawSpan))!)))
    }

    static let iBeaconFrame = "4c000215e2c56db5dffb48d2b060d0f5a71096e000010007c5"
    static let altBeaconFrame = "1801beac5a3c0e7781d2497fb6a3c49e0d12f00800030007c500"
    static let uidFrame = "aafe00ec8b0ca750e7a7c1e5bd4f000000000042"
    static let urlFrame = "aafe10ec036578616d706c65006d"
    static let telemetryFrame = "aafe20000bb81780000000010000000a"
}
