import Testing

@testable import SkerryCore

/// Frames in AD structures or manufacturer data, and what is read out of them.
@Suite struct BeaconFormatTests {
    /// The beacons of a payload, as text; what is wrong with it must be nothing.
    private func beacons(_ hex: String, _ kind: Explanation.Kind) -> String {
        let explained = explain(hex, kind)
        let head = "{\"kind\":\"\(kind.rawValue)\",\"reports\":[{\"beacons\":["
        let tail = "]}],\"malformed\":{}}"
        #expect(explained.hasPrefix(head) && explained.hasSuffix(tail), "\(explained)")
        return String(explained.dropFirst(head.count).dropLast(tail.count))
    }

    @Test(
        arguments: [
            ("e2c56db5dffb48d2b060d0f5a71096e0 0064 0000 c5", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", 100, 0, -59),
            // In the order sent, not that of service UUIDs.
            ("fda50693a4e24fb1afcfc6eb07647825 0005 0006 b0", "FDA50693-A4E2-4FB1-AFCF-C6EB07647825", 5, 6, -80),
            // Unsigned.
            (
                "50765cb7d9ea4e2199a4fa879613a492 d218 2c14 ce", "50765CB7-D9EA-4E21-99A4-FA879613A492", 53784, 11284,
                -50
            ),
            (
                "50765cb7d9ea4e2199a4fa879613a492 a130 ffff ce", "50765CB7-D9EA-4E21-99A4-FA879613A492", 41264, 65535,
                -50
            ),
            // The power is signed: c6 is -58.
            ("e2c56db5dffb48d2b060d0f5a71096e0 0000 0000 c6", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", 0, 0, -58),
            (
                "ffffffffffffffffffffffffffffffff ffff ffff 7f", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", 65535, 65535,
                127
            ),
            ("00000000000000000000000000000000 0000 0000 80", "00000000-0000-0000-0000-000000000000", 0, 0, -128),
        ] as [(String, String, Int, Int, Int)])
    func iBeaconsAreReadInTheOrderSent(hex: String, uuid: String, major: Int, minor: Int, power: Int) {
        let expected = """
            {"format":"ibeacon","uuid":"\(uuid)","major":\(major),"minor":\(minor),"measuredPower":\(power)}
            """
        #expect(beacons("4c000215" + hex, .mfr) == expected)
        #expect(beacons("1aff4c000215" + hex, .ad) == expected)
        #expect(beacons("02011a020a0c1aff4c000215" + hex + "0409616263", .ad) == expected)
    }

    @Test(arguments: [("bb 4e", "4e"), ("bb 01020304", "01020304"), ("bb 00", "00")] as [(String, String)])
    func bytesBehindAnIBeaconAreShown(tail: String, extra: String) {
        let frame = "4c000215a7ae2eb71f004168b99ba749bac1ca64 0001 0001" + tail
        let expected = """
            {"format":"ibeacon","uuid":"A7AE2EB7-1F00-4168-B99B-A749BAC1CA64","major":1,"minor":1,"measuredPower":-69,\
            "extra":"\(extra)"}
            """
        #expect(beacons(frame, .mfr) == expected)
        let count = [UInt8](hex: frame).count + 1
        #expect(beacons([UInt8(count)].hex + "ff" + frame, .ad) == expected)
    }

    @Test(arguments: [
        // No power; the parts of the mark swapped or other ones; another company; another kind of Apple's data.
        "4c000215e2c56db5dffb48d2b060d0f5a71096e000640000", "004c1502e2c56db5dffb48d2b060d0f5a71096e000640000c5",
        "004c0215e2c56db5dffb48d2b060d0f5a71096e000640000c5", "4c000216e2c56db5dffb48d2b060d0f5a71096e000640000c5",
        "4c000315e2c56db5dffb48d2b060d0f5a71096e000640000c5", "59000215e2c56db5dffb48d2b060d0f5a71096e000640000c5",
        "4c0005120000000000000000014ef800", "4c0010050318f88918", "4c000215", "4c0002", "4c00", "4c", "",
    ])
    func whatOnlyLooksLikeAnIBeaconIsNone(hex: String) {
        #expect(beacons(hex, .mfr) == "")
        let structure = [UInt8]([UInt8([UInt8](hex: hex).count + 1), 0xFF]).hex + hex
        #expect(beacons(structure, .ad) == "")
        // Found all the same: the one behind it.
        #expect(
            beacons(structure + "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5", .ad).hasSuffix(
                "\"measuredPower\":-59}"))
    }

    @Test func aFrameThatRunsPastTheDataIsNone() {
        let explained = explain("02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000", .ad)
        #expect(explained == "{\"kind\":\"ad\",\"reports\":[{\"beacons\":[]}],\"malformed\":{\"adLengthOverrun\":1}}")
    }

    @Test func altBeaconsOfAnyCompanyAreRead() {
        #expect(
            beacons("02011a1bff1801beac5a3c0e7781d2497fb6a3c49e0d12f00800030007c102", .ad) == """
                {"format":"altbeacon","id1":"5A3C0E77-81D2-497F-B6A3-C49E0D12F008","id2":3,"id3":7,"manufacturer":280,\
                "measuredPower":-63,"data":2}
                """)
        #expect(beacons("e000beac2f234454cf6d4a0fadf2f4911ba9ffa6ffff0002c5ff", .mfr).contains("\"manufacturer\":224,"))
    }

