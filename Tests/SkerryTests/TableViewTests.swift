import Testing

@testable import SkerryCore
@testable import skerry

/// Screens as whole text, from events as an engine gives them.
@Suite struct TableViewTests {
    static let office = ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")!
    static let visitor = ProximityUUID("6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001")!
    /// 2020-06-10T17:42:00Z
    static let begin = Timestamp(seconds: 1_591_810_920, microseconds: 0)

    private static func moment(_ seconds: Double) -> Timestamp { begin + Int64(seconds * 1e6) }

    private static func start(_ regions: [BeaconRegion]) -> Event {
        Event(
            time: begin,
            .start(Start(version: "0", command: "replay", profile: .apple, sources: [], regions: regions)))
    }

    private static func scanner(_ seconds: Double, _ source: UInt16, _ state: ScannerState, _ detail: String? = nil)
        -> Event
    {
        Event(time: moment(seconds), source: SourceID(rawValue: source), .scanner(state, detail: detail))
    }

    private static func region(_ seconds: Double, _ number: Int, _ state: RegionState, from: RegionState) -> Event {
        Event(
            time: moment(seconds),
            .region(
                RegionTransition(
                    region: number, transition: .enter, state: state, from: from, by: nil, reason: .advertisement,
                    evidence: .beacon(
                        .init(lastSeen: nil, silence: 0, timeout: 0, basis: .profile, samples: 0, listening: 1)))))
    }

    private static func ranging(_ seconds: Double, _ number: Int, _ beacons: [RangedBeacon], omitted: Int = 0)
        -> Event
    {
        Event(time: moment(seconds), .ranging(Ranging(region: number, beacons: beacons, omitted: omitted)))
    }

    private static func beacon(
        _ uuid: ProximityUUID, _ major: UInt16, _ minor: UInt16, _ proximity: Proximity, _ metres: Double?,
        _ rssi: Double?, seen: Double
    ) -> RangedBeacon {
        RangedBeacon(
            identity: BeaconIdentity(uuid: uuid, major: major, minor: minor), proximity: proximity, accuracy: metres,
            rssi: rssi, samples: 1, lastSeen: moment(seen), measuredPower: -59, hasImplausibleMeasuredPower: false)
    }

    private static func view(_ events: [Event], sources: [String] = ["walk.btsnoop"]) -> TableView {
        var view = TableView()
        view.sources = sources
        for event in events { view.take(event) }
        return view
    }

    /// Compares a screen with what it should be; no line may be wider than it.
    private static func expect(
        _ view: TableView, _ width: Int, _ height: Int, _ golden: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let lines = view.lines(width: width, height: height, isColoured: false)
        #expect(lines.joined(separator: "\n") == golden, sourceLocation: location)
        #expect(lines.allSatisfy { Line($0).cells <= width }, sourceLocation: location)
        #expect(lines.count <= height, sourceLocation: location)
    }

    /// Two regions, one of them within the other, and a visitor in none but the third.
    private static let walk = view([
        start([
            BeaconRegion(name: "office", uuid: office)!,
            BeaconRegion(name: "door", uuid: office, major: 1, minor: 7)!,
            BeaconRegion(name: "all")!,
            BeaconRegion(name: "cellar", uuid: visitor, major: 3)!,
        ]),
        scanner(0, 0, .listening),
        region(3, 0, .inside, from: .unknown),
        region(10, 1, .inside, from: .unknown),
        region(30, 3, .outside, from: .unknown),
        ranging(
            205, 0,
            [
                beacon(office, 1, 7, .immediate, 0.48, -54.6, seen: 204.9),
                beacon(office, 1, 12, .near, 2.31, -66.5, seen: 204.2),
                beacon(office, 65535, 65535, .unknown, nil, nil, seen: 192.5),
            ]),
        ranging(205, 1, [beacon(office, 1, 7, .immediate, 0.48, -54.6, seen: 204.9)]),
        ranging(
            205, 2,
            [
                beacon(office, 1, 7, .immediate, 0.48, -54.6, seen: 204.9),
                beacon(office, 1, 12, .near, 2.31, -66.5, seen: 204.2),
                beacon(visitor, 0, 0, .far, 12.4, -81, seen: 204),
                beacon(office, 65535, 65535, .unknown, nil, nil, seen: 192.5),
            ]),
    ])

