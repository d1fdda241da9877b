/// Opcodes of the commands that a scan is made of, and of those that ask a controller what it can do (Core specification,
/// volume 4, part E, 7.3, 7.4 and 7.8), as the first two bytes of a command have them.
enum HCIOpcode {
    static let readLocalVersion: UInt16 = 0x1001
    static let readLocalCommands: UInt16 = 0x1002
    static let setEventMask: UInt16 = 0x0C01
    static let reset: UInt16 = 0x0C03
    static let setLEEventMask: UInt16 = 0x2001
    static let readLocalLEFeatures: UInt16 = 0x2003
    static let setScanParameters: UInt16 = 0x200B
    static let setScanEnable: UInt16 = 0x200C
    static let setExtendedScanParameters: UInt16 = 0x2041
    static let setExtendedScanEnable: UInt16 = 0x2042

    /// Whether a command switches a scan on or off.
    static func setsScan(_ opcode: UInt16) -> Bool { opcode == reset || enablesScan(opcode) }

    /// Whether it is one of the two that scans are switched with.
    static func enablesScan(_ opcode: UInt16) -> Bool { opcode == setScanEnable || opcode == setExtendedScanEnable }

    /// Whether it is any that a scan depends on: it switches one or says how to scan.
    static func isAboutScan(_ opcode: UInt16) -> Bool {
        setsScan(opcode) || opcode == setScanParameters || opcode == setExtendedScanParameters
    }

    /// Whether the scan that a command sets the parameters of will hear only devices of the controller's accept list:
    /// Scanning_Filter_Policy 1 or 3 (7.8.10, 7.8.64). Beacons are on no such list. `nil` for other commands.
    ///
    /// - Parameter command: From its opcode on, at least that.
    static func hearsListedOnly(_ command: RawSpan) -> Bool? {
        let place: Int
        switch command.le16(0) {
        case setScanParameters: place = 9
        case setExtendedScanParameters: place = 4
        default: return nil
        }
        return command.byteCount > place ? command.byte(place) & 1 != 0 : nil
    }
}
