/// The input is a capture of one kind. Where its head is none, a good one is put before it, so that the time is spent in
/// the records.
enum Containers {
    /// A kind of capture: its name in events, and heads that begin one.
    typealias Kind = (name: String, heads: [[UInt8]])

    static let btsnoop: Kind = (
        "btsnoop",
        [1001, 1002, 1003, 2001].map { (link: UInt16) in
            Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, UInt8(link >> 8), UInt8(link & 0xFF)]
        }
    )
    static let pcap: Kind = (
        "pcap",
        [187, 192, 201, 251, 254, 256, 272].flatMap { (link: UInt32) in
            [PcapFile.head(link, isBigEndian: false), PcapFile.head(link, isBigEndian: true)]
        }
    )
    static let pcapng: Kind = (
        "pcapng",
        [187, 192, 201, 251, 254, 256, 272].map { (link: UInt16) in
            [
                0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                0xFF,
                0xFF, 0xFF, 28, 0, 0, 0,
                1, 0, 0, 0, 20, 0, 0, 0, UInt8(link & 0xFF), UInt8(link >> 8), 0, 0, 0, 0, 4, 0, 20, 0, 0, 0,
            ]
        }
    )
    // These have no head; a first record of good form stands for it.
    static let packetLogger: Kind = (
        "packetlogger",
        [
            [0, 0, 0, 13, 0x65, 0, 0, 0, 0, 0, 0, 1, 0, 0x0C, 0x20, 2, 1],
            [13, 0, 0, 0, 0, 0, 0, 0x65, 1, 0, 0, 0, 0, 0x0C, 0x20, 2, 1],
        ]
    )
    static let hcidump: Kind = ("hcidump", [[6, 0, 0, 0, 0, 0, 0, 0x65, 1, 0, 0, 0, 1, 0x0C, 0x20, 2, 1, 0]])

    static func run(_ kind: Kind, _ bytes: [UInt8]) {
        if play(kind, bytes) { return }
        guard let first = bytes.first else { return }
        _ = play(kind, kind.heads[Int(first) % kind.heads.count] + bytes.dropFirst())
    }

    /// - Returns: Whether the bytes are a capture of the kind.
    private static func play(_ kind: Kind, _ bytes: [UInt8]) -> Bool {
        var stream = CaptureStream(name: "fuzz", bytes: bytes)
        guard (try? stream.recognise()) == true, stream.kind == kind.name else { return false }
        let sum = Player.sum(bytes)
        var lines = Player.play(stream, sum: sum)
        // Supplied piece by piece, some of the inputs must give the same; it costs as much as all else together.
        guard bytes.count < 4096, sum % 4 == 0 else { return true }
        guard var again = Player.play(pieces: bytes, sum: sum) else { fatalError("in pieces it is not recognised") }
        let (whole, pieces) = (lines.takeString(), again.takeString())
        guard whole == pieces else { fatalError("other events when supplied in pieces:\n\(difference(whole, pieces))") }
        return true
    }

    /// The first lines that differ.
    private static func difference(_ a: String, _ b: String) -> String {
        let (a, b) = (a.split(separator: "\n"), b.split(separator: "\n"))
        let number = zip(a, b).prefix { $0 == $1 }.count
        return "\(number < a.count ? a[number] : "nothing")\n\(number < b.count ? b[number] : "nothing")"
    }
}

/// Classic pcap files.
enum PcapFile {
    static func head(_ link: UInt32, isBigEndian: Bool) -> [UInt8] {
        let words: [UInt32] = [0xA1B2_C3D4, isBigEndian ? 0x0002_0004 : 0x0004_0002, 0, 0, 65_535, link]
        var head: [UInt8] = []
        for word in words { head.append(bigEndian: isBigEndian ? word : word.byteSwapped) }
        return head
    }
}

extension [UInt8] {
    mutating func append(bigEndian words: UInt32...) {
        for word in words { for shift in [24, 16, 8, 0] { append(UInt8(word >> shift & 0xFF)) } }
    }
}
