import Testing

@testable import SkerryCore
@testable import skerry

/// The table when the run has ended.
@Suite struct TableEndTests {
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
        let view = TableScene.view(
            [
                TableScene.start([BeaconRegion(name: "office", uuid: TableScene.office)!]),
                TableScene.region(3, 0, .inside, from: .unknown),
                TableScene.region(86_400 * 3, 0, .outside, from: .inside),
                TableScene.ranging(86_400 * 3, 0, []),
                Event(time: TableScene.moment(86_400 * 4), .error(fault)),
                Event(time: TableScene.moment(86_400 * 4), .error(fault)),
                TableScene.scanner(86_400 * 5, 0, .ended), TableScene.scanner(86_400 * 5, 1, .paused),
                // The last record's time, when the clock of the capture went back.
                Event(time: TableScene.moment(10), .statistics(statistics)),
            ], sources: ["a.pcap", "b.pcap"])
        TableScene.expect(
            view, 80, 24,
            """
            2020-06-15 19:42:00 CEST  b.pcap paused  a.pcap ended

            REGION  STATE    SINCE
            office  outside  2020-06-13 19:42:00 (2 d)

            BEACON  MAJ/MIN  PROXIMITY                       DISTANCE      RSSI     AGE
            none in range

            2 errors, last: b.pcap: ends within a record
            3022 records, 258 reports, 1 address, 3 malformed, 2 fixes
            """)
    }
}
