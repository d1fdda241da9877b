/// A file that is no log of a receiver.
public struct UnrecognisedGPSLog: Error, Sendable {
    /// What was found instead, for people.
    public let found: String

    /// Names what the bytes are, where they have a mark that no receiver sends.
    init?(bytes head: RawSpan) {
        let bytes = [UInt8](head)
        guard let known = bytes.isEmpty ? "an empty file" : UnrecognisedCapture.name(of: bytes) else { return nil }
        found = known
    }

    /// Names what the bytes look like, where they begin like nothing that a known receiver sends.
    init?(unlessReceiver head: RawSpan) {
        let bytes = [UInt8](head.part(0, min(head.byteCount, 4096)))
        guard !Self.isReceiver(bytes) else { return nil }
        found = UnrecognisedCapture.unmarked(bytes)
    }

    /// A sentence of NMEA 0183 or AIS, or what packets of the common binary protocols begin with.
    private static func isReceiver(_ bytes: [UInt8]) -> Bool {
        let isSentence = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { line in
            line.count > 6 && (line.first == UInt8(ascii: "$") || line.first == UInt8(ascii: "!"))
                && line.dropFirst().prefix(4).allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        }
        // The library's search for a part would bring its regular expressions into the program: 1.6 MB.
        let head = bytes.prefix(512)
        return isSentence || head.indices.contains { place in packets.contains { head[place...].starts(with: $0) } }
    }

    /// u-blox, SiRF, SkyTraq, Navcom, TSIP (its end), RTCM 3 with a message of less than 256 bytes, Zodiac, Oncore.
    private static let packets: [[UInt8]] = [
        [0xB5, 0x62], [0xA0, 0xA2], [0xA0, 0xA1], [0x02, 0x99, 0x66], [0x10, 0x03, 0x10], [0xD3, 0x00],
        [0xFF, 0x81], Array("@@".utf8),
    ]
}
