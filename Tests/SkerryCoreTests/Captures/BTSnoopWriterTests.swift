import Testing

@testable import SkerryCore

@Suite("Writing btsnoop")
struct BTSnoopWriterTests {
    private let begin = BTSnoopFile.begin

    private func record(_ writer: inout BTSnoopWriter, _ packet: [UInt8], source: Int = 0, at milliseconds: Int64 = 0) {
        writer.record(HCIPacket(h4: packet.rawSpan), from: source, at: begin + milliseconds * 1000)
    }

    /// The files that are made of pieces.
    private func files(_ pieces: [BTSnoopWriter.Piece]) -> [[UInt8]] {
        pieces.reduce(into: []) { files, piece in
            if piece.beginsFile { files.append([]) }
            files[files.count - 1] += piece.bytes
        }
    }

    private func events(_ file: [UInt8]) throws -> [Event] {
        try Playback([CaptureStream(name: "file", bytes: file)]).events
    }

    @Test("a file, byte by byte")
    func file() {
        var writer = BTSnoopWriter()
        writer.addSource(name: "hci1", at: begin)
        writer.setScan(0, isOn: true, filtersDuplicates: false, at: begin)
        record(&writer, Packet.event([0x02, 1, 3, 1, 1, 2, 3, 4, 5, 0xC6, 0, 0xC5]), at: 1000)
        let micros = UInt64(begin.microseconds) + 0x00DC_DDB3_0F2F_8000
        func head(_ opcode: UInt32, _ count: UInt32, _ time: UInt64 = micros) -> [UInt8] {
            [UInt8].be(count) + .be(count) + .be(1 << 16 | opcode) + .be(UInt32(0)) + .be(time)
        }
        let expected: [[UInt8]] = [
            Array("btsnoop\0".utf8) + .be(UInt32(1)) + .be(UInt32(2001)),
            head(0, 16) + [0, 0, 0, 0, 0, 0, 0, 0] + Array("hci1\0\0\0\0".utf8),
            head(2, 5) + [0x0C, 0x20, 2, 0, 0], head(3, 6) + [0x0E, 4, 1, 0x0C, 0x20, 0],
            head(2, 5) + [0x0C, 0x20, 2, 1, 0], head(3, 6) + [0x0E, 4, 1, 0x0C, 0x20, 0],
            head(3, 14, micros + 1_000_000) + [0x3E, 12, 0x02, 1, 3, 1, 1, 2, 3, 4, 5, 0xC6, 0, 0xC5],
        ]
        let pieces = writer.takePieces()
        #expect(pieces.count == 1 && pieces[0].beginsFile && pieces[0].bytes.hex == expected.flatMap(\.self).hex)
        #expect(writer.waiting == 0 && writer.statistics == RecordingStatistics(records: 6, dropped: 0))
        // Where a write may be cut.
        let ends = expected.reduce(into: []) { $0.append(($0.last ?? 0) + $1.count) }
        for place in 0...pieces[0].bytes.count {
            #expect(pieces[0].recordEnd(before: place) == ends.last { $0 <= place } ?? 0)
        }
        record(&writer, Packet.other, at: 2)
        let next = writer.takePieces()
        #expect(next.count == 1 && !next[0].beginsFile && next[0].recordEnd(before: 23) == 0)
    }

