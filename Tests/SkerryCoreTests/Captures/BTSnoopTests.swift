import Testing

@testable import SkerryCore

@Suite struct BTSnoopTests {
    /// The same report of an iBeacon as each datalink carries it.
    @Test func everyDatalinkIsRead() throws {
        let event = "3e2a02010001ee2e5a9d45e61e0201061aff4c000215fda50693a4e24fb1afcfc6eb0764782500050006b0b6"
        let rows: [(datalink: String, lengthAndFlags: String, prefix: String, link: LinkType)] = [
            ("03e9", "0000002c 0000002c 00000003", "", .hci(.event)),
            ("03ea", "0000002d 0000002d 00000003", "04", .h4),
            ("03eb", "00000030 00000030 00000003", "c0c50279", .bcsp),
            ("07d1", "0000002c 0000002c 00020003", "", .hci(.event)),
        ]
        for row in rows {
            let contents = try Contents(
                hex: "6274736e6f6f7000 00000001 0000\(row.datalink)"
                    + "\(row.lengthAndFlags) 00000000 00e26170443d869f \(row.prefix)\(event)")
            #expect(contents.kind == "btsnoop")
            #expect(
                contents.records == [
                    .init(
                        time: "2019-03-10T13:12:25.722527Z", link: row.link, controller: row.datalink == "07d1" ? 2 : 0,
                        payload: row.prefix + event)
                ])
            #expect(contents.end == nil)
        }
    }

    @Test(
        arguments: [
            (0, .data), (1, .data), (2, .command), (3, .event),
        ] as [(UInt32, HCIPacket.Kind)])
    func flagsTellTheKindOfABarePacket(flags: UInt32, kind: HCIPacket.Kind) throws {
        var file = BTSnoopFile(datalink: 1001)
        file.add([0x03, 0x0C, 0x00], at: 0, flags: flags)
        #expect(try Contents(file.bytes).records.map(\.link) == [.hci(kind)])
    }

    @Test(
        arguments: [
            (0, .other), (1, .other), (2, .command), (3, .event), (4, .data), (7, .data), (8, .other), (18, .data),
            (19, .data), (65535, .other),
        ] as [(UInt32, HCIPacket.Kind)])
    func opcodesOfTheMonitorChannelTellKindAndController(opcode: UInt32, kind: HCIPacket.Kind) throws {
        var file = BTSnoopFile(datalink: 2001)
        file.add([0x03, 0x0C, 0x00], at: 0, flags: 7 << 16 | opcode)
        let record = try #require(try Contents(file.bytes).records.first)
        #expect(record.link == .hci(kind))
        #expect(record.controller == 7)
    }

    @Test func timesCountFromTheYearZero() throws {
        let rows: [(stamp: String, time: String)] = [
            ("00dcddb30f2f8000", "1970-01-01T00:00:00.000000Z"),
            ("00e03ab44a676000", "2000-01-01T00:00:00.000000Z"),
            ("00dcddb30f2f7fff", "1969-12-31T23:59:59.999999Z"),
            ("ffffffffffffffff", "0000-01-01T00:00:00.000000Z"),
            ("7fffffffffffffff", "9999-12-31T23:59:59.999999Z"),
        ]
        for row in rows {
            let contents = try Contents(
                hex: "6274736e6f6f7000 00000001 000003ea 00000001 00000001 00000000 00000000 \(row.stamp) 04")
            #expect(contents.records.map(\.time) == [row.time])
        }
    }

    @Test func aRecordCutAtCaptureTimeDoesNotLoseTheFollowing() throws {
        var file = BTSnoopFile()
        file.add([UInt8](repeating: 0x04, count: 60), at: 0, original: 300)
        file.add([0x04, 0x0F], at: 1)
        file.add([0x04, 0x0E], at: 2, original: 1)
        let contents = try Contents(file.bytes)
        #expect(contents.records.map(\.payload.count) == [120, 4, 4])
        #expect(contents.records.last?.payload == "040e")
        #expect(contents.end == nil)
    }

    /// Whichever records are cut and by how much, every record is read.
    @Test func anyCutRecordsLeaveTheFollowingWhole() throws {
        var generator = SeededGenerator(seed: 24)
        for _ in 0..<200 {
            let packets = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                generator.bytes(Int.random(in: 0...80, using: &generator))
            }
            var file = BTSnoopFile()
            for (number, packet) in packets.enumerated() {
                file.add(
                    packet, at: Double(number), original: packet.count + Int.random(in: 0...400, using: &generator))
            }
            #expect(try Contents(file.bytes).records.map(\.payload) == packets.map(\.hex))
        }
    }

    @Test(arguments: 1..<46)
    func aFileThatEndsWithinARecordKeepsTheRecordsBefore(missing: Int) throws {
        var file = BTSnoopFile()
        file.add([0x04, 0x0F, 0x00], at: 0)
        file.add([UInt8](repeating: 0x04, count: 22), at: 1)
        let contents = try Contents(Array(file.bytes.dropLast(missing)))
        #expect(contents.records.map(\.payload) == ["040f00"])
        #expect(contents.end?.hasPrefix("\(46 - missing) of at least ") == true)
    }

    @Test func aLengthThatCannotBeIsNotFollowed() throws {
        var file = BTSnoopFile()
        file.add([0x04], at: 0)
        let contents = try Contents(
            file.bytes + .be(UInt32(1)) + .be(UInt32(262_145)) + [UInt8](repeating: 0, count: 64))
        #expect(contents.records.count == 1)
        #expect(contents.end == "a record of 262145 bytes; the limit is 262144")
    }

    @Test func theLongestRecordIsRead() throws {
        var file = BTSnoopFile()
        file.add([UInt8](repeating: 0xFF, count: 262_144), at: 0)
        file.add([0x04], at: 1)
        #expect(try Contents(file.bytes).records.map(\.payload.count) == [524_288, 2])
    }

    @Test(
        arguments: [
            ("6274736e6f6f7000 00000002 000003ea", "btsnoop of version 2"),
            ("6274736e6f6f7000 00000001 000003ec", "btsnoop with datalink 1004; 1001, 1002, 1003 and 2001 can be read"),
            ("6274736e6f6f7000 00000001 0000", "a btsnoop header that is cut short"),
        ] as [(String, String)])
    func otherHeadersAreNamed(hex: String, found: String) {
        var stream = CaptureStream(name: "capture", bytes: [UInt8](hex: hex))
        let error = #expect(throws: UnrecognisedCapture.self) { try stream.recognise() }
        #expect(error?.found == found)
    }
}
