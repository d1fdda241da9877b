/// One packet between a host and its Bluetooth controller, without its transport header.
public struct HCIPacket: ~Escapable, BitwiseCopyable {
    /// What kind of packet it is.
    public enum Kind: BitwiseCopyable, Sendable {
        /// From the host to the controller.
        case command
        /// From the controller to the host.
        case event
        /// ACL, SCO or ISO data.
        case data
        /// Anything else that a capture or the monitor channel carries.
        case other

        /// From the byte that H4 puts first.
        @inline(__always)
        init(h4 byte: UInt8) {
            self =
                switch byte {
                case 0x04: .event
                case 0x01: .command
                case 0x02, 0x03, 0x05: .data
                default: .other
                }
        }

        /// From the opcode of Linux's monitor channel (BlueZ, `monitor/bt.h` and `doc/btsnoop-protocol`).
        @inline(__always)
        init(monitorOpcode opcode: UInt16) {
            self =
                switch opcode {
                case 2: .command
                case 3: .event
                case 4...7, 18, 19: .data
                default: .other
                }
        }
    }

    /// What kind of packet it is.
    public let kind: Kind
    /// The adapter's number; 0 where the capture names none.
    let controller: UInt16
    /// From the opcode of a command, from the code of an event.
    public let bytes: RawSpan

    /// A packet of an adapter, by number.
    @_lifetime(copy bytes)
    @inline(__always)
    public init(kind: Kind, controller: UInt16 = 0, bytes: RawSpan) {
        self.kind = kind
        self.controller = controller
        self.bytes = bytes
    }

    /// The packet in an H4 frame.
    @_lifetime(copy frame)
    @inline(__always)
    public init(h4 frame: RawSpan, controller: UInt16 = 0) {
        guard frame.byteCount > 0 else {
            self.init(kind: .other, controller: controller, bytes: frame)
            return
        }
        self.init(
            kind: Kind(h4: frame.byte(0)), controller: controller, bytes: frame.extracting(droppingFirst: 1))
    }

    /// Whether it is an event that tells of advertisements.
    public var reportsAdvertising: Bool { kind == .event && AdvertisingReport.isReported(in: bytes) }

    /// Whether it is a command that switches a scan on or off.
    public var setsScan: Bool {
        kind == .command && bytes.byteCount >= 3 && HCIOpcode.setsScan(bytes.le16(0))
    }

    /// The event in a capture record of the commonest kinds; `nil` where it is another packet or another kind.
    @_lifetime(copy payload)
    @inline(__always)
    static func event(in record: CaptureRecord, payload: RawSpan) -> RawSpan? {
        switch record.link {
        case .h4 where payload.byteCount > 0 && payload.byte(0) == 0x04:
            unsafe payload.part(uncheckedFrom: 1, to: payload.byteCount)
        case .hci(.event): payload
        default: nil
        }
    }

    /// The packet in a capture record; `nil` where it is the link layer's. Of another kind where the record has none.
    @_lifetime(copy payload)
    @inline(__always)
    init?(_ record: CaptureRecord, payload: RawSpan) {
        // Most records; the kind is a constant here, and what follows knows it.
        if case .h4 = record.link, payload.byteCount > 0, payload.byte(0) == 0x04 {
            self.init(kind: .event, bytes: payload.extracting(droppingFirst: 1))
            return
        }
        switch record.link {
        case .linkLayer, .linkLayerWithRadioHeader, .nordicSniffer, .ppi: return nil
        case .hci(let kind): self.init(kind: kind, controller: record.controller, bytes: payload)
        case .h4WithDirection:
            self.init(h4: payload.extracting(droppingFirst: min(4, payload.byteCount)))
        case .linuxMonitor:
            guard payload.byteCount >= 4 else {
                self.init(kind: .other, bytes: payload)
                return
            }
            self.init(
                kind: Kind(monitorOpcode: payload.be16(2)), controller: payload.be16(0),
                bytes: payload.extracting(droppingFirst: 4))
        case .bcsp: self.init(bcsp: payload)
        case .h4: self.init(h4: payload)
        case .other: self.init(kind: .other, bytes: payload)
        }
    }

    /// The packet in a BCSP frame (BlueCore Serial Protocol, 2004, sections 3 and 4) after SLIP was undone: four bytes
    /// of header, with channel 5 for commands and events. A command and an event are told apart by their lengths, since
    /// the header does not say the direction: exactly one of the two length bytes fits.
    @_lifetime(copy frame)
    private init(bcsp frame: RawSpan) {
        guard frame.byteCount >= 4 else {
            self.init(kind: .other, bytes: frame)
            return
        }
        let count = Int(frame.byte(1) >> 4) | Int(frame.byte(2)) << 4
        let body = frame.extracting(4..<4 + min(count, frame.byteCount - 4))
        guard frame.byte(1) & 0x0F == 5 else {
            self.init(kind: .data, bytes: body)
            return
        }
        let isCommand = body.byteCount >= 3 && Int(body.byte(2)) + 3 == body.byteCount
        let isEvent = body.byteCount >= 2 && Int(body.byte(1)) + 2 == body.byteCount
        self.init(kind: isEvent || !isCommand ? .event : .command, bytes: body)
    }
}
