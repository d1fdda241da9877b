/// A packet of Linux's monitor channel (BlueZ, `doc/hci-protocol.rst`, "HCI_CHANNEL_MONITOR"): what passes between the
/// adapters and their hosts, and what happens to the adapters.
public struct MonitorPacket: ~Escapable {
    /// What it is.
    public enum Content: Equatable, Sendable {
        /// A packet between an adapter and its host.
        case packet
        /// An adapter came, or was there before the channel was opened.
        case added(name: String, address: DeviceAddress)
        /// An adapter is gone.
        case removed
        /// An adapter was switched on, or taken by a user channel.
        case opened
        /// An adapter was switched off.
        case closed
        /// Nothing that matters here.
        case other
    }

    /// The adapter's number.
    public let adapter: UInt16
    /// What it is.
    public let content: Content
    /// The packet between the adapter and its host; of another kind where it is none.
    public let packet: HCIPacket

    /// From its header of six bytes: opcode, adapter and length, least significant byte first. `nil` where it is shorter.
    @_lifetime(copy bytes)
    public init?(_ bytes: RawSpan) {
        guard bytes.byteCount >= 6 else { return nil }
        let opcode = bytes.le16(0)
        let body = bytes.part(6, min(6 + Int(bytes.le16(4)), bytes.byteCount))
        adapter = bytes.le16(2)
        packet = HCIPacket(kind: HCIPacket.Kind(monitorOpcode: opcode), bytes: body)
        switch opcode {
        // Type, bus, address, and a name of eight bytes, filled up with zeros.
        case 0 where body.byteCount >= 16:
            let name = [UInt8](body.part(8, 16)).prefix { $0 != 0 }
            content = .added(name: String(decoding: name, as: UTF8.self), address: body.address(2))
        case 1: content = .removed
        case 8: content = .opened
        case 9: content = .closed
        default: content = packet.kind == .other ? .other : .packet
        }
    }
}
