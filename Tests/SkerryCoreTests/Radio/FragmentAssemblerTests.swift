import Testing

@testable import SkerryCore

/// Extended advertisements in pieces: event type bits 5 and 6 are the data status.
@Suite struct FragmentAssemblerTests {
    private static let more: UInt16 = 0x20
    private static let truncated: UInt16 = 0x40
    private static let frame = Array(Packet.iBeacon(minor: 7).dropFirst(17).dropLast())

    /// What is heard, and how many advertisements were given up.
    private func heard(_ packets: [Timed]) throws -> (trace: [String], dropped: UInt64, overruns: UInt64) {
        let playback = try Playback(packets)
        let statistics = playback.statistics
        return (playback.trace(.advertisement), statistics.fragmentsDropped, statistics.malformed[.adLengthOverrun])
    }

    @Test func piecesAreJoinedAndParsedOnceWithTheLastTimeAndRSSI() throws {
        // 229 bytes, then the rest: the frame lies across the border.
        let data = [0xE0, 0x09] + [UInt8](repeating: 0x41, count: 223) + Self.frame
        let result = try heard([
            (1, Packet.extended(Array(data.prefix(229)), eventType: Self.more, rssi: -40)),
            (1.01, Packet.extended(Array(data.dropFirst(229)), rssi: -50)),
        ])
        #expect(result == (["1.01 heard -50"], 0, 0))
    }

    @Test(arguments: 1..<27)
    func theBorderMayLieAnywhere(border: Int) throws {
        let result = try heard([
            (1, Packet.extended(Array(Self.frame.prefix(border)), eventType: Self.more)),
            (1.01, Packet.extended([], eventType: Self.more)),
            (1.02, Packet.extended(Array(Self.frame.dropFirst(border)))),
        ])
        #expect(result == (["1.02 heard -59"], 0, 0))
    }

    @Test func dataTheControllerTruncatedIsReadAsFarAsItGoes() throws {
        let whole = try heard([(1, Packet.extended(Self.frame + [0x10, 0x09, 0x41], eventType: Self.truncated))])
        #expect(whole == (["1.0 heard -59"], 0, 1))
        let joined = try heard([
            (1, Packet.extended(Array(Self.frame.prefix(9)), eventType: Self.more)),
            (1.01, Packet.extended(Self.frame.dropFirst(9) + [0x10, 0x09], eventType: Self.truncated)),
        ])
        #expect(joined == (["1.01 heard -59"], 0, 1))
    }

    @Test func piecesOfOtherAddressesKindsAndSetsDoNotMix() throws {
        let first = Array(Self.frame.prefix(10))
        let rest = Array(Self.frame.dropFirst(10))
        let others = [
            Packet.extended(rest, set: 2), Packet.extended(rest, address: 0xC0_00_00_00_00_02),
            Packet.extended(rest, addressType: 0),
        ]
        for other in others {
            let result = try heard([
                (1, Packet.extended(first, eventType: Self.more)), (1.01, other), (1.02, Packet.extended(rest)),
            ])
            #expect(result.trace == ["1.02 heard -59"])
            #expect(result.overruns == 1)
        }
    }

    @Test func piecesOfTwoAdaptersDoNotMix() throws {
        var file = BTSnoopFile(datalink: 2001)
        file.add(Array(Packet.extended(Array(Self.frame.prefix(9)), eventType: Self.more).dropFirst()), at: 1, flags: 3)
        file.add(Array(Packet.extended(Array(Self.frame.dropFirst(9))).dropFirst()), at: 1.1, flags: 1 << 16 | 3)
        let playback = try Playback([file.stream()])
        #expect(playback.advertisements.isEmpty)
        #expect(playback.statistics.fragmentsDropped == 1)
    }

    @Test func aLegacyPDUBetweenThePiecesIsReadByItself() throws {
        let result = try heard([
            (1, Packet.extended(Array(Self.frame.prefix(9)), eventType: Self.more)),
            (1.01, Packet.extended(Self.frame, eventType: 0x13, rssi: -70)),
            (1.02, Packet.extended(Array(Self.frame.dropFirst(9)))),
        ])
        #expect(result == (["1.01 heard -70", "1.02 heard -59"], 0, 0))
    }

    /// A legacy PDU is never in pieces; vendors use the bits for something else.
    @Test func statusBitsOfALegacyPDUMeanNothing() throws {
        #expect(try heard([(1, Packet.extended(Self.frame, eventType: 0x33))]) == (["1.0 heard -59"], 0, 0))
    }

    @Test func aPieceWhoseRestNeverComesIsDropped() throws {
        let first = Packet.extended(Self.frame, eventType: Self.more)
        #expect(try heard([(1, first)]) == ([], 1, 0))
        // After a second it is no longer waited for: the last piece stands alone.
        let late = try heard([(1, first), (2.000_001, Packet.extended([0x01, 0x09]))])
        #expect(late == ([], 1, 0))
        let inTime = try heard([(1, first), (2, Packet.extended([0x01, 0x09]))])
        #expect(inTime == (["2.0 heard -59"], 0, 0))
    }

    @Test func advertisementsThatWaitAreBoundedInNumber() throws {
        let firsts = (0..<65 as Range<UInt64>).map { address in
            (1.0, Packet.extended(Array(Self.frame.prefix(9)), eventType: Self.more, address: address))
        }
        let rest = Array(Self.frame.dropFirst(9))
        let result = try heard(
            firsts + [(1.5, Packet.extended(rest, address: 1)), (1.6, Packet.extended(rest, address: 0))])
        #expect(result.trace == ["1.5 heard -59"])
        #expect(result.dropped == 64)
    }

    @Test func advertisementsThatWaitAreBoundedInLength() throws {
        let piece = [0xE4, 0xFE] + [UInt8](repeating: 0x41, count: 227)
        func advertisement(_ pieces: Int, last: Int) -> [Timed] {
            (0..<pieces).map { (1 + Double($0) / 100, Packet.extended(piece, eventType: Self.more)) }
                + [(1.5, Packet.extended(Self.frame + [UInt8](repeating: 0, count: last - 27)))]
        }
        // 7 · 229 + 47 = 1650 bytes, the most that an advertising set holds.
        #expect(try heard(advertisement(7, last: 47)) == (["1.5 heard -59"], 0, 0))
        #expect(try heard(advertisement(7, last: 48)) == ([], 1, 0))
    }

    @Test func faultsAreCountedOnJoinedData() throws {
        let result = try heard([
            (1, Packet.extended([0x05, 0x09, 0x41], eventType: Self.more)),
            (1.01, Packet.extended([0x41, 0x41, 0x41])),
        ])
        #expect(result.overruns == 0)
    }

    @Test func everyFragmentIsAReport() throws {
        let playback = try Playback([
            (1, Packet.extended(Array(Self.frame.prefix(9)), eventType: Self.more)),
            (1.01, Packet.extended(Array(Self.frame.dropFirst(9)))),
        ])
        #expect(playback.statistics.reports == 2)
        #expect(playback.statistics.addresses.count == 1)
    }
}
