import Testing

@testable import SkerryCore
@testable import skerry

/// More to show than there is room for, and names that users give.
@Suite struct TableRoomTests {
    @Test func moreBeaconsThanRows() {
        let many = (1...20).map { TableScene.beacon(TableScene.office, 1, $0, .far, Double($0) * 5, -80, seen: 1) }
        let view = TableScene.view([
            TableScene.start([BeaconRegion(name: BeaconRegion.everything, isMonitored: false)!]),
            TableScene.scanner(0, 0, .listening), TableScene.ranging(1, 0, many, omitted: 30),
        ])
        TableScene.expect(
            view, 80, 10,
            """
            2020-06-10 19:42:01 CEST  walk.btsnoop listening
            BEACON                                MAJ/MIN  PROXIMITY  DISTANCE      RSSI
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0  1/1      far           5.0 m   -80 dBm
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0  1/2      far            10 m   -80 dBm
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0  1/3      far            15 m   -80 dBm
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0  1/4      far            20 m   -80 dBm
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0  1/5      far            25 m   -80 dBm
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0  1/6      far            30 m   -80 dBm
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0  1/7      far            35 m   -80 dBm
            … and 43 more
            """)
    }

    @Test func moreRegionsThanRows() {
        let regions = (0..<40 as Range<UInt16>).map {
            BeaconRegion(name: "room \($0)", uuid: TableScene.office, major: $0)!
        }
        let view = TableScene.view([TableScene.start(regions), TableScene.region(1, 33, .inside, from: .unknown)])
        TableScene.expect(
            view, 80, 12,
            """
            2020-06-10 19:42:01 CEST

            REGION   STATE    SINCE
            room 33  inside   19:42:01 (0 s)
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
        let view = TableScene.view(
            [
                TableScene.start(names.map { BeaconRegion(name: $0, uuid: TableScene.office)! }),
                TableScene.scanner(5, 0, .paused, "a\tb"),
            ],
            sources: ["\u{1B}c.pcap"])
        TableScene.expect(
            view, 52, 24,
            """
            19:42:05 CEST  �c.pcap paused (a�b)

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
}
