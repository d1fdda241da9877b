import Testing

@testable import SkerryCore

@Suite struct UnrecognisedCaptureTests {
    @Test(
        arguments: [
            ("", "an empty file"),
            ("ffd8ffe000104a46494600010100000100010000ffdb0043", "a JPEG image"),
            ("89504e470d0a1a0a0000000d49484452", "a PNG image"),
            ("255044462d312e370a25b5b5b5b5", "a PDF document"),
            ("1f8b0800000000000003", "a compressed file (gzip); unpack it first"),
            ("504b0304140000000800", "a ZIP archive; unpack it first (a phone's bug report holds btsnoop_hci.log)"),
            ("7f454c4602010100", "a program (ELF)"),
            ("48656c6c6f2c20776f726c640a", "text"),
            ("6274736e6f6f70000000000100", "a btsnoop header that is cut short"),
            ("d4c3b2a102000400", "a pcap header that is cut short"),
            ("0a0d0d0a1c000000", "a pcapng header that is cut short"),
            ("0001020304050607", "unknown bytes that begin 00 01 02 03 04 05 06 07"),
            ("04", "unknown bytes that begin 04"),
        ] as [(String, String)])
    func whatIsNoCaptureIsNamed(hex: String, found: String) {
        var stream = CaptureStream(name: "capture", bytes: [UInt8](hex: hex))
        let error = #expect(throws: UnrecognisedCapture.self) { try stream.recognise() }
        #expect(error?.found == found)
    }

    @Test(
        arguments: [
            (
                "{\"class\":\"VERSION\",\"release\":\"3.22\"}\r\n",
                "gpsd's JSON; skerry replay --gps FILE plays it"
            ),
            ("23\"}\n{\"class\":\"TPV\",\"mode\":1}\n", "gpsd's JSON; skerry replay --gps FILE plays it"),
            (
                "$GPGGA,115713.000,3150.788156,N,11711.922383,E,1,12,1.0,0.0,M,0.0,M,,*65\r\n",
                "what a receiver sent (NMEA 0183); skerry replay --gps FILE plays it"
            ),
            (
                ",N,11711.9*65\r\n$GNRMC,1,A\r\n",
                "what a receiver sent (NMEA 0183); skerry replay --gps FILE plays it"
            ),
            ("{\"event\":\"start\",\"class\":1}\n", "text"), ("$PATH=x, y\n$GPGGA\n", "text"),
        ] as [(String, String)])
    func theLogOfAReceiverIsToldHowToPlay(text: String, found: String) {
        var stream = CaptureStream(name: "capture", bytes: Array(text.utf8))
        let error = #expect(throws: UnrecognisedCapture.self) { try stream.recognise() }
        #expect(error?.found == found)
    }

    /// The containers without a mark of their own are not seen everywhere.
    @Test func randomBytesAreNoCapture() {
        var generator = SeededGenerator(seed: 65)
        var recognised = 0
        for _ in 0..<2000 {
            var stream = CaptureStream(
                name: "capture", bytes: generator.bytes(Int.random(in: 0...400, using: &generator)))
            if (try? stream.recognise()) == true { recognised += 1 }
        }
        #expect(recognised == 0)
    }
}
