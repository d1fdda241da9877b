import Testing

@testable import SkerryCore

@Suite struct PcapTests {
    /// The four marks; each with a record at 2023-10-06T08:52:36.007264Z.
    @Test func bothByteOrdersAndBothResolutionsAreRead() throws {
        let rows = [
            "d4c3b2a1 0200 0400 00000000 00000000 00000400 bb000000 d4ca1f65 601c0000 03000000 03000000 040e00",
            "a1b2c3d4 0002 0004 00000000 00000000 00040000 000000bb 651fcad4 00001c60 00000003 00000003 040e00",
            "4d3cb2a1 0200 0400 00000000 00000000 00000400 bb000000 d4ca1f65 e7d96e00 03000000 03000000 040e00",
            "a1b23c4d 0002 0004 00000000 00000000 00040000 000000bb 651fcad4 006ed9e7 00000003 00000003 040e00",
        ]
        for row in rows {
            let contents = try Contents(hex: row)
            #expect(contents.kind == "pcap")
            #expect(contents.records == [.init(time: "2023-10-06T08:52:36.007264Z", link: .h4, payload: "040e00")])
            #expect(contents.end == nil)
        }
    }

    @Test(
        arguments: [
            (187, .h4), (192, .ppi), (201, .h4WithDirection), (251, .linkLayer), (254, .linuxMonitor),
            (256, .linkLayerWithRadioHeader), (272, .nordicSniffer),
        ] as [(UInt32, LinkType)])
    func linkTypesOfBluetoothAreRead(number: UInt32, link: LinkType) throws {
        #expect(try Contents(Self.file(link: number, ["00"])).records.map(\.link) == [link])
        // The upper bits tell the length of a frame check sequence.
        #expect(try Contents(Self.file(link: number | 0x5400_0000, ["00"])).records.map(\.link) == [link])
    }

    @Test(arguments: [1, 105, 186, 255, 0])
    func otherLinkTypesAreNamed(number: UInt32) {
        var stream = CaptureStream(name: "capture", bytes: Self.file(link: number, ["00"]))
        let error = #expect(throws: UnrecognisedCapture.self) { try stream.recognise() }
        #expect(error?.found == "pcap of link type \(number), which holds no Bluetooth LE advertisements")
    }

    private static let event =
        "3e2a02010001ee2e5a9d45e61e0201061aff4c000215fda50693a4e24fb1afcfc6eb0764782500050006b0b6"
    private static let heard = "E6:45:9D:5A:2E:EE random -74 legacy"
    private static let packet =
        "d6be898e402405a2176e3d7102011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000000000c552ab8d"
    private static let sniffed = "71:3D:6E:17:A2:05 random"

    /// The same two advertisements in records of each link type.
    @Test(
        arguments: [
            (187, "04" + event, heard),
            (201, "00000001 04" + event, heard),
            (254, "0000 0003" + event, heard),
            (251, packet, sniffed + " ? ADV_IND"),
            (192, "000018009300000036750c0000620900cb28c10521210000" + packet, sniffed + " ? ADV_IND"),
            (192, "0000080000010000 0cc28000d6be898e130c" + packet, sniffed + " -62 ADV_IND 1M"),
            (256, "0cc28000d6be898e130c" + packet, sniffed + " -62 ADV_IND 1M"),
            (256, "0cc28000d6be898e1100" + packet, sniffed + " ? ADV_IND 1M"),
            (256, "0cc28000d6be898e134c" + packet, sniffed + " -62 ADV_IND 2M"),
            (272, "013700020100060a0125490100cf4ce28f" + packet, sniffed + " -73 ADV_IND 1M"),
            (272, "2b3400032342020a012719000019d95997" + packet, sniffed + " -25 ADV_IND 1M"),
        ] as [(UInt32, String, String)])
    func advertisementsInRecordsOfEachLinkTypeAreHeard(link: UInt32, record: String, expected: String) throws {
        let playback = try Playback([CaptureStream(name: "capture", bytes: Self.file(link: link, [record]))])
        let advertisement = try #require(playback.advertisements.first)
        var line = JSONLine(capacity: 64)
        line.address(advertisement.address)
        let words = [
            line.takeString(), advertisement.addressType.name.map(String.init(describing:)),
            advertisement.rssi.map(String.init) ?? "?", "\(advertisement.pdu.name)",
            advertisement.phy.map { "\($0.name)" },
        ]
        #expect(words.compactMap(\.self).joined(separator: " ") == expected)
        #expect(playback.statistics.reports == 1)
        #expect(playback.statistics.malformed == MalformationCounts())
    }

    @Test func aRecordCutAtCaptureTimeDoesNotLoseTheFollowing() throws {
        let contents = try Contents(Self.file(link: 187, ["0401", "0402"], original: 300))
        #expect(contents.records.map(\.payload) == ["0401", "0402"])
    }

    @Test(arguments: 1...17)
    func aFileThatEndsWithinARecordKeepsTheRecordsBefore(missing: Int) throws {
        let contents = try Contents(Array(Self.file(link: 187, ["0401", "0402"]).dropLast(missing)))
        #expect(contents.records.map(\.payload) == ["0401"])
        #expect(contents.end != nil)
    }

    @Test func aLengthThatCannotBeIsNotFollowed() throws {
        let contents = try Contents(
            Self.file(link: 187, ["0401"]) + .le(UInt32(0)) + .le(UInt32(0)) + .le(UInt32(262_145)) + .le(UInt32(0)))
        #expect(contents.records.count == 1)
        #expect(contents.end?.contains("a record of 262145 bytes") == true)
    }

    static func file(link: UInt32, _ records: [String], original: UInt32? = nil) -> [UInt8] {
        var bytes = [UInt8](hex: "d4c3b2a1 0200 0400 00000000 00000000 00000400") + .le(link)
        for (number, record) in records.enumerated() {
            let payload = [UInt8](hex: record)
            bytes += .le(UInt32(1_700_000_000 + number)) + .le(UInt32(0)) + .le(UInt32(payload.count))
            bytes += .le(original ?? UInt32(payload.count)) + payload
        }
        return bytes
    }
}
