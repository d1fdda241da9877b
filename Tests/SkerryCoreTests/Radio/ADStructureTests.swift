import Testing

@testable import SkerryCore

@Suite struct ADStructureTests {
    /// Types and data in order, then what ended the walk early.
    private func walk(_ hex: String) -> String {
        let bytes = [UInt8](hex: hex)
        var words: [String] = []
        let fault = ADStructure.forEach(in: bytes.rawSpan) { structure in
            words.append([structure.type].hex + ":" + [UInt8](structure.data).hex)
        }
        return (words + (fault.map { ["\($0)"] } ?? [])).joined(separator: " ")
    }

    @Test(
        arguments: [
            ("", ""),
            ("020106", "01:06"),
            ("0109", "09:"),
            ("02010603 03aafe", "01:06 03:aafe"),
            ("020106 0000000000", "01:06"),
            ("00", ""),
            ("020106 00 020a0c", "01:06 adNonzeroAfterZeroLength"),
            ("00000001", "adNonzeroAfterZeroLength"),
            ("020106 03030f", "01:06 adLengthOverrun"),
            ("020106 ff", "01:06 adLengthOverrun"),
            ("01", "adLengthOverrun"),
            ("020106 1402 20322d86212700bcfed5ff383a592189010000", "01:06 02:20322d86212700bcfed5ff383a592189010000"),
        ] as [(String, String)])
    func structuresAreWalkedUpToTheFirstThatEndsTheData(hex: String, expected: String) {
        #expect(walk(hex) == expected)
    }

    /// Data that are well-formed and hold nothing that may be a beacon; the UUID's bytes may belong to the next structure.
    @Test(
        arguments: [
            ("", true), ("020106", true), ("020106 03031218", true), ("020106 0216aa", true), ("0116", true),
            ("020106 1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5", false),
            ("19ff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000", true),
            ("1afe4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5", true),
            ("0516aafe1000", false), ("0516aaff1000", true), ("0503aafe1000", true), ("0116 02aafe", true),
            ("0116aafe", false), ("03ffaafe", true),
            // Padding, and what is malformed.
            ("020106 00", true), ("020106 000000000000", true), ("00", true), ("00000001", false),
            ("020106 0001", false), ("020106 03030f", false), ("020106 ff", false), ("01", false),
            ("0502aabbcc", false),
        ] as [(String, Bool)])
    func mostDataArePlain(hex: String, isPlain: Bool) {
        #expect(ADStructure.isPlain([UInt8](hex: hex).rawSpan) == isPlain)
    }

    /// Whatever the bytes: what is plain is walked without a fault and without a beacon.
    @Test func plainDataHoldNoBeaconAndNoFault() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            var data: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                let starts: [[UInt8]] = [
                    [2, 1, 6], [26, 0xFF, 0x4C, 0, 2, 0x15], [5, 0x16, 0xAA, 0xFE, 0x10], [3, 0x16, 0xAA], [1], [0],
                ]
                data += starts.randomElement(using: &random)!
                data += (0..<Int.random(in: 0..<26, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random)
                }
            }
            var holdsBeacon = false
            let fault = ADStructure.forEach(in: data.rawSpan) { if Beacon($0) != nil { holdsBeacon = true } }
            if ADStructure.isPlain(data.rawSpan) { #expect(fault == nil && !holdsBeacon, "\(data)") }
        }
    }

    /// A list of 16-bit UUIDs with an odd number of bytes, then a beacon.
    @Test func anOddByteInAListOfServicesDoesNotHideTheRest() {
        #expect(
            explain("0403aaf114 1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5", .ad) == """
                {"kind":"ad","reports":[{"beacons":[{"format":"ibeacon",\
                "uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":100,"minor":0,"measuredPower":-59}]}],\
                "malformed":{}}
                """)
    }

    @Test func aScanRecordOfZerosAfterItsAdvertIsRight() {
        #expect(
            explain(
                "0201061aff4c000215f0018b9b75094c31a9051a27d39c003c7adfcb88bf" + String(repeating: "00", count: 32),
                .scanRecord)
                    == """
                    {"kind":"scan_record","reports":[{"beacons":[{"format":"ibeacon",\
                    "uuid":"F0018B9B-7509-4C31-A905-1A27D39C003C","major":31455,"minor":52104,"measuredPower":-65}]}],\
                    "malformed":{}}
                    """)
    }

    /// Structures cover the data: their bytes, put together again, are its beginning.
    @Test func anyBytesAreWalkedWithinTheirEnd() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<5000 {
            let count = Int.random(in: 0...64, using: &generator)
            let bytes = (0..<count).map { _ in
                UInt8.random(in: 0...(Bool.random(using: &generator) ? 8 : 255), using: &generator)
            }
            var rebuilt: [UInt8] = []
            let fault = ADStructure.forEach(in: bytes.rawSpan) { structure in
                rebuilt += [UInt8(structure.data.byteCount + 1), structure.type] + [UInt8](structure.data)
            }
            #expect(bytes.starts(with: rebuilt))
            let rest = bytes.dropFirst(rebuilt.count)
            switch fault {
            case nil: #expect(rest.allSatisfy { $0 == 0 })
            case .adNonzeroAfterZeroLength: #expect(rest.first == 0 && rest.contains { $0 != 0 })
            default: #expect(Int(rest.first ?? 0) > rest.count - 1)
            }
        }
    }

    /// Thousands of payloads, random ones and real ones with bytes changed, cut and put in: each is explained.
    @Test(arguments: Explanation.Kind.allCases)
    func anyBytesAreExplained(kind: Explanation.Kind) {
        var generator = SeededGenerator(seed: 10)
        let seeds = Self.seeds.map { [UInt8](hex: $0) }
        for round in 0..<4000 {
            var bytes =
                round % 4 == 0
                ? generator.bytes(Int.random(in: 0...300, using: &generator))
                : seeds.randomElement(using: &generator)!
            for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                case 2: bytes.removeLast(bytes.count - place)
                default: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
                }
            }
            guard case .string(kind.rawValue) = JSONText(explanation(bytes, kind))?["kind"] else {
                Issue.record("\(bytes.hex)")
                return
            }
        }
    }

    private static let seeds = [
        "043e2a02012001433ea2c96b6a1e02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5b3",
        "043e380d01130001433ea2c96b6a0100ff7fb30000000000000000001e"
            + "02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5",
        "043e270202000110223344 55c01102011a020a0c0aff4c0010050318f88918ba04011022334455c000ba",
        "d6be898e402405a2176e3d7102011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000000000c552ab8d",
        "0201060303aafe1716aafe00ee8b0ca750e7a7c1e5bd4f0000000000420000",
        "0201060303aafe0f16aafe10ee036578616d706c65006d",
        "0201060303aafe1116aafe20000b9c16800004d2f10012a05c",
        "02011a1bff1801beac5a3c0e7781d2497fb6a3c49e0d12f00800030007c100",
        "4c000215e2c56db5dffb48d2b060d0f5a71096e000640001c5",
    ]
}
