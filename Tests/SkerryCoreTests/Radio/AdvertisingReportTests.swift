import Testing

@testable import SkerryCore

/// Events from their H4 byte on, and what is read out of them.
@Suite struct AdvertisingReportTests {
    private static let beacon = """
        {"format":"ibeacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":100,"minor":0,"measuredPower":-59}
        """

    @Test func theAdvertAndItsEmptyScanResponseAreTwoReports() {
        #expect(
            explain("043e2702020001 1022334455c0 11 02011a020a0c0aff4c0010050318f88918 ba 0401 1022334455c0 00 ba")
                == """
                {"kind":"h4","reports":[\
                {"address":"C0:55:44:33:22:10","addressType":"random","rssi":-70,"pdu":"legacy","beacons":[]},\
                {"address":"C0:55:44:33:22:10","addressType":"random","rssi":-70,"pdu":"legacy","beacons":[]}],\
                "malformed":{}}
                """)
    }

    @Test func aLegacyPDUInAnExtendedReportIsFoundAlike() {
        let data = "1e 02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5"
        #expect(
            explain("043e38 0d01 1300 01 433ea2c96b6a 01 00 ff 7f b3 0000 00 000000000000 \(data)") == """
                {"kind":"h4","reports":[{"address":"6A:6B:C9:A2:3E:43","addressType":"random","rssi":-77,\
                "pdu":"legacy","phy":"1M","beacons":[\(Self.beacon)]}],"malformed":{}}
                """)
        #expect(
            explain("043e2a 0201 00 01 433ea2c96b6a \(data) b3") == """
                {"kind":"h4","reports":[{"address":"6A:6B:C9:A2:3E:43","addressType":"random","rssi":-77,\
                "pdu":"legacy","beacons":[\(Self.beacon)]}],"malformed":{}}
                """)
    }

    @Test func anExtendedReportNamesItsPHY() {
        let rows: [(primary: String, secondary: String, name: String?)] = [
            ("01", "00", "1M"), ("01", "01", "1M"), ("01", "02", "2M"), ("03", "03", "Coded"), ("03", "00", "Coded"),
            ("09", "09", nil),
        ]
        for row in rows {
            #expect(
                explain(
                    "043e1a 0d01 0000 01 433ea2c96b6a \(row.primary) \(row.secondary) 00 7f b3 0000 00 000000000000 00")
                        == """
                        {"kind":"h4","reports":[{"address":"6A:6B:C9:A2:3E:43","addressType":"random","rssi":-77,\
                        "pdu":"extended"\(row.name.map { ",\"phy\":\"\($0)\"" } ?? ""),"beacons":[]}],"malformed":{}}
                        """)
        }
    }

    @Test func aDirectedReportIsAReport() {
        #expect(
            explain("043e12 0b01 01 01 010000000 7d6 01 00000000005b c4") == """
                {"kind":"h4","reports":[{"address":"D6:07:00:00:00:01","addressType":"random","rssi":-60,\
                "pdu":"legacy","beacons":[]}],"malformed":{}}
                """)
    }

    @Test(
        arguments: [
            ("00", "\"public\""), ("01", "\"random\""), ("02", "\"publicIdentity\""), ("03", "\"randomIdentity\""),
            ("ff", "\"anonymous\""), ("fe", "254"), ("04", "4"),
        ] as [(String, String)])
    func theKindOfAnAddressIsNamedOrItsNumberGiven(byte: String, name: String) {
        #expect(explain("043e0c020100\(byte)433ea2c96b6a00b3").contains("\"addressType\":\(name),"))
    }

    @Test(
        arguments: [
            ("7f", nil), ("80", nil), ("81", -127), ("ba", -70), ("ff", -1), ("00", 0), ("14", 20), ("15", nil),
            ("4f", nil),
            ("64", nil),
        ] as [(String, Int?)])
    func rssiOutsideItsRangeIsUnavailable(byte: String, rssi: Int?) {
        let member = rssi.map { "\"rssi\":\($0)," } ?? ""
        #expect(
            explain("043e0c02010001433ea2c96b6a00\(byte)") == """
                {"kind":"h4","reports":[{"address":"6A:6B:C9:A2:3E:43","addressType":"random",\(member)"pdu":"legacy",\
                "beacons":[]}],"malformed":{}}
                """)
    }

    @Test func rssiIsTheByteAfterTheDataAsItsLengthSays() {
        // Data that ends in c5, and bytes behind the report.
        #expect(
            explain("043e12 0201 0001 433ea2c96b6a 04 03ff59c5 a0 112233").contains("\"rssi\":-96,")
                && explain("043e12 0201 0001 433ea2c96b6a 04 03ff59c5 a0 112233").contains("\"bytesAfterReports\":1"))
    }

    /// Whatever the data of the reports of an event, each has its own RSSI.
    @Test func everyReportOfAnEventComesOutWithItsOwnAddressDataAndRSSI() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            var expected: [String] = []
            var body: [UInt8] = []
            let isExtended = Bool.random(using: &generator)
            var count: UInt8 = 0
            while true {
                let minor = UInt16.random(in: .min ... .max, using: &generator)
                let rssi = Int8.random(in: -127 ... -1, using: &generator)
                let address = UInt64.random(in: 0..<1 << 48, using: &generator)
                let hasBeacon = Bool.random(using: &generator)
                let frame = Array(Packet.iBeacon(minor: minor).dropFirst(14).dropLast())
                let data = hasBeacon ? frame : generator.bytes(Int.random(in: 0...1, using: &generator))
                let packet =
                    isExtended
                    ? Packet.extended(data, eventType: 0x13, rssi: rssi, address: address)
                    : Packet.report(data, rssi: rssi, address: address)
                guard body.count + packet.count - 5 <= 253 else { break }
                body += packet.dropFirst(5)
                count += 1
                if hasBeacon { expected.append("\(address) \(rssi) \(minor)") }
            }
            let event = Packet.event([isExtended ? 0x0D : 0x02, count] + body)
            let playback = try Playback([(0, event)])
            let heard = playback.advertisements.map { advertisement in
                guard case .iBeacon(let frame) = advertisement.beacon else { return "no iBeacon" }
                return "\(advertisement.address.bits) \(advertisement.rssi!) \(frame.identity.minor)"
            }
            #expect(heard == expected)
            #expect(playback.statistics.reports == UInt64(count))
        }
    }

    @Test(
        arguments: [
            (
                "043e2a020200 01433ea2c96b6a1e02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5b3", 1,
                "legacyReportTruncated"
            ),
            ("043e0e0201 0001433ea2c96b6a 1e 02011a", 0, "legacyReportTruncated"),
            ("043e0b0201 0001433ea2c96b6a 00", 0, "legacyReportTruncated"),
            ("043e02 02ff", 0, "legacyReportTruncated"),
            ("043e17 0b02 0101010000000 7d6 01 00000000005b c4 010101 0007", 1, "legacyReportTruncated"),
            ("043e1a 0d01 0000 01 433ea2c96b6a 01 00 ff 7f b3 0000 00 000000000000 01", 0, "extendedReportTruncated"),
            ("043e0a 0d01 0000 01 433ea2c96b", 0, "extendedReportTruncated"),
            ("043e01 02", 0, "noNumReports"),
            ("043e01 0d", 0, "noNumReports"),
            ("043e01 0b", 0, "noNumReports"),
            ("043e0d0201 0001433ea2c96b6a 00 b3", 1, "eventShorterThanItsLength"),
            ("043e0d0201 0001433ea2c96b6a 00 b3 00", 1, "bytesAfterReports"),
            ("043e0c0201 0001433ea2c96b6a 00 b3 00", 1, "bytesAfterEvent"),
            ("043e0d0200 0001433ea2c96b6a 00 b3 00", 0, "bytesAfterReports"),
        ] as [(String, Int, String)])
    func whatDoesNotFitIsCountedAndWhatStoodBeforeItStands(hex: String, reports: Int, reason: String) {
        let explained = explain(hex)
        #expect(explained.components(of: "\"address\"") == reports, "\(explained)")
        #expect(explained.hasSuffix("\"malformed\":{\"\(reason)\":1}}"), "\(explained)")
    }

    @Test func twoReasonsOfOneEventAreBothCounted() {
        #expect(
            explain("043ec8 0201 0001433ea2c96b6a 1e 02011a")
                .hasSuffix("\"malformed\":{\"legacyReportTruncated\":1,\"eventShorterThanItsLength\":1}}"))
    }

    @Test(arguments: [
        "040e0401032000", "02402a0d010001433ea2", "043e", "043e00", "043e0100", "043e01ff", "043e020400",
        "04ff050102030405",
        "01032000", "", "04",
    ])
    func whatIsNoAdvertisingEventHasNoReports(hex: String) {
        #expect(explain(hex, .h4) == "{\"kind\":\"h4\",\"reports\":[],\"malformed\":{}}")
    }

    @Test func anyBytesLeaveTheFollowingReportsReadable() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            var packets: [Timed] = []
            for second in 0..<20 {
                let head: [UInt8] = [0x04, 0x3E, 0x0D, 0x02]
                packets.append(
                    (Double(second), head.prefix(Int.random(in: 0...4, using: &generator)) + generator.bytes(40)))
            }
            packets.append((20, Packet.iBeacon(minor: 4242)))
            let playback = try Playback(packets)
            guard case .iBeacon(let frame) = try #require(playback.advertisements.last).beacon else {
                Issue.record("the iBeacon is not the last")
                continue
            }
            #expect(frame.identity.minor == 4242)
        }
    }
}

extension String {
    /// How often a part comes in it.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