    @Test("only what scanning is about is kept")
    func privacy() {
        let key: [UInt8] = [0x04, 0x18, 23] + [UInt8](repeating: 7, count: 23)
        let kept = [
            Packet.scan(true), Packet.extendedScan(true), Packet.reset, Packet.complete(0x200C, status: 0),
            Packet.iBeacon(), Packet.extended([1, 2]), [0x04, 0x0F, 4, 0, 1, 0x42, 0x20], Packet.event([0x11]),
        ]
        let left: [[UInt8]] = [
            key, [0x01, 0x0B, 0x04, 22] + [UInt8](repeating: 7, count: 22), Packet.complete(0x1009, status: 0),
            [0x04, 0x0F, 4, 0, 1, 0x05, 0x04], Packet.event([0x01] + [UInt8](repeating: 0, count: 18)),
            Packet.event([0x05] + [UInt8](repeating: 0, count: 12)), [0x02, 1, 2, 3, 4, 5], [0x04], [0x04, 0x3E],
            [0x04, 0x0E, 1], [0x04, 0x0F, 4, 0, 1, 0x0C], [0x01, 0x0C], [], [0x04, 0x3E, 0, 0x02],
        ]
        var writer = BTSnoopWriter()
        writer.addSource(name: "hci0", at: begin)
        for packet in kept + left { record(&writer, packet) }
        let bytes = writer.takePieces()[0].bytes
        #expect(writer.statistics.records == UInt64(3 + kept.count))
        for packet in kept { #expect(bytes.hex.contains(packet.dropFirst().hexText)) }
        #expect(!bytes.hex.contains("07070707"))
    }

    @Test("adapters keep their numbers; others get some from 8 on")
    func numbers() throws {
        var writer = BTSnoopWriter()
        for name in ["hci2", "bluez", "h4:/dev/ttyACM0,115200", "hci2", "hci0", "hcix"] {
            writer.addSource(name: name, at: begin)
        }
        for source in 0..<6 { record(&writer, Packet.other, source: source) }
        writer.addSource(name: "hci3", at: begin)
        let bytes = writer.takePieces()[0].bytes
        var (numbers, place) = ([UInt16](), 16)
        while place < bytes.count {
            let head = bytes.rawSpan.part(place, place + 24)
            if head.be16(10) == 0 { numbers.append(head.be16(8)) }
            place += 24 + Int(head.be32(4))
        }
        #expect(numbers == [2, 8, 9, 10, 0, 11, 3])
    }

    @Test("data without packets becomes reports that replay reads", arguments: [30, 32, 229, 230, 232, 500, 1000])
    func synthesis(count: Int) throws {
        // An iBeacon of 30 bytes behind so much of something else.
        let beacon = Array(Packet.iBeacon().dropFirst(14).dropLast())
        let parts = stride(from: 0, to: count - 30, by: 200).map { min(200, count - 30 - $0) }
        let data =
            parts.flatMap { $0 > 1 ? [UInt8($0 - 1), 0x16] + [UInt8](repeating: 1, count: $0 - 2) : [0] } + beacon
        var writer = BTSnoopWriter()
        writer.addSource(name: "bluez", at: begin)
        writer.setScan(0, isOn: true, filtersDuplicates: false, at: begin)
        writer.record(
            data.rawSpan, address: DeviceAddress(bits: 0xC0_01_02_03_04_05), addressType: .random,
            rssi: count == 30 ? nil : -70, from: 0, at: begin + 1)
        let heard = try events(files(writer.takePieces())[0]).compactMap(\.advertisement)
        try #require(heard.count == 1)
        #expect(heard[0].rssi == (count == 30 ? nil : -70) && heard[0].address.bits == 0xC0_01_02_03_04_05)
    }

    @Test("every file can be read alone, and none is too long")
    func rotation() throws {
        var writer = BTSnoopWriter(fileLength: 1)
        writer.addSource(name: "hci0", at: begin)
        writer.addSource(name: "bluez", at: begin)
        writer.setScan(0, isOn: true, filtersDuplicates: true, at: begin)
        let count = 5000
        for number in 0..<count {
            record(&writer, Packet.iBeacon(minor: UInt16(number)), at: Int64(number))
        }
        let files = files(writer.takePieces())
        #expect(files.count == 6 && files.allSatisfy { $0.count <= BTSnoopWriter.shortestFile })
        var minors: [UInt16] = []
        for file in files {
            let events = try events(file)
            for event in events {
                if let heard = event.advertisement, case .iBeacon(let frame) = heard.beacon {
                    minors.append(frame.identity.minor)
                }
            }
            let states = events.compactMap { event -> ScannerState? in
                guard case .scanner(let state, _) = event.content else { return nil }
                return state
            }
            #expect(states.contains(.listening) && states.contains(.paused))
        }
        #expect(minors == (0..<UInt16(count)).map { $0 })
    }

    /// LE Set Extended Scan Enable is refused by Command Status.
    private static let refused: [UInt8] = [0x04, 0x0F, 4, 0x0C, 1, 0x42, 0x20]

    /// Packets in the first file; those in the second one, behind its first report; the states that are told there.
    private static let courses: [(packets: [[UInt8]], later: [[UInt8]], states: [ScannerState])] = [
        (
            [
                Packet.scan(false), Packet.complete(0x200C, status: 0), Packet.extendedScan(true, filter: true),
                Packet.complete(0x2042, status: 0x0C),
            ], [], [.listening, .paused, .ended]
        ),
        (
            [Packet.scan(false), Packet.complete(0x200C, status: 0), Packet.extendedScan(true), Self.refused],
            [], [.listening, .paused, .ended]
        ),
        ([Packet.reset, Packet.complete(0x0C03, status: 0)], [], [.listening, .paused, .ended]),
        ([Packet.event([0x11])], [], [.listening, .paused, .ended]),
        // What a scan hears that is begun later depends on the accept list, too.
        (
            [
                Packet.scanParameters(policy: 1), Packet.complete(0x200B, status: 0), Packet.scan(true),
                Packet.complete(0x200C, status: 0),
            ],
            [Packet.scan(false), Packet.scan(true)], [.listening, .paused, .ended]
        ),
        // An answer in the second file to a command in the first.
        ([Packet.extendedScan(false)], [], [.listening, .paused, .ended]),
        (
            [Packet.extendedScan(false)], [Packet.complete(0x2042, status: 0)], [.listening, .paused, .ended]
        ),
        ([Packet.extendedScan(false)], [Self.refused], [.listening, .paused, .listening, .ended]),
    ]

    @Test("a further file begins with what other programs' commands came to", arguments: courses)
    func othersCommands(packets: [[UInt8]], later: [[UInt8]], states: [ScannerState]) throws {
        var writer = BTSnoopWriter(fileLength: BTSnoopWriter.shortestFile)
        writer.addSource(name: "hci0", at: begin)
        writer.setScan(0, isOn: true, filtersDuplicates: false, at: begin)
        for packet in packets { record(&writer, packet) }
        var pieces: [BTSnoopWriter.Piece] = []
        var second: Int64 = 0
        while pieces.count(where: \.beginsFile) < 2 {
            record(&writer, Packet.iBeacon(), at: second * 1000)
            second += 1
            pieces += writer.takePieces()
        }
        for packet in later { record(&writer, packet, at: second * 1000) }
        record(&writer, Packet.iBeacon(), at: second * 1000 + 1000)
        let told = try events(files(pieces + writer.takePieces())[1]).compactMap { event in
            if case .scanner(let state, _) = event.content { state } else { nil }
        }
        #expect(told == states)
    }

    @Test("whether a scan is on is kept also where nothing else finds room")
    func statesFindRoom() throws {
        var writer = BTSnoopWriter()
        writer.addSource(name: "hci0", at: begin)
        writer.setScan(0, isOn: true, filtersDuplicates: false, at: begin)
        while writer.statistics.dropped == 0 { record(&writer, Packet.iBeacon()) }
        writer.setScan(0, isOn: false, filtersDuplicates: false, at: begin + .second)
        record(&writer, Packet.scan(true), at: 2000)
        let states = try events(files(writer.takePieces())[0]).compactMap { event in
            if case .scanner(let state, _) = event.content { state } else { nil }
        }
        #expect(states == [.listening, .paused, .listening, .paused, .listening, .ended])
    }

    @Test("what nobody takes is dropped and counted, also in the file")
    func limit() throws {
        var writer = BTSnoopWriter()
        writer.addSource(name: "hci0", at: begin)
        for number in 0..<100_000 { record(&writer, Packet.iBeacon(), at: Int64(number)) }
        #expect(writer.waiting <= BTSnoopWriter.limit && writer.waiting > BTSnoopWriter.limit - 100)
        let pieces = writer.takePieces()
        let statistics = writer.statistics
        #expect(statistics.records + statistics.dropped == 100_003 && statistics.dropped > 30_000)
        record(&writer, Packet.iBeacon(), at: 100_000)
        let last = writer.takePieces()
        #expect(last[0].bytes[12..<16].elementsEqual([UInt8].be(UInt32(statistics.dropped))))
        #expect(try events(files(pieces + last)[0]).count(where: { $0.advertisement != nil }) == statistics.records - 2)
        writer.drop(last)
        #expect(writer.statistics.dropped == statistics.dropped + 1)
        // Of the first, all but the last two records were kept, and a part of the last but one.
        let end = pieces[0].recordEnd(before: pieces[0].bytes.count - 1)
        writer.drop(pieces, kept: end - 1)
        #expect(writer.statistics.dropped == statistics.dropped + 3)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var hexText: String { Array(self).hex }
}
