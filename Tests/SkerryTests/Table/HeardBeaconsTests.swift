import Testing

@testable import SkerryCore
@testable import skerry

/// Beacons of all formats: in the table while they are heard, and in the summary at the end.
@Suite struct HeardBeaconsTests {
    private static let events = [
        TableScene.start([BeaconRegion(name: BeaconRegion.everything, isMonitored: false)!]),
        TableScene.scanner(0, 0, .listening),
        TableScene.advertisement(1, 0xFF, TableScene.iBeaconFrame, rssi: -60),
        TableScene.advertisement(2, 0xFF, TableScene.iBeaconFrame, rssi: -50),
        TableScene.advertisement(3, 0xFF, TableScene.iBeaconFrame, rssi: 5),
        TableScene.advertisement(3, 0xFF, TableScene.altBeaconFrame, rssi: nil),
        TableScene.advertisement(4, 0x16, TableScene.uidFrame, rssi: -70),
        TableScene.advertisement(5, 0x16, TableScene.uidFrame, rssi: -72),
        TableScene.advertisement(5, 0x16, TableScene.urlFrame, rssi: -71),
        TableScene.advertisement(5, 0x16, TableScene.telemetryFrame, rssi: -40),
        ranging(5, 2.31), ranging(6, 0.92), ranging(7, 1.5), ranging(8, nil),
    ]

    private static func ranging(_ seconds: Double, _ metres: Double?) -> Event {
        TableScene.ranging(
            seconds, 0, [TableScene.beacon(TableScene.office, 1, 7, .near, metres, -55, seen: seconds)])
    }

    private static var ended: TableView {
        var statistics = Statistics(seed: 1)
        statistics.records = 1_234_567
        statistics.reports = 1_234_567
        return TableScene.view(
            events + [
                TableScene.scanner(8, 0, .ended), Event(time: TableScene.moment(8), .statistics(statistics)),
            ])
    }

    @Test func whatIsNotRangedHasItsOwnLines() {
        let view = TableScene.view(Self.events)
        #expect(view.ages)
        TableScene.expect(
            view, 80, 24,
            """
            2020-06-10 19:42:08 CEST  walk.btsnoop listening

            BEACON                                MAJ/MIN  PROXIMITY  DISTANCE      RSSI
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0  1/7      near              -   -55 dBm

            NOT RANGED                                FORMAT             RSSI     AGE
            https://example.com/m                     eddystone-url   -71 dBm     3 s
            8b0ca750e7a7c1e5bd4f/000000000042         eddystone-uid   -72 dBm     3 s
            5A3C0E77-81D2-497F-B6A3-C49E0D12F008/3/7  altbeacon             -     5 s
            """)
        TableScene.expect(
            view, 40, 24,
            """
            19:42:08 CEST  walk.btsnoop listening

            BEACON  MAJ/MIN  PROXIMITY  DISTANCE
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0
                    1/7      near              -

            NOT RANGED         RSSI     AGE
            https://example.com/m
            eddystone-url   -71 dBm     3 s
            8b0ca750e7a7c1e5bd4f/000000000042
            eddystone-uid   -72 dBm     3 s
            5A3C0E77-81D2-497F-B6A3-C49E0D12F008/3/7
            altbeacon             -     5 s
            """)
        // Half a minute of silence, told by events or not.
        let late = view.lines(width: 80, height: 24, isColoured: false, after: 26 * .second)
        #expect(late.contains { $0.hasPrefix("5A3C0E77") } == false && late.contains { $0.hasPrefix("8b0c") })
        #expect(late.first?.hasPrefix("2020-06-10 19:42:34 CEST") == true)
        var silent = view
        silent.take(TableScene.scanner(40, 0, .listening))
        #expect(!silent.ages && !silent.lines(width: 80, height: 24, isColoured: false).contains("NOT RANGED"))
    }

    @Test func theEndIsASummary() {
        TableScene.expect(
            Self.ended, 120, 24,
            """
            2020-06-10 19:42:08 CEST  walk.btsnoop ended

            HEARD                                 MAJ/MIN       FORMAT         FIRST     LAST      COUNT  STRONGEST  NEAREST
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0  1/7           ibeacon        19:42:01  19:42:03      3    -50 dBm    0.9 m
            8b0ca750e7a7c1e5bd4f                  000000000042  eddystone-uid  19:42:04  19:42:05      2    -70 dBm        -
            https://example.com/m                               eddystone-url  19:42:05  19:42:05      1    -71 dBm        -
            5A3C0E77-81D2-497F-B6A3-C49E0D12F008  3/7           altbeacon      19:42:03  19:42:03      1          -        -

            1234567 records, 1234567 reports, 0 addresses
            """)
        TableScene.expect(
            Self.ended, 40, 24,
            """
            19:42:08 CEST  walk.btsnoop ended

            HEARD
            E2C56DB5-DFFB-48D2-B060-D0F5A71096E0
              1/7  ibeacon
              19:42:01 to 19:42:03, 3 times
              strongest -50 dBm, nearest 0.9 m
            8b0ca750e7a7c1e5bd4f  000000000042
              eddystone-uid
              19:42:04 to 19:42:05, 2 times
              strongest -70 dBm
            https://example.com/m  eddystone-url
              19:42:05 to 19:42:05, once
              strongest -71 dBm
            5A3C0E77-81D2-497F-B6A3-C49E0D12F008
              3/7  altbeacon
              19:42:03 to 19:42:03, once, no level

            1234567 records, 1234567 reports, 0
              addresses
            """)
    }

    @Test func nothingIsCutOfASummary() {
        #expect(Self.ended.lines(width: 40, height: 1, isColoured: false).count > 10)
        #expect(Self.ended.isEnded && !Self.ended.ages)
        // Statistics that were asked for in between are no end.
        let asked = TableScene.view(Self.events + [Event(time: nil, .statistics(Statistics(seed: 1)))])
        #expect(!asked.isEnded)
    }

    @Test func ofTooManyTheLastAreKept() {
        var heard = HeardBeacons()
        for number in 0..<HeardBeacons.limit + 5 {
            let hex = TableScene.uidFrame.dropLast(4) + String(0x1000 + number, radix: 16)
            let event = TableScene.advertisement(Double(number), 0x16, String(hex), rssi: -70)
            heard.take(event.advertisement!, at: event.time!)
        }
        #expect(heard.all.count == HeardBeacons.limit && heard.hasForgotten)
        #expect(heard.all.map(\.first).min() == TableScene.moment(5))
    }
}
