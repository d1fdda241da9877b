/// Makes a btsnoop capture of what live sources hear, in pieces that something else writes to files.
///
/// Datalink 2001, the packets of Linux's monitor channel (BlueZ, `doc/btsnoop-protocol` and `monitor/bt.h`): it keeps the
/// adapter of each packet. Of those, only what scanning is about is recorded: advertising reports, the commands that scans
/// depend on with their answers, and the end of scans of limited length; keys and data of connections stay out of files.
/// Packets that are dropped, because nothing takes the pieces, are counted in each record's `cumulative drops`.
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

    /// How each file begins: with the header, and an adapter that is new, as far as that is the same for all (lengths of the
    /// record). Captures of btmon have the same header; they begin with a note of the system's version.
    public static let beginning: [UInt8] = {
        let length = UInt32(newIndex("").count)
        var bytes = header
        bytes.append(big: length)
        bytes.append(big: length)
        return bytes
    }()

    private static let header: [UInt8] = {
        var bytes: [UInt8] = []
        bytes.append(big: BTSnoop.identification)
        bytes.append(big: UInt32(1))
        bytes.append(big: BTSnoop.Datalink.linuxMonitor.rawValue)
        return bytes
    }()

    fileprivate struct Controller {
        let number: UInt16
        let name: String
        var scan = HostScan()
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
        let known = controllers[source].scan.state
        guard known.isOn != isOn || known.filtersDuplicates != filtersDuplicates else { return }
        begin(at: time)
        controllers[source].scan.set(isOn: isOn, filtersDuplicates: filtersDuplicates)
        appendScan(controllers[source], time)
    }

    /// A packet of a source.
    mutating func record(_ packet: HCIPacket, from source: Int, at time: Timestamp) {
        guard let opcode = Self.opcode(of: packet) else { return }
        begin(at: time)
        append(opcode, controllers[source].number, [UInt8](packet.bytes), time, isState: !packet.reportsAdvertising)
        // The next file begins with what came of other programs' commands.
        _ = controllers[source].scan.follow(packet)
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

    /// Under which opcode a packet is kept; `nil` where it is not.
    private static func opcode(of packet: HCIPacket) -> Opcode? {
        guard packet.reportsAdvertising || HostScan.isTold(by: packet) else { return nil }
        return packet.kind == .command ? .command : .event
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
        length = 0
        add(Self.header, beginsFile: true)
        for controller in controllers {
            append(.newIndex, controller.number, Self.newIndex(controller.name), time, isState: true)
            appendScan(controller, time)
        }
    }

    /// Begins a further file, since the present one can't be kept.
    public mutating func beginAnew(at time: Timestamp) {
        hasBegun = false
        begin(at: time)
    }

    private mutating func appendScan(_ controller: Controller, _ time: Timestamp) {
        let state = controller.scan.settled
        var commands = [HCICommand.setScanEnable(state.isOn, filtersDuplicates: state.filtersDuplicates)]
        if state.hearsListedOnly { commands.insert(.setScanParameters(isActive: false, hearsListedOnly: true), at: 0) }
        for command in commands {
            append(.command, controller.number, command.bytes, time, isState: true)
            append(.event, controller.number, command.completion, time, isState: true)
        }
        // Its answer comes later, in this file.
        if let awaited = controller.scan.awaited {
            append(.command, controller.number, awaited, time, isState: true)
        }
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

extension [UInt8] {
    /// Puts a number behind the bytes, most significant byte first.
    fileprivate mutating func append(big value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
