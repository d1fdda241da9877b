import Testing

@testable import SkerryCore

@Suite struct PcapngTests {
    @Test(arguments: [false, true])
    func bothByteOrdersAreRead(isBigEndian: Bool) throws {
        let file = PcapngFile(isBigEndian: isBigEndian)
        let bytes = file.section() + file.interface(187) + file.packet(0, ticks: 0x0005_a7bd_49d1_d9c7, "040e00")
        let contents = try Contents(bytes)
        #expect(contents.kind == "pcapng")
        #expect(contents.records == [.init(time: "2020-06-10T16:25:12.700359Z", link: .h4, payload: "040e00")])
        #expect(contents.damages.isEmpty && contents.end == nil)
    }

    /// `if_tsresol` and `if_tsoffset` of an interface, ticks of a packet, its time.
    @Test(
        arguments: [
            ("", 1_591_806_312_700_359, "2020-06-10T16:25:12.700359Z"),
            ("09000100 06000000", 1_591_806_312_700_359, "2020-06-10T16:25:12.700359Z"),
            ("09000100 09000000", 0x160A_FB82_C4B3_28B0, "2020-05-01T18:39:17.665917Z"),
            ("09000100 03000000", 1_591_806_312_700, "2020-06-10T16:25:12.700000Z"),
            ("09000100 00000000", 1_591_806_312, "2020-06-10T16:25:12.000000Z"),
            ("09000100 94000000", 1_591_806_312 << 20 | 0xC0000, "2020-06-10T16:25:12.750000Z"),
            ("09000100 80000000", 1_591_806_312, "2020-06-10T16:25:12.000000Z"),
            ("09000100 bf000000", 3 << 62, "1970-01-01T00:00:01.500000Z"),
            ("09000100 13000000", 15_000_000_000_000_000_000, "1970-01-01T00:00:01.500000Z"),
            ("0e000800 e8030000 00000000", 2_000_000, "1970-01-01T00:16:42.000000Z"),
            ("0e000800 ffffffff ffffffff", 2_000_000, "1970-01-01T00:00:01.000000Z"),
            ("0e000800 ffffffff ffffff7f", .max, "9999-12-31T23:59:59.999999Z"),
            ("02000300 61626300 09000100 09000000", 1_500_000_000, "1970-01-01T00:00:01.500000Z"),
            ("00000000 09000100 09000000", 1_500_000, "1970-01-01T00:00:01.500000Z"),
        ] as [(String, UInt64, String)])
    func timesFollowTheInterfacesResolutionAndOffset(options: String, ticks: UInt64, time: String) throws {
        let file = PcapngFile()
        let bytes = file.section() + file.interface(187, options: options) + file.packet(0, ticks: ticks, "040e00")
        #expect(try Contents(bytes).records.map(\.time) == [time])
    }

