/// What a controller says of itself.
public struct ControllerAbilities: Equatable, Sendable {
    /// HCI_Version (Bluetooth SIG, Assigned Numbers, 2.1); `nil` where it was not told.
    public var version: UInt8?
    /// Whether it can scan for extended advertisements; `nil` where it was not told.
    public var hasExtendedScanning: Bool?

    /// Read Local Version Information, Read Local Supported Commands (Core specification, volume 4, part E, 7.4.1, 7.4.2);
    /// no privilege is needed for them.
    public static let commands = [HCICommand.readLocalVersion.bytes, HCICommand.readLocalCommands.bytes]

    /// Whether all was told.
    public var isComplete: Bool { version != nil && hasExtendedScanning != nil }

    /// Nothing was told, or what is given here.
    public init(version: UInt8? = nil, hasExtendedScanning: Bool? = nil) {
        self.version = version
        self.hasExtendedScanning = hasExtendedScanning
    }

    /// Takes in an event, from its code on.
    public mutating func receive(_ event: [UInt8]) {
        // Code, length, packets, opcode, status.
        guard event.count > 6, event[0] == HCIEvent.commandComplete, event[5] == 0 else { return }
        let parameters = Array(event[6...])
        switch event.rawSpan.le16(3) {
        case HCIOpcode.readLocalVersion: version = parameters[0]
        // LE Set Extended Scan Parameters and Enable: octet 37, bits 5 and 6.
        case HCIOpcode.readLocalCommands where parameters.count >= 64:
            hasExtendedScanning = parameters[37] & 0x60 == 0x60
        default: break
        }
    }

    /// The version's name, as `5.2`.
    public var versionName: String? {
        guard let version else { return nil }
        let names = [
            "1.0b", "1.1", "1.2", "2.0", "2.1", "3.0", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "5.3", "5.4", "6.0",
        ]
        return Int(version) < names.count ? names[Int(version)] : "HCI version \(version)"
    }
}
