/// Makes a btsnoop capture of what live sources hear, in pieces that something else writes to files.
///
/// Datalink 2001, the packets of Linux's monitor channel (BlueZ, `doc/btsnoop-protocol` and `monitor/bt.h`): it keeps the
/// adapter of each packet. Of those, only what scanning is about is recorded: advertising reports, and the commands that
/// switch scans with their answers; keys and data of connections stay out of files. Packets that are dropped, because
/// nothing takes the pieces, are counted in each record's `cumulative drops`.
public struct BTSnoopWriter: Sendable {
    /// Some whole records.
    public struct Piece: Equatable, Sendable {
        /// Whether they are the first of a file: its header stands before them.
        public let beginsFile: Bool
        /// The bytes.
        public fileprivate(set) var bytes: [UInt8]
        /// How many records they are.
        fileprivate var records: UInt64 = 0

        /// Where the last record ends that lies wholly before a place in the bytes.
        public func recordEnd(before place: Int) -> Int {
            walk(to: place).end
        }

        /// Records that do not lie wholly before a place in the bytes.
        fileprivate func records(after place: Int) -> UInt64 { records - walk(to: place).records }

        private func walk(to place: Int) -> (end: Int, records: UInt64) {
            let span = bytes.rawSpan
            var (end, records) = (beginsFile ? BTSnoop.headerLength : 0, UInt64(0))
            guard end <= place else { return (0, 0) }
            while end + BTSnoop.recordHeaderLength <= place {
                let next = end + BTSnoop.recordHeaderLength + Int(span.be32(end + 4))
                if next > place { break }
                end = next
                records += 1
            }
            return (end, records)
        }
    }

    /// Bytes that wait at most to be taken; what comes beyond is dropped.
    static let limit = 4 << 20
    /// The shortest length at which a file may end, many times what each file begins with.
    public static let shortestFile = 65_536

    fileprivate struct Controller {
        let number: UInt16
        let name: String
        var isScanning = false
        var filtersDuplicates = false
        /// Whether another program lets it hear only devices of its accept list.
        var hearsListedOnly = false
        /// What another program's last command asks for, until it is answered.
        var asked: (opcode: UInt16, request: Request)?

        enum Request {
            case scan(isOn: Bool, filtersDuplicates: Bool)
            case parameters(hearsListedOnly: Bool)
        }
    }

    /// A file ends before it would be longer; `nil` for one file without an end.
    private let fileLength: Int?
    /// By the number of the source.
    private var controllers: [Controller] = []
    /// Bytes of the present file.
    private var length = 0
    private var hasBegun = false
    private var pieces: [Piece] = []
    /// Bytes that wait to be taken.
    public private(set) var waiting = 0
    /// What was recorded and what was dropped.
    public private(set) var statistics = RecordingStatistics()

    /// - Parameter fileLength: Bytes of a file after which the next one begins, at least `shortestFile`; `nil` for one
    ///   file without an end.
    public init(fileLength: Int? = nil) { self.fileLength = fileLength.map { max($0, Self.shortestFile) } }

    /// Takes the pieces that wait, in order.
    public mutating func takePieces() -> [Piece] {
        defer {
            pieces.removeAll(keepingCapacity: true)
            waiting = 0
        }
        return pieces
    }

    /// Counts pieces as dropped that were taken and could not be kept.
    ///
    /// - Parameter kept: Bytes of the first one that were kept.
    public mutating func drop(_ pieces: some Sequence<Piece>, kept: Int = 0) {
        var kept = kept
        for piece in pieces {
            let lost = piece.records(after: kept)
            statistics.records -= lost
            statistics.dropped += lost
            kept = 0
        }
    }

    // MARK: What is recorded

    /// A further source; they are numbered as they come.
    ///
    /// One that is called like an adapter, `hci2`, has its number; others have numbers from 8 on. btmon shows those up to 15.
    mutating func addSource(name: String, at time: Timestamp) {
        let taken = controllers.map(\.number)
        let own = (name.hasPrefix("hci") ? UInt16(name.dropFirst(3)) : nil).flatMap { taken.contains($0) ? nil : $0 }
        let number = own ?? (8...UInt16.max).first { !taken.contains($0) } ?? 0
        controllers.append(Controller(number: number, name: name))
        guard hasBegun else { return }
        append(.newIndex, number, Self.newIndex(name), time)
    }

    /// A source can hear, or can't. Recorded as the command that brings this about, for `replay` to read.
    mutating func setScan(_ source: Int, isOn: Bool, filtersDuplicates: Bool, at time: Timestamp) {
        let known = controllers[source]
        guard known.isScanning != isOn || known.filtersDuplicates != filtersDuplicates else { return }
        begin(at: time)
        controllers[source].isScanning = isOn
        controllers[source].filtersDuplicates = filtersDuplicates
        appendScan(controllers[source], time)
    }

    /// A packet of a source.
    mutating func record(_ packet: HCIPacket, from source: Int, at time: Timestamp) {
        guard let opcode = Self.opcode(of: packet) else { return }
        begin(at: time)
        let isReport = packet.kind == .event && packet.bytes.byte(0) == 0x3E
        append(opcode, controllers[source].number, [UInt8](packet.bytes), time, isState: !isReport)
        if !isReport { controllers[source].follow(packet) }
    }

    /// What a source knows that has no packets, as advertising reports: a legacy one, or extended ones where it is longer.
    mutating func record(
        _ data: RawSpan, address: DeviceAddress, addressType: AddressType, rssi: Int8?, from source: Int,
        at time: Timestamp
    ) {
        begin(at: time)
        let reports = AdvertisingEvent.reports(data, address: address, addressType: addressType, rssi: rssi)
        for report in reports { append(.event, controllers[source].number, report, time) }
    }