    /// Lengths that do not hold the frame, as crash reports of other programs have them.
    @Test(arguments: [
        "02011a 14ff 1801beac2f234454cf6d4a0fadf2f4911ba9ff",
        "02011a 05ff 1801beac", "02011a 04ff e000be", "02011a 1aff 1801beac2f234454cf6d4a0fadf2f4911ba9ffa600010002c5",
        "02011a 1bff beac2f234454cf6d4a0fadf2f4911ba9ffa600010002c5090000",
    ])
    func anAltBeaconThatIsTooShortIsNone(hex: String) {
        #expect(beacons(hex, .ad) == "")
    }

    @Test(
        arguments: [
            (
                "00ee8b0ca750e7a7c1e5bd4f00000000004200 00",
                "-uid\",\"namespace\":\"8b0ca750e7a7c1e5bd4f\",\"instance\":\"000000000042\",\"measuredPower\":-59"
            ),
            (
                "00ee8b0ca750e7a7c1e5bd4f000000000042",
                "-uid\",\"namespace\":\"8b0ca750e7a7c1e5bd4f\",\"instance\":\"000000000042\",\"measuredPower\":-59"
            ),
            ("10ee036578616d706c65006d", "-url\",\"url\":\"https://example.com/m\",\"measuredPower\":-59"),
            ("1000036765747061726574 6f07", "-url\",\"url\":\"https://getpareto.com\",\"measuredPower\":-41"),
            ("10e702676f6f676c6500", "-url\",\"url\":\"http://google.com/\",\"measuredPower\":-66"),
            ("107f00610d62", "-url\",\"url\":\"http://www.a.govb\",\"measuredPower\":86"),
            ("108001", "-url\",\"url\":\"https://www.\",\"measuredPower\":-169"),
            (
                "20000b9c16800004d2f10012a05c",
                "-tlm\",\"batteryMillivolts\":2972,\"temperature\":22.5,\"advertisementCount\":316145,\"uptime\":122070"
            ),
            ("2000000080000000000100000001", "-tlm\",\"advertisementCount\":1,\"uptime\":0.1"),
            (
                "2000ffffff80ffffffffffffffff",
                "-tlm\",\"batteryMillivolts\":65535,\"temperature\":-0.5,\"advertisementCount\":4294967295,"
                    + "\"uptime\":429496729.5"
            ),
            ("2001000102030405060708090a0b0c0d0e0f", "-etlm\",\"data\":\"000102030405060708090a0b0c0d0e0f\""),
            ("30ee0102030405060708", "-eid\",\"eid\":\"0102030405060708\",\"measuredPower\":-59"),
        ] as [(String, String)])
    func eddystoneFramesAreRead(frame: String, members: String) {
        let count = [UInt8](hex: frame).count + 3
        #expect(
            beacons("0201060303aafe" + [UInt8(count)].hex + "16aafe" + frame, .ad)
                == "{\"format\":\"eddystone\(members)}")
    }

    @Test(arguments: [
        // Too short; schemes, codes and frame types that are reserved; a URL that is too long; another service.
        "04 16 aafe 00", "14 16 aafe 00ee8b0ca750e7a7c1e5bd4f0000000000", "05 16 aafe 10ee", "07 16 aafe 10ee0461",
        "07 16 aafe 10ee030e", "07 16 aafe 10ee0320", "07 16 aafe 10ee037f",
        "18 16 aafe 10ee03616161616161616161616161616161616161", "0f 16 aafe 2000ffffffffffffffffff",
        "11 16 aafe 2002ffffffffffffffffffffffff", "0c 16 aafe 30ee01020304050607", "04 16 aafe 40",
        "0d 16 abfe 30ee0102030405060708", "03 16 aafe", "02 16 aa", "01 16",
    ])
    func whatOnlyLooksLikeEddystoneIsNone(hex: String) {
        #expect(explain(hex, .ad).hasPrefix("{\"kind\":\"ad\",\"reports\":[{\"beacons\":[]}]"))
    }

    @Test func severalFramesOfOneAdvertComeOutInOrder() {
        let found = beacons(
            "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5 0d16aafe30ee0102030405060708"
                + "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000650000c5", .ad)
        func iBeacon(major: Int) -> String {
            """
            {"format":"ibeacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":\(major),"minor":0,\
            "measuredPower":-59}
            """
        }
        let eid = "{\"format\":\"eddystone-eid\",\"eid\":\"0102030405060708\",\"measuredPower\":-59}"
        #expect(found == [iBeacon(major: 100), eid, iBeacon(major: 101)].joined(separator: ","))
    }

    @Test(
        arguments: [
            ("043e0102", "h4"), ("04", "ad"), ("0401032000", "ad"), ("d6be898e40", "ll"), ("d6be89", "ad"),
            ("4c00", "mfr"),
            ("4c", "ad"), ("1801beac", "mfr"), ("1801be", "ad"), ("020106", "ad"), ("", "ad"),
        ] as [(String, String)])
    func theKindIsGuessedFromTheFirstBytes(hex: String, kind: String) {
        #expect(Explanation.Kind(guessing: [UInt8](hex: hex)).rawValue == kind)
    }
}
