/// A file that is none of the captures that can be read.
public struct UnrecognisedCapture: Error, Sendable {
    /// What was found instead, for people.
    public let found: String

    init(_ found: String) { self.found = found }

    /// Names what the bytes look like.
    init(bytes head: RawSpan) {
        if let known = Self.marked(head) {
            found = known
            return
        }
        let shown = (0..<min(head.byteCount, 512)).map { head.byte($0) }
        if let log = Self.receiverLog(shown), Self.isText(shown) {
            found = "\(log); skerry replay --gps FILE plays it"
        } else {
            found = Self.unmarked(shown)
        }
    }

    /// Names what bytes without a mark look like.
    static func unmarked(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "an empty file" }
        return isText(bytes.prefix(512))
            ? "text" : "unknown bytes that begin " + bytes.prefix(8).map(hex).joined(separator: " ")
    }

    private static func isText(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) || $0 >= 0x80 }
    }

    /// Names what bytes are that bear a mark, captures among them; `nil` where they bear none.
    public static func name(of bytes: [UInt8]) -> String? {
        var capture = CaptureReader()
        if (try? capture.recognise(bytes, 0..<bytes.count, isWhole: false)) != nil, let kind = capture.kind {
            return "a capture of Bluetooth traffic (\(kind))"
        }
        return marked(bytes.rawSpan)
    }

    /// Names what the bytes are, where they begin with a mark.
    static func marked(_ head: RawSpan) -> String? {
        for (name, mark) in marks where head.byteCount >= mark.count {
            if mark.indices.allSatisfy({ head.byte($0) == mark[$0] }) { return name }
        }
        return nil
    }

    /// Names what a receiver's log is, by the beginning of a line: people give one for a capture.
    private static func receiverLog(_ text: [UInt8]) -> String? {
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.starts(with: "{\"class\":\"".utf8) { return "gpsd's JSON" }
            // A talker of two letters and a sentence of three (NMEA 0183).
            if line.count > 6, line.first == UInt8(ascii: "$"), line[line.startIndex + 6] == UInt8(ascii: ","),
                line.dropFirst().prefix(5).allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 })
            {
                return "what a receiver sent (NMEA 0183)"
            }
        }
        return nil
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// Beginnings of files that people take for captures.
    private static let marks: [(String, [UInt8])] = [
        ("a btsnoop header that is cut short", Array("btsnoop\0".utf8)),
        ("a compressed file (gzip); unpack it first", [0x1F, 0x8B]),
        ("a compressed file (xz); unpack it first", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        ("a compressed file (zstd); unpack it first", [0x28, 0xB5, 0x2F, 0xFD]),
        ("a ZIP archive; unpack it first (a phone's bug report holds btsnoop_hci.log)", [0x50, 0x4B, 0x03, 0x04]),
        ("a compressed file (bzip2); unpack it first", Array("BZh".utf8)),
        ("an XML document", Array("<?xml".utf8)),
        ("a GIF image", Array("GIF8".utf8)),
        ("an SQLite database", Array("SQLite format 3".utf8)),
        ("a JPEG image", [0xFF, 0xD8, 0xFF]),
        ("a PNG image", [0x89, 0x50, 0x4E, 0x47]),
        ("a PDF document", [0x25, 0x50, 0x44, 0x46]),
        ("a program (ELF)", [0x7F, 0x45, 0x4C, 0x46]),
        ("a pcap header that is cut short", [0xA1, 0xB2, 0xC3, 0xD4]),
        ("a pcap header that is cut short", [0xD4, 0xC3, 0xB2, 0xA1]),
        ("a pcap header that is cut short", [0xA1, 0xB2, 0x3C, 0x4D]),
        ("a pcap header that is cut short", [0x4D, 0x3C, 0xB2, 0xA1]),
        ("a pcapng header that is cut short", [0x0A, 0x0D, 0x0D, 0x0A]),
    ]
}