    @Test func eachInterfaceHasItsOwnLinkTypeAndResolution() throws {
        let file = PcapngFile()
        let bytes =
            file.section() + file.interface(201) + file.interface(254, options: "09000100 09000000")
            + file.packet(1, ticks: 1_000_000_000, "000000030f00") + file.packet(0, ticks: 2_000_000, "00000001040e00")
            + file.interface(256) + file.packet(2, ticks: 3_000_000, "00")
        #expect(
            try Contents(bytes).records == [
                .init(time: "1970-01-01T00:00:01.000000Z", link: .linuxMonitor, payload: "000000030f00"),
                .init(time: "1970-01-01T00:00:02.000000Z", link: .h4WithDirection, payload: "00000001040e00"),
                .init(time: "1970-01-01T00:00:03.000000Z", link: .linkLayerWithRadioHeader, payload: "00"),
            ])
    }

    @Test func aPacketOfAnotherLinkTypeIsPassed() throws {
        let file = PcapngFile()
        let bytes =
            file.section() + file.interface(1) + file.interface(187) + file.packet(0, ticks: 0, Packet.iBeacon().hex)
            + file.packet(1, ticks: 0, Packet.iBeacon().hex)
        let playback = try Playback([CaptureStream(name: "capture", bytes: bytes)])
        #expect(playback.statistics.records == 2)
        #expect(playback.statistics.reports == 1)
    }

    @Test func unknownBlocksArePassed() throws {
        let file = PcapngFile()
        let bytes =
            file.section() + file.block(0x0000_000A, "0011223344556677") + file.interface(187)
            + file.block(0x0000_0BAD, "abcdef0123456789") + file.packet(0, ticks: 0, "0401")
            + file.block(5, "00000000 00000000 00000000") + file.packet(0, ticks: 1, "0402")
            + file.block(0x8000_0001, "")
        let contents = try Contents(bytes)
        #expect(contents.records.map(\.payload) == ["0401", "0402"])
        #expect(contents.damages.isEmpty && contents.end == nil)
    }

    /// A simple packet block has neither interface nor time: the first interface, the time of the packet before.
    @Test func simplePacketsAreOfTheFirstInterface() throws {
        let file = PcapngFile()
        let bytes =
            file.section() + file.interface(187) + file.interface(254) + file.packet(1, ticks: 7_000_000, "00000003")
            + file.simplePacket("040e00")
        #expect(
            try Contents(bytes).records.last == .init(time: "1970-01-01T00:00:07.000000Z", link: .h4, payload: "040e00")
        )
    }

    @Test func obsoletePacketBlocksAreRead() throws {
        let file = PcapngFile()
        let bytes =
            file.section() + file.interface(187)
            + file.block(2, "0000 ffff 00000000 40420f00 03000000 03000000 040e00 00")
        #expect(
            try Contents(bytes).records == [.init(time: "1970-01-01T00:00:01.000000Z", link: .h4, payload: "040e00")])
    }

    /// As files that were joined have it: the second section in the other byte order, with interfaces of its own.
    @Test func aSectionBeginsAnewWithItsOwnByteOrder() throws {
        let (little, big) = (PcapngFile(), PcapngFile(isBigEndian: true))
        let bytes =
            little.section() + little.interface(187) + little.packet(0, ticks: 1_000_000, "0401") + big.section()
            + big.interface(254) + big.packet(0, ticks: 2_000_000, "00000003")
        let contents = try Contents(bytes)
        #expect(contents.records.map(\.link) == [.h4, .linuxMonitor])
        #expect(contents.records.map(\.time) == ["1970-01-01T00:00:01.000000Z", "1970-01-01T00:00:02.000000Z"])
    }

    @Test func whatOneBlockHasWrongDoesNotLoseTheFollowing() throws {
        let file = PcapngFile()
        let good = file.packet(0, ticks: 0, "0401")
        let rows: [(block: [UInt8], damage: String)] = [
            (file.packet(3, ticks: 0, "0402"), "a packet of interface 3, which was not described"),
            (
                file.block(6, "00000000 00000000 00000000 05000000 05000000 04020000"),
                "a packet of 5 bytes in a block of 36"
            ),
            (file.block(6, "00000000"), "a packet block of 16 bytes"),
            (file.block(1, "bb000000"), "an interface description of 16 bytes"),
        ]
        for row in rows {
            let contents = try Contents(file.section() + file.interface(187) + row.block + good)
            #expect(contents.records.map(\.payload) == ["0401"])
            #expect(contents.damages.count == 1 && contents.damages[0].hasSuffix(row.damage), "\(contents.damages)")
            #expect(contents.end == nil)
        }
    }

    @Test(
        arguments: [
            ("06000000 0d000000", "a block of 13 bytes"), ("06000000 08000000", "a block of 8 bytes"),
            ("06000000 00000400", "of at least"), ("06000000 04040400", "the limit is"),
        ] as [(String, String)])
    func aLengthThatCannotBeIsNotFollowed(head: String, end: String) throws {
        let file = PcapngFile()
        let bytes = file.section() + file.interface(187) + file.packet(0, ticks: 0, "0401")
        let contents = try Contents(bytes + [UInt8](hex: head + "00000000 00000000 00000000"))
        #expect(contents.records.map(\.payload) == ["0401"])
        #expect(contents.end?.contains(end) == true, "\(contents.end ?? "")")
    }

    @Test(arguments: 1...36)
    func aFileThatEndsWithinABlockSaysSo(missing: Int) throws {
        let file = PcapngFile()
        let bytes = file.section() + file.interface(187) + file.packet(0, ticks: 0, "0401")
        for last in [file.packet(0, ticks: 0, "0402"), file.block(5, [UInt8](repeating: 0, count: 24).hex)] {
            let contents = try Contents(bytes + last.dropLast(missing))
            #expect(contents.records.map(\.payload) == ["0401"])
            #expect((contents.end != nil) == (missing < last.count))
        }
    }
}