    @Test func wide() {
        Self.expect(
            Self.walk, 120, 24,
            """
            2020-06-10 17:45:25 UTC  walk.btsnoop listening

            REGION  STATE    SINCE
            office  inside   17:42:03 (3 min)
            door    inside   17:42:10 (3 min)
            all     unknown
            cellar  outside  17:42:30 (2 min)

            BEACON                                MAJ/MIN      PROXIMITY                       DISTANCE      RSSI     AGE
            door                                  1/7          immediate █████████████████░░░     0.5 m   -55 dBm     0 s
            office                                1/12         near      ███████████░░░░░░░░░     2.3 m   -67 dBm     0 s
            6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001  0/0          far       ████░░░░░░░░░░░░░░░░      12 m   -81 dBm     1 s
            office                                65535/65535  unknown                                -         -    12 s
            """)
    }

    @Test func ordinary() {
        Self.expect(
            Self.walk, 80, 24,
            """
            2020-06-10 17:45:25 UTC  walk.btsnoop listening

            REGION  STATE    SINCE
            office  inside   17:42:03 (3 min)
            door    inside   17:42:10 (3 min)
            all     unknown
            cellar  outside  17:42:30 (2 min)

            BEACON                  MAJ/MIN      PROXIMITY        DISTANCE      RSSI     AGE
            door                    1/7          immediate ████░     0.5 m   -55 dBm     0 s
            office                  1/12         near      ███░░     2.3 m   -67 dBm     0 s
            6F1C1B8E-3D52-4B7A-9C…  0/0          far       █░░░░      12 m   -81 dBm     1 s
            office                  65535/65535  unknown                 -         -    12 s
            """)
    }

    @Test func narrow() {
        Self.expect(
            Self.walk, 40, 24,
            """
            17:45:25 UTC  walk.btsnoop listening

            REGION  STATE    SINCE
            office  inside   17:42:03 (3 min)
            door    inside   17:42:10 (3 min)
            all     unknown
            cellar  outside  17:42:30 (2 min)

            BEACON             MAJ/MIN      DISTANCE
            door               1/7             0.5 m
            office             1/12            2.3 m
            6F1C1B8E-3D52-4B…  0/0              12 m
            office             65535/65535         -
            """)
    }

    @Test func low() {
        Self.expect(
            Self.walk, 80, 9,
            """
            2020-06-10 17:45:25 UTC  walk.btsnoop listening
            REGION  STATE    SINCE
            office  inside   17:42:03 (3 min)
            door    inside   17:42:10 (3 min)
            … and 2 more
            BEACON  MAJ/MIN  PROXIMITY                       DISTANCE      RSSI     AGE
            door    1/7      immediate █████████████████░░░     0.5 m   -55 dBm     0 s
            office  1/12     near      ███████████░░░░░░░░░     2.3 m   -67 dBm     0 s
            … and 2 more
            """)
    }