    /// Whether anything is to be kept of a packet, and under which opcode.
    private static func opcode(of packet: HCIPacket) -> Opcode? {
        let bytes = packet.bytes
        switch packet.kind {
        case .command:
            return bytes.byteCount >= 3 && isAboutScanning(bytes.le16(0)) ? .command : nil
        case .event:
            guard bytes.byteCount >= 3 else { return nil }
            switch bytes.byte(0) {
            // LE Advertising Report, LE Directed Advertising Report, LE Extended Advertising Report.
            case 0x3E: return [0x02, 0x0B, 0x0D].contains(bytes.byte(2)) ? .event : nil
            // Command Complete, Command Status.
            case 0x0E: return bytes.byteCount >= 5 && isAboutScanning(bytes.le16(3)) ? .event : nil
            case 0x0F: return bytes.byteCount >= 6 && isAboutScanning(bytes.le16(4)) ? .event : nil
            default: return nil
            }
        case .data, .other: return nil
        }
    }

    /// Reset, and LE Set (Extended) Scan Parameters and Enable.
    private static func isAboutScanning(_ command: UInt16) -> Bool {
        HCIOpcode.setsScan(command) || HCIOpcode.setsParameters(command)
    }

    // MARK: Records

    /// Opcodes of the monitor channel.
    private enum Opcode: UInt16 {
        case newIndex = 0
        case command = 2
        case event = 3
    }

    /// Every file begins with the adapters and whether they scan, so that it can be read alone.
    mutating func begin(at time: Timestamp) {
        guard !hasBegun else { return }
        hasBegun = true
        var header: [UInt8] = []
        header.append(big: BTSnoop.identification)
        header.append(big: UInt32(1))
        header.append(big: BTSnoop.Datalink.linuxMonitor.rawValue)
        length = 0
        add(header, beginsFile: true)
        for controller in controllers {
            append(.newIndex, controller.number, Self.newIndex(controller.name), time, isState: true)
            appendScan(controller, time)
        }
    }

    private mutating func appendScan(_ controller: Controller, _ time: Timestamp) {
        let hears = controller.isScanning && !controller.hearsListedOnly
        let enable: [UInt8] = [0x0C, 0x20, 2, hears ? 1 : 0, controller.filtersDuplicates ? 1 : 0]
        append(.command, controller.number, enable, time, isState: true)
        append(.event, controller.number, [0x0E, 4, 1, 0x0C, 0x20, 0], time, isState: true)
    }

    /// Kind (primary), bus (virtual), no address, eight bytes of name.
    private static func newIndex(_ name: String) -> [UInt8] {
        let text = Array(name.utf8.prefix(8))
        return [0, 0, 0, 0, 0, 0, 0, 0] + text + [UInt8](repeating: 0, count: 8 - text.count)
    }

    /// - Parameter isState: Whether what comes later can't be understood without it; it always finds room.
    private mutating func append(
        _ opcode: Opcode, _ controller: UInt16, _ bytes: [UInt8], _ time: Timestamp, isState: Bool = false
    ) {
        guard isState || waiting + BTSnoop.recordHeaderLength + bytes.count <= Self.limit else {
            statistics.dropped += 1
            return
        }
        if let fileLength, length + BTSnoop.recordHeaderLength + bytes.count > fileLength {
            hasBegun = false
            begin(at: time)
        }
        var record: [UInt8] = []
        record.reserveCapacity(BTSnoop.recordHeaderLength + bytes.count)
        record.append(big: UInt32(bytes.count))
        record.append(big: UInt32(bytes.count))
        record.append(big: UInt32(controller) << 16 | UInt32(opcode.rawValue))
        record.append(big: UInt32(truncatingIfNeeded: statistics.dropped))
        record.append(big: UInt64(bitPattern: time.microseconds) &+ BTSnoop.epoch)
        add(record + bytes, beginsFile: false)
        pieces[pieces.count - 1].records += 1
        statistics.records += 1
    }

    private mutating func add(_ bytes: [UInt8], beginsFile: Bool) {
        if beginsFile || pieces.isEmpty {
            pieces.append(Piece(beginsFile: beginsFile, bytes: bytes))
        } else {
            pieces[pieces.count - 1].bytes += bytes
        }
        length += bytes.count
        waiting += bytes.count
    }
}

extension BTSnoopWriter.Controller {
    /// Follows other programs' commands and their answers: the next file begins with what came of them.
    fileprivate mutating func follow(_ packet: HCIPacket) {
        let bytes = packet.bytes
        if packet.kind == .command {
            let opcode = bytes.le16(0)
            if opcode == HCIOpcode.reset {
                asked = (opcode, .scan(isOn: false, filtersDuplicates: false))
            } else if let hearsListedOnly = HCIOpcode.hearsListedOnly(bytes) {
                asked = (opcode, .parameters(hearsListedOnly: hearsListedOnly))
            } else if HCIOpcode.enablesScan(opcode), bytes.byteCount >= 5 {
                asked = (opcode, .scan(isOn: bytes.byte(3) == 1, filtersDuplicates: bytes.byte(4) != 0))
            }
        } else if bytes.byte(0) == 0x0E, bytes.byteCount >= 6, let asked, asked.opcode == bytes.le16(3) {
            self.asked = nil
            guard bytes.byte(5) == 0 else { return }
            if asked.opcode == HCIOpcode.reset { hearsListedOnly = false }
            switch asked.request {
            case .scan(let isOn, let filters): (isScanning, filtersDuplicates) = (isOn, isOn && filters)
            case .parameters(let listedOnly): hearsListedOnly = listedOnly
            }
        }
    }
}

extension [UInt8] {
    /// Puts a number behind the bytes, most significant byte first.
    fileprivate mutating func append(big value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
