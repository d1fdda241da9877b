/// The input is what captures carry; the containers around it are good.
///
/// Where a target takes several packets, two little-endian bytes stand before each: nine bits of length, and five that
/// tell how much later than the one before it is recorded, from a microsecond to half an hour.
enum Payloads {
    /// HCI packets with their H4 byte, in a btsnoop.
    static func hci(_ bytes: [UInt8]) {
        var file = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        var time: UInt64 = 0x00E2_9B0C_2A3E_0000
        forEachPacket(bytes[...]) { packet, later in
            time += later
            file.append(bigEndian: UInt32(packet.count), UInt32(packet.count), 0, 0)
            file.append(bigEndian: UInt32(time >> 32), UInt32(truncatingIfNeeded: time))
            file += packet
        }
        Player.play(capture: file)
        Player.explain(Array(bytes.dropFirst(2)), as: [.h4])
    }

    /// Link-layer packets in a pcap; the first byte chooses what stands before each.
    static func linkLayer(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let links: [UInt32] = [251, 256, 272, 192]
        var file = PcapFile.head(links[Int(first) % links.count], isBigEndian: true)
        var time: UInt64 = 1_700_000_000_000_000
        forEachPacket(bytes.dropFirst()) { packet, later in
            time += later
            file.append(bigEndian: UInt32(time / 1_000_000), UInt32(time % 1_000_000))
            file.append(bigEndian: UInt32(packet.count), UInt32(packet.count))
            file += packet
        }
        Player.play(capture: file)
        Player.explain(Array(bytes.dropFirst(3)), as: [.ll])
    }

    /// AD structures, by themselves and in a report.
    static func advertisingData(_ bytes: [UInt8]) {
        Player.explain(bytes, as: [.ad, .scanRecord, .mfr])
        let data = bytes.prefix(243)
        let report: [UInt8] = [0, 1, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC5]
        let packet: [UInt8] = [4, 0x3E, UInt8(2 + report.count), 2, 1] + report
        var file: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        file.append(bigEndian: UInt32(packet.count), UInt32(packet.count), 3, 0)
        file += [0x00, 0xE2, 0x9B, 0x0C, 0x2A, 0x3E, 0, 0] + packet
        Player.play(capture: file)
    }

    /// A stream in H4 that comes in pieces; the first byte chooses how long they are, and whose controller it is. Its events
    /// drive a scanner, half a second each.
    static func h4(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        var settings = HCIScanner.Settings()
        settings.isExclusive = first & 1 == 0
        settings.phys = [.oneM, .coded]
        settings.mayPowerCycle = first & 2 == 0
        var scanner = HCIScanner(settings)
        scanner.opened(at: 0)
        var framer = H4Framer()
        var rest = bytes.dropFirst()
        var (now, taken) = (Int64(0), 0)
        while !rest.isEmpty {
            framer.supply { room in
                let piece = rest.prefix(Int(first >> 2) + 1)
                room.copyBytes(from: piece)
                rest = rest.dropFirst(piece.count)
                return piece.count
            }
            while framer.next() {
                taken += 1 + framer.event.byteCount
                now += 500_000
                scanner.received(event: framer.event, at: now)
                scanner.advance(to: now)
                for action in scanner.takeActions() where action == .reopen || action == .powerCycle {
                    scanner.opened(at: now)
                }
                precondition(scanner.deadline != nil, "a scanner that waits for nothing")
            }
        }
        precondition(taken + Int(framer.skipped) < bytes.count, "more bytes than there were")
    }

    private static func forEachPacket(_ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>, _ later: UInt64) -> Void)
    {
        var rest = bytes
        while rest.count >= 2 {
            let word = UInt16(rest.removeFirst()) | UInt16(rest.removeFirst()) << 8
            let packet = rest.prefix(Int(word & 0x1FF))
            rest = rest.dropFirst(packet.count)
            body(packet, 1 << UInt64(word >> 11))
        }
    }
}