    @Test func colour() {
        let lines = Self.walk.lines(width: 80, height: 24, isColoured: true)
        let text = lines.joined(separator: "\n").replacing("\u{1B}[", with: "^")
        #expect(
            text == """
                2020-06-10 17:45:25 UTC  walk.btsnoop listening

                ^1mREGION^0m  ^1mSTATE^0m    ^1mSINCE^0m
                office  ^32minside^0m   17:42:03 (3 min)
                door    ^32minside^0m   17:42:10 (3 min)
                all     ^33munknown^0m
                cellar  outside  17:42:30 (2 min)

                ^1mBEACON^0m                  ^1mMAJ/MIN^0m      ^1mPROXIMITY^0m        ^1mDISTANCE^0m      ^1mRSSI^0m     ^1mAGE^0m
                door                    1/7          ^32mimmediate^0m ^32m████^0m^2m░^0m     0.5 m   -55 dBm     0 s
                office                  1/12         ^36mnear^0m      ^36m███^0m^2m░░^0m     2.3 m   -67 dBm     0 s
                6F1C1B8E-3D52-4B7A-9C…  0/0          ^33mfar^0m       ^33m█^0m^2m░░░░^0m      12 m   -81 dBm     1 s
                office                  65535/65535  ^2munknown^0m                 -         -    12 s
                """)
    }

    /// Every size that a terminal can have, down to none.
    @Test func fits() {
        var view = Self.walk
        view.take(Event(time: nil, .error(Fault(domain: .capture, name: .cut, message: "cut", isRecoverable: false))))
        view.take(Event(time: nil, .statistics(Statistics(seed: 1))))
        for width in [0, 1, 2, 5, 12, 20, 25, 30, 35, 39, 45, 50, 55, 60, 70, 90, 130, .max] {
            for height in Array(0...30) + [.max] {
                let lines = view.lines(width: width, height: height, isColoured: false)
                #expect(lines.count <= height && lines.allSatisfy { Line($0).cells <= width })
            }
        }
    }

    @Test func moreBeaconsThanRows() {
        let many = (1...20).map { Self.beacon(Self.office, 1, $0, .far, Double($0) * 5, -80, seen: 1) }
        let view = Self.view([
            Self.start([BeaconRegion(name: BeaconRegion.everything, isMonitored: false)!]),
            Self.scanner(0, 0, .listening), Self.ranging(1, 0, many, omitted: 30),
        ])
        Self.expect(
            view, 80, 10,
            """
            2020-06-10 17:42:01 UTC  walk.btsnoop listening
            BEACON                      MAJ/MIN  PROXIMITY        DISTANCE      RSSI     AGE
            E2C56DB5-DFFB-48D2-B060-D…  1/1      far       ██░░░     5.0 m   -80 dBm     0 s
            E2C56DB5-DFFB-48D2-B060-D…  1/2      far       █░░░░      10 m   -80 dBm     0 s
            E2C56DB5-DFFB-48D2-B060-D…  1/3      far       █░░░░      15 m   -80 dBm     0 s
            E2C56DB5-DFFB-48D2-B060-D…  1/4      far       ░░░░░      20 m   -80 dBm     0 s
            E2C56DB5-DFFB-48D2-B060-D…  1/5      far       ░░░░░      25 m   -80 dBm     0 s
            E2C56DB5-DFFB-48D2-B060-D…  1/6      far       ░░░░░      30 m   -80 dBm     0 s
            E2C56DB5-DFFB-48D2-B060-D…  1/7      far       ░░░░░      35 m   -80 dBm     0 s
            … and 43 more
            """)
    }

    @Test func moreRegionsThanRows() {
        let regions = (0..<40 as Range<UInt16>).map { BeaconRegion(name: "room \($0)", uuid: Self.office, major: $0)! }
        let view = Self.view([Self.start(regions), Self.region(1, 33, .inside, from: .unknown)])
        Self.expect(
            view, 80, 12,
            """
            2020-06-10 17:42:01 UTC

            REGION   STATE    SINCE
            room 33  inside   17:42:01 (0 s)
            room 0   unknown
            room 1   unknown
            room 2   unknown
            room 3   unknown
            … and 35 more

            BEACON  MAJ/MIN  PROXIMITY                       DISTANCE      RSSI     AGE
            none in range
            """)
    }

    @Test func namesOfUsers() {
        let names = [
            "two\nlines", "\u{1B}[31mred\u{1B}]0;title\u{7}", "\u{202E}desrever", "\u{9B}2J", "会議室 A", "Zoe\u{308}",
            "Z\u{300}\u{300}\u{300}\u{300}\u{300}\u{300}\u{300}algo", "👩‍💻👍🏽", "a very long name that goes on and on",
            "\u{300}", "会議室会議室会議室会議室",
        ]
        let view = Self.view(
            [
                Self.start(names.map { BeaconRegion(name: $0, uuid: Self.office)! }),
                Self.scanner(5, 0, .paused, "a\tb"),
            ],
            sources: ["\u{1B}c.pcap"])
        Self.expect(
            view, 52, 24,
            """
            17:42:05 UTC  �c.pcap paused (a�b)

            REGION                   STATE    SINCE
            two�lines                unknown
            �[31mred�]0;title�       unknown
            �desrever                unknown
            �2J                      unknown
            会議室 A                 unknown
            Zoë                      unknown
            Z̀̀̀̀algo                    unknown
            👩💻👍                   unknown
            a very long name that …  unknown
                                     unknown
            会議室会議室会議室会議…  unknown

            BEACON  MAJ/MIN  PROXIMITY  DISTANCE      RSSI
            none in range
            """)
    }

    private static func at(_ seconds: Double, _ latitude: Double, _ longitude: Double, speed: Double?) -> Event {
        var fix = Fix(
            coordinate: Coordinate(latitude: latitude, longitude: longitude)!, horizontalAccuracy: 4.4,
            accuracySource: .eph, isThreeDimensional: true, isSimulated: false)
        (fix.speed, fix.course) = (speed, speed.map { _ in 359.7 })
        return Event(time: moment(seconds), .location(fix))
    }

    @Test func placeAndWay() {
        let start = [Self.start([]), Self.scanner(0, 0, .listening)]
        var heading = Heading(magneticHeading: 87, trueHeading: 89.6, headingAccuracy: 10)
        let way = Guidance.Step(distance: 1_240, bearing: 2.4, relativeAngle: -87.2, arrow: .left)
        var view = Self.view(
            start + [
                Self.at(0, 47.05, -0.000_004, speed: 1.44), Event(time: Self.moment(2), .heading(heading)),
                Event(time: Self.moment(5), .guidance(way)),
            ])
        let rest = """


            BEACON  MAJ/MIN  PROXIMITY                       DISTANCE      RSSI     AGE
            none in range
            """
        Self.expect(
            view, 80, 24,
            """
            2020-06-10 17:42:05 UTC  walk.btsnoop listening
            47.05000, 0.00000  ±4.4 m  1.4 m/s  course 0°  5 s ago  heading 90° true
            destination 1.2 km, bearing 2°, left 87°
            """ + rest)
        heading = Heading(magneticHeading: 359.6, headingAccuracy: 10)
        let there = Guidance.Step(distance: 12, isArrival: true, hasArrived: true)
        for event in [
            Self.at(6, -47.05, -8.300_01, speed: nil), Event(time: Self.moment(6), .heading(heading)),
            Event(time: Self.moment(6), .guidance(there)),
            Event(
                time: Self.moment(17),
                .error(Fault(domain: .location, name: .locationUnknown, message: "", isRecoverable: true))),
        ] {
            view.take(event)
        }
        Self.expect(
            view, 80, 24,
            """
            2020-06-10 17:42:17 UTC  walk.btsnoop listening
            -47.05000, -8.30001  ±4.4 m  11 s ago  no fix  heading 0° magnetic
            destination 12 m, arrived
            """ + rest)
        view = Self.view(start + [Event(time: Self.moment(1), .heading(Heading(magneticHeading: 1)))])
        #expect(view.lines(width: 80, height: 3, isColoured: false)[1] == "heading invalid")
    }

    @Test func end() {
        var statistics = Statistics(seed: 1)
        statistics.records = 3022
        statistics.reports = 258
        statistics.addresses.insert(7)
        statistics.malformed[.adLengthOverrun] = 2
        statistics.malformed[.noNumReports] = 1
        statistics.gps = GPSStatistics()
        statistics.gps?.fixes = 2
        let fault = Fault(domain: .capture, name: .cut, message: "b.pcap: ends within a record", isRecoverable: false)
        let view = Self.view(
            [
                Self.start([BeaconRegion(name: "office", uuid: Self.office)!]),
                Self.region(3, 0, .inside, from: .unknown),
                Self.region(86_400 * 3, 0, .outside, from: .inside),
                Self.ranging(86_400 * 3, 0, []),
                Event(time: Self.moment(86_400 * 4), .error(fault)),
                Event(time: Self.moment(86_400 * 4), .error(fault)),
                Self.scanner(86_400 * 5, 0, .ended), Self.scanner(86_400 * 5, 1, .paused),
                // The last record's time, when the clock of the capture went back.
                Event(time: Self.moment(10), .statistics(statistics)),
            ], sources: ["a.pcap", "b.pcap"])
        Self.expect(
            view, 80, 24,
            """
            2020-06-15 17:42:00 UTC  b.pcap paused  a.pcap ended

            REGION  STATE    SINCE
            office  outside  2020-06-13 17:42:00 (2 d)

            BEACON  MAJ/MIN  PROXIMITY                       DISTANCE      RSSI     AGE
            none in range

            2 errors, last: b.pcap: ends within a record
            3022 records, 258 reports, 1 address, 3 malformed, 2 fixes
            """)
    }

    @Test func numbers() {
        let metres = [0, 0.04, 0.05, 0.48, 0.5, 0.96, 2.34, 9.94, 9.96, 12.4, 999.4, 999.6, 18_910, 999_499, 2e11]
        #expect(
            metres.map(Quantity.distance) == [
                "<0.1 m", "<0.1 m", "0.1 m", "0.5 m", "0.5 m", "1.0 m", "2.3 m", "9.9 m", "10 m", "12 m", "999 m",
                "1.0 km", "19 km", "999 km", ">999 km",
            ])
        let seconds: [Int64] = [-5, 0, 59, 60, 3599, 3600, 172_799, 172_800]
        #expect(
            seconds.map { Quantity.duration($0 * 1_000_000 + 999_999) } == [
                "0 s", "0 s", "59 s", "1 min", "59 min", "1 h", "47 h", "2 d",
            ])
        #expect([0.1, 0.25, 1, 4, 32, 1e9].map { BeaconBlock.bar($0, of: 7) } == [7, 7, 5, 3, 0, 0])
    }

    @Test func progress() {
        #expect(Progress.line(12_345_678, of: nil, width: 80) == "12 MB read")
        #expect(
            Progress.line(600_000_000, of: 2_400_000_000, width: 60)
                == " 25 %  ████████░░░░░░░░░░░░░░░░░░░░░░░░░░  600 MB of 2.4 GB")
        #expect(Progress.line(3_000_000, of: 2_400_000, width: 20) == "100 %")
        #expect(Progress.line(0, of: 0, width: 80) == "0 kB read")
    }
}
