import Testing

@testable import SkerryCore
@testable import skerry

/// One scene on screens of different sizes.
@Suite struct TableViewTests {
    /// Two regions, one of them within the other, and a visitor in none but the third.
    private static let walk = TableScene.view([
        TableScene.start([
            BeaconRegion(name: "office", uuid: TableScene.office)!,
            BeaconRegion(name: "door", uuid: TableScene.office, major: 1, minor: 7)!,
            BeaconRegion(name: "all")!,
            BeaconRegion(name: "cellar", uuid: TableScene.visitor, major: 3)!,
        ]),
        TableScene.scanner(0, 0, .listening),
        TableScene.region(3, 0, .inside, from: .unknown),
        TableScene.region(10, 1, .inside, from: .unknown),
        TableScene.region(30, 3, .outside, from: .unknown),
        TableScene.ranging(
            205, 0,
            [
                TableScene.beacon(TableScene.office, 1, 7, .immediate, 0.48, -54.6, seen: 204.9),
                TableScene.beacon(TableScene.office, 1, 12, .near, 2.31, -66.5, seen: 204.2),
                TableScene.beacon(TableScene.office, 65535, 65535, .unknown, nil, nil, seen: 192.5),
            ]),
        TableScene.ranging(205, 1, [TableScene.beacon(TableScene.office, 1, 7, .immediate, 0.48, -54.6, seen: 204.9)]),
        TableScene.ranging(
            205, 2,
            [
                TableScene.beacon(TableScene.office, 1, 7, .immediate, 0.48, -54.6, seen: 204.9),
                TableScene.beacon(TableScene.office, 1, 12, .near, 2.31, -66.5, seen: 204.2),
                TableScene.beacon(TableScene.visitor, 0, 0, .far, 12.4, -81, seen: 204),
                TableScene.beacon(TableScene.office, 65535, 65535, .unknown, nil, nil, seen: 192.5),
            ]),
    ])

    @Test func wide() {
        TableScene.expect(
            Self.walk, 120, 24,
            """
            2020-06-10 19:45:25 CEST  walk.btsnoop listening

            REGION  STATE    SINCE
            office  inside   19:42:03 (3 min)
            door    inside   19:42:10 (3 min)
            all     unknown
            cellar  outside  19:42:30 (2 min)

            BEACON                                MAJ/MIN      PROXIMITY                       DISTANCE      RSSI     AGE
            door                                  1/7          immediate █████████████████░░░     0.5 m   -55 dBm     0 s
            office                                1/12         near      ███████████░░░░░░░░░     2.3 m   -67 dBm     0 s
            6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001  0/0          far       ████░░░░░░░░░░░░░░░░      12 m   -81 dBm     1 s
            office                                65535/65535  unknown                                -         -    12 s
            """)
    }

    @Test func ordinary() {
        TableScene.expect(
            Self.walk, 80, 24,
            """
            2020-06-10 19:45:25 CEST  walk.btsnoop listening

            REGION  STATE    SINCE
            office  inside   19:42:03 (3 min)
            door    inside   19:42:10 (3 min)
            all     unknown
            cellar  outside  19:42:30 (2 min)

            BEACON                                MAJ/MIN      PROXIMITY  DISTANCE      RSSI
            door                                  1/7          immediate     0.5 m   -55 dBm
            office                                1/12         near          2.3 m   -67 dBm
            6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001  0/0          far            12 m   -81 dBm
            office                                65535/65535  unknown           -         -
            """)
    }

    @Test func narrow() {
        TableScene.expect(
            Self.walk, 40, 24,
            """
            19:45:25 CEST  walk.btsnoop listening

            REGION  STATE    SINCE
            office  inside   19:42:03 (3 min)
            door    inside   19:42:10 (3 min)
            all     unknown
            cellar  outside  19:42:30 (2 min)

            BEACON  MAJ/MIN      PROXIMITY  DISTANCE
            door    1/7          immediate     0.5 m
            office  1/12         near          2.3 m
            6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001
                    0/0          far            12 m
            office  65535/65535  unknown           -
            """)
    }

    @Test func low() {
        TableScene.expect(
            Self.walk, 80, 9,
            """
            2020-06-10 19:45:25 CEST  walk.btsnoop listening
            REGION  STATE    SINCE
            office  inside   19:42:03 (3 min)
            door    inside   19:42:10 (3 min)
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
                2020-06-10 19:45:25 CEST  walk.btsnoop listening

                ^1mREGION^0m  ^1mSTATE^0m    ^1mSINCE^0m
                office  ^32minside^0m   19:42:03 (3 min)
                door    ^32minside^0m   19:42:10 (3 min)
                all     ^33munknown^0m
                cellar  outside  19:42:30 (2 min)

                ^1mBEACON^0m                                ^1mMAJ/MIN^0m      ^1mPROXIMITY^0m  ^1mDISTANCE^0m      ^1mRSSI^0m
                door                                  1/7          ^32mimmediate^0m     0.5 m   -55 dBm
                office                                1/12         ^36mnear^0m          2.3 m   -67 dBm
                6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001  0/0          ^33mfar^0m            12 m   -81 dBm
                office                                65535/65535  ^2munknown^0m           -         -
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
}
