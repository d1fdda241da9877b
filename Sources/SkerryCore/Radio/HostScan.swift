/// What a host's commands and their answers say of its controller's scan.
///
/// A command counts from when it was sent, since what is heard next is heard under it. One that is refused has changed
/// nothing. Sections are those of the Core specification, volume 4, part E.
struct HostScan: Equatable, Sendable {
    /// A scan as commands have it.
    struct State: Equatable, Sendable {
        /// Whether it is on (7.8.11, 7.8.65).
        var isOn = false
        /// Whether a device may be reported once only while it is.
        var filtersDuplicates = false
        /// Whether it reports only devices of the controller's accept list (7.8.10, 7.8.64).
        var hearsListedOnly = false

        /// Whether beacons are heard: they are on no accept list.
        var hearsBeacons: Bool { isOn && !hearsListedOnly }
    }

    /// What a packet comes to.
    enum Change {
        /// A scan begins or ends, as `state` has it.
        case set
        /// The last command that set one has changed nothing.
        case undone
    }

    private struct Asked: Equatable {
        let command: [UInt8]
        let opcode: UInt16
        /// What was settled when it was sent.
        let before: State
        /// What it asks for.
        let state: State
    }

    /// What is certain.
    private(set) var settled = State()
    /// The command whose answer is awaited.
    private var asked: Asked?

    /// What counts now.
    var state: State { asked?.state ?? settled }

    /// The command whose answer is awaited, from its opcode on; `nil` where none is.
    var awaited: [UInt8]? { asked?.command }

    /// Whether a packet may tell anything of a scan.
    static func isTold(by packet: HCIPacket) -> Bool {
        let bytes = packet.bytes
        return switch packet.kind {
        case .command: bytes.byteCount >= 3 && HCIOpcode.isAboutScan(bytes.le16(0))
        case .event: isTimeout(bytes) || answer(bytes).map { HCIOpcode.isAboutScan($0.opcode) } ?? false
        case .data, .other: false
        }
    }

    /// Takes in what is known from elsewhere. A command under way counts as carried out.
    mutating func set(isOn: Bool, filtersDuplicates: Bool) {
        settled = state
        asked = nil
        settled.isOn = isOn
        settled.filtersDuplicates = filtersDuplicates
    }

    /// Takes in a packet of any kind.
    mutating func follow(_ packet: HCIPacket) -> Change? {
        switch packet.kind {
        case .command: sent(packet.bytes)
        case .event: received(packet.bytes)
        case .data, .other: nil
        }
    }

    private mutating func sent(_ command: RawSpan) -> Change? {
        guard command.byteCount >= 3 else { return nil }
        let opcode = command.le16(0)
        var wanted = state
        if opcode == HCIOpcode.reset {
            wanted = State()
        } else if let hearsListedOnly = HCIOpcode.hearsListedOnly(command) {
            wanted.hearsListedOnly = hearsListedOnly
        } else if HCIOpcode.enablesScan(opcode), command.byteCount >= 5 {
            wanted.isOn = command.byte(3) == 1
            wanted.filtersDuplicates = wanted.isOn && command.byte(4) != 0
        } else {
            return nil
        }
        // The answer to one before may have been lost.
        settled = state
        asked = Asked(command: [UInt8](command), opcode: opcode, before: settled, state: wanted)
        return HCIOpcode.setsScan(opcode) ? .set : nil
    }

    private mutating func received(_ event: RawSpan) -> Change? {
        if Self.isTimeout(event) {
            settled.isOn = false
            settled.filtersDuplicates = false
            return .set
        }
        guard let answer = Self.answer(event), let asked, asked.opcode == answer.opcode else { return nil }
        // A status without an error says that the answer is still to come.
        if answer.status == 0, event.byte(0) == HCIEvent.commandStatus { return nil }
        if answer.status == 0 { settled = asked.state }
        self.asked = nil
        guard answer.status != 0, HCIOpcode.setsScan(asked.opcode) else { return nil }
        return settled == asked.before ? .undone : .set
    }

    /// The end of a scan of limited length (7.7.65.17).
    private static func isTimeout(_ event: RawSpan) -> Bool {
        event.byteCount >= 3 && event.byte(0) == HCIEvent.leMeta && event.byte(2) == HCIEvent.Subevent.scanTimeout
    }

    private static func answer(_ event: RawSpan) -> (opcode: UInt16, status: UInt8)? {
        guard event.byteCount >= 6 else { return nil }
        return switch event.byte(0) {
        case HCIEvent.commandComplete: (event.le16(3), event.byte(5))
        case HCIEvent.commandStatus: (event.le16(4), event.byte(2))
        default: nil
        }
    }
}
