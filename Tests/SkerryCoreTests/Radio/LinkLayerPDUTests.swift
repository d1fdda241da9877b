import Testing

@testable import SkerryCore

/// Packets from the access address on, as sniffers record them.
@Suite struct LinkLayerPDUTests {
    private static let beacon = """
        {"format":"ibeacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":0,"minor":0,"measuredPower":-59}
        """
    private static let frame = "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000000000c5"

    @Test func theFirstIBeaconEverPublishedIsRead() {
        #expect(
            explain("d6be898e 4024 05a2176e3d71 02011a\(Self.frame) 52ab8d") == """
                {"kind":"ll","reports":[{"address":"71:3D:6E:17:A2:05","addressType":"random","pdu":"ADV_IND",\
                "beacons":[\(Self.beacon)]}],"malformed":{}}
                """)
    }

    @Test func aPacketWithAWrongCRCIsExplainedAndSaysSo() {
        let crcs = ["52ab8c", "", "52ab"]
        for crc in crcs {
            #expect(
                explain("d6be898e 4024 05a2176e3d71 02011a\(Self.frame) \(crc)") == """
                    {"kind":"ll","reports":[{"address":"71:3D:6E:17:A2:05","addressType":"random","pdu":"ADV_IND",\
                    "beacons":[\(Self.beacon)]}],"malformed":{"badCrc":1}}
                    """)
        }
    }

    /// PDUs with their CRCs as they were on the air.
    @Test(
        arguments: [
            ("402405a2176e3d7102011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000000000c5", "52ab8d"),
            ("40247372dfa6407d02011a020a080b095465737450686f6e65310bff4c001006771ebe8ac1ba", "896a7b"),
            ("0024644aaff18fec0201061aff4c0002154278c2614e1bcb383bb4a570294c4ea316232982b2", "8a721a"),
            ("430c5544332211c058d4ce7cf511", "dccc7f"),
        ] as [(String, String)])
    func theCRCIsThatOfTheSpecification(pdu: String, crc: String) {
        let bytes: [UInt8] = .le(LinkLayerPDU.crc([UInt8](hex: pdu).rawSpan))
        #expect(bytes.hex == crc + "00")
    }

    @Test(
        arguments: [
            ("00", "ADV_IND", "public"), ("40", "ADV_IND", "random"), ("60", "ADV_IND", "random"),
            ("02", "ADV_NONCONN_IND", "public"), ("42", "ADV_NONCONN_IND", "random"), ("44", "SCAN_RSP", "random"),
            ("06", "ADV_SCAN_IND", "public"),
        ] as [(String, String, String)])
    func legacyPDUsAreNamedAsTheSpecificationNamesThem(type: String, name: String, addressType: String) {
        let explained = explain("d6be898e \(type)24 05a2176e3d71 02011a\(Self.frame) 000000")
        #expect(
            explained == """
                {"kind":"ll","reports":[{"address":"71:3D:6E:17:A2:05","addressType":"\(addressType)","pdu":"\(name)",\
                "beacons":[\(Self.beacon)]}],"malformed":{"badCrc":1}}
                """)
    }

    @Test func aDirectedAdvertHasNoData() {
        #expect(
            explain("d6be898e c10c 05a2176e3d71 1aff4c000215 4d5e93") == """
                {"kind":"ll","reports":[{"address":"71:3D:6E:17:A2:05","addressType":"random","pdu":"ADV_DIRECT_IND",\
                "beacons":[]}],"malformed":{"badCrc":1}}
                """)
    }

    @Test func anExtendedAdvertIsReadBehindItsHeader() {
        // With an address and data information, then the data.
        #expect(
            explain("d6be898e 4725 09 09 05a2176e3d71 3412 \(Self.frame) 000000") == """
                {"kind":"ll","reports":[{"address":"71:3D:6E:17:A2:05","addressType":"random","pdu":"ADV_EXT_IND",\
                "beacons":[\(Self.beacon)]}],"malformed":{"badCrc":1}}
                """)
        #expect(
            explain("d6be898e 0706 05 18 3412 7f00 000000") == """
                {"kind":"ll","reports":[{"address":"00:00:00:00:00:00","addressType":"anonymous","pdu":"ADV_EXT_IND",\
                "beacons":[]}],"malformed":{"badCrc":1}}
                """)
    }

    /// Packet, then how many reports and what is wrong.
    @Test(
        arguments: [
            ("d6be898e", 0, "linkLayerPduTruncated"),
            ("d6be898e 40", 0, "linkLayerPduTruncated"),
            ("d6be898e 4024 05a2176e3d71", 0, "linkLayerPduTruncated"),
            ("d6be898e 4005 05a2176e3d 000000", 0, "linkLayerPduShort"),
            ("d6be898e 4000 000000", 0, "linkLayerPduShort"),
            ("d6be898e 410b 05a2176e3d71 0000000000 000000", 0, "linkLayerPduShort"),
            ("d6be898e 4700 000000", 0, "linkLayerPduShort"),
            ("d6be898e 4701 05 000000", 0, "linkLayerPduShort"),
            ("d6be898e 4703 02 0100 000000", 0, "linkLayerPduShort"),
        ] as [(String, Int, String)])
    func whatDoesNotFitIsCounted(hex: String, reports: Int, reason: String) {
        #expect(explain(hex, .ll) == "{\"kind\":\"ll\",\"reports\":[],\"malformed\":{\"\(reason)\":1}}")
    }

    @Test(arguments: [
        "d6be898e c506ab8967452301", "d6be898e 430c 5544332211c0 58d4ce7cf511 dccc7f", "d6be898e 0f00 000000",
        "a48be18f 4156 65500a04000004005c2ce0", "", "d6be89",
    ])
    func otherPacketsAreNoReports(hex: String) {
        #expect(explain(hex, .ll) == "{\"kind\":\"ll\",\"reports\":[],\"malformed\":{}}")
    }

    /// What a sniffer says of the CRC wins over the bytes; where it says nothing, the CRC is computed.
    @Test(
        arguments: [
            (256, "25c28000d6be898e1300", "52ab8d", true), (256, "25c28000d6be898e1300", "52ab8c", false),
            (256, "25c28000d6be898e130c", "52ab8c", true), (256, "25c28000d6be898e1304", "52ab8d", false),
            (272, "013700020100060a0125490100cf4ce28f", "000000", true),
            (272, "013700020100060a0025490100cf4ce28f", "52ab8d", false),
            (251, "", "52ab8d", true), (251, "", "52ab8c", false), (251, "", "52ab", false),
        ] as [(UInt32, String, String, Bool)])
    func theVerdictOfTheHeaderWins(link: UInt32, header: String, crc: String, isGood: Bool) throws {
        let record = header + "d6be898e402405a2176e3d7102011a" + Self.frame + crc
        let playback = try Playback([CaptureStream(name: "capture", bytes: PcapTests.file(link: link, [record]))])
        #expect(playback.advertisements.count == (isGood ? 1 : 0))
        #expect(playback.statistics.reports == (isGood ? 1 : 0))
        #expect(playback.statistics.malformed[.badCrc] == (isGood ? 0 : 1))
    }

    /// With a wrong CRC nothing else of a PDU can be believed.
    @Test func nothingFurtherIsCountedOfAPDUWithAWrongCRC() throws {
        let record = "d6be898e400805a2176e3d710201" + "000000"
        let playback = try Playback([CaptureStream(name: "capture", bytes: PcapTests.file(link: 251, [record]))])
        #expect(playback.statistics.malformed[.badCrc] == 1)
        #expect(playback.statistics.malformed[.adLengthOverrun] == 0)
        #expect(playback.statistics.addresses.count == 0)
    }

    /// From a sniffer on the coded PHY: a byte of coding indicator follows the access address.
    @Test func aPacketOnTheCodedPHYIsReadBehindItsCodingIndicator() throws {
        let record = "0308010313be020a210a350000a5e295a0" + "d6be898e00" + "0724" + "0801" + "091c2febea7d" + "00"
        let playback = try Playback([
            CaptureStream(
                name: "capture", bytes: PcapTests.file(link: 272, [record + Self.frame + "000000"]))
        ])
        let heard = try #require(playback.advertisements.first)
        #expect(heard.phy == .leCoded)
        #expect(heard.pdu == .auxAdvInd)
        #expect(heard.rssi == -53)
        #expect(heard.address.bits == 0x7DEA_EB2F_1C09)
    }

    @Test func aPacketOfTheSnifferThatHoldsNoPacketOfTheAirIsPassed() throws {
        // Protocol versions 0 and 4, another packet id, a header longer than the record.
        let headers = [
            "013700000100060a0125490100cf4ce28f", "013700040100060a0125490100cf4ce28f",
            "013700020100010a0125490100cf4ce28f", "01370002010006ff0125490100cf4ce28f",
        ]
        for header in headers {
            let record = header + "d6be898e402405a2176e3d7102011a" + Self.frame + "52ab8d"
            let playback = try Playback([CaptureStream(name: "capture", bytes: PcapTests.file(link: 272, [record]))])
            #expect(playback.statistics.records == 1)
            #expect(playback.statistics.reports == 0)
        }
    }
}
