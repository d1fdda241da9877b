/// A command from a host to its controller (Core specification, volume 4, part E, 5.4.1).
struct HCICommand: Equatable {
    /// What the specification calls it.
    let name: String
    let opcode: UInt16
    let parameters: [UInt8]

    /// The packet, without its transport header.
    var bytes: [UInt8] { Self.le(opcode) + [UInt8(parameters.count)] + parameters }

    /// The event that says that it was carried out (7.7.14).
    var completion: [UInt8] { [HCIEvent.commandComplete, 4, 1] + Self.le(opcode) + [0] }

    /// 7.4.1.
    static let readLocalVersion = HCICommand(
        name: "Read Local Version Information", opcode: HCIOpcode.readLocalVersion, parameters: [])

    /// 7.4.2.
    static let readLocalCommands = HCICommand(
        name: "Read Local Supported Commands", opcode: HCIOpcode.readLocalCommands, parameters: [])

    /// 7.3.2. A scan ends, and everything is as after power-on.
    static let reset = HCICommand(name: "Reset", opcode: HCIOpcode.reset, parameters: [])

    /// 7.3.1. The default with bit 61, LE Meta: without it there are no reports.
    static let setEventMask = HCICommand(
        name: "Set Event Mask", opcode: HCIOpcode.setEventMask,
        parameters: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20])

    /// 7.8.1. Bit 1, Advertising Report; with extended scanning also 10, Directed Advertising Report, and 12, Extended
    /// Advertising Report, which older controllers don't know.
    static func setLEEventMask(isExtended: Bool) -> HCICommand {
        HCICommand(
            name: "LE Set Event Mask", opcode: HCIOpcode.setLEEventMask,
            parameters: [0x02, isExtended ? 0x14 : 0x00, 0, 0, 0, 0, 0, 0])
    }

    /// 7.8.3.
    static let readLocalFeatures = HCICommand(
        name: "LE Read Local Supported Features", opcode: HCIOpcode.readLocalLEFeatures, parameters: [])

    /// 7.8.10. Public own address; every advertiser, or those of the accept list.
    static func setScanParameters(isActive: Bool, hearsListedOnly: Bool = false) -> HCICommand {
        HCICommand(
            name: "LE Set Scan Parameters", opcode: HCIOpcode.setScanParameters,
            parameters: [isActive ? 1 : 0] + le(scanWindow) + le(scanWindow) + [0, hearsListedOnly ? 1 : 0])
    }

    /// 7.8.11. Our own scans never filter duplicates: their levels are what is wanted.
    static func setScanEnable(_ isOn: Bool, filtersDuplicates: Bool = false) -> HCICommand {
        HCICommand(
            name: "LE Set Scan Enable", opcode: HCIOpcode.setScanEnable,
            parameters: [isOn ? 1 : 0, filtersDuplicates ? 1 : 0])
    }

    /// 7.8.64. Public own address; every advertiser. Two PHYs share the time.
    static func setExtendedScanParameters(isActive: Bool, phys: HCIScanner.PHYs) -> HCICommand {
        let interval = phys == [.oneM, .coded] ? 2 * scanWindow : scanWindow
        let phy = [isActive ? 1 : 0] + le(interval) + le(scanWindow)
        let count = phys == [.oneM, .coded] ? 2 : 1
        return HCICommand(
            name: "LE Set Extended Scan Parameters", opcode: HCIOpcode.setExtendedScanParameters,
            parameters: [0, 0, phys.rawValue] + [[UInt8]](repeating: phy, count: count).flatMap(\.self))
    }

    /// 7.8.65. Duplicates are not filtered; no end.
    static func setExtendedScanEnable(_ isOn: Bool) -> HCICommand {
        HCICommand(
            name: "LE Set Extended Scan Enable", opcode: HCIOpcode.setExtendedScanEnable,
            parameters: [isOn ? 1 : 0, 0, 0, 0, 0, 0])
    }

    /// 60 ms on one channel, in units of 0.625 ms; a window as long as the interval leaves no gap (volume 6, part B,
    /// 4.4.3).
    private static let scanWindow: UInt16 = 0x0060

    private static func le(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }
}
