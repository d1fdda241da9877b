/// Codes of the events that a scan is made of (Core specification, volume 4, part E, 7.7), as the first byte of an event has
/// them.
enum HCIEvent {
    /// 7.7.14.
    static let commandComplete: UInt8 = 0x0E
    /// 7.7.15.
    static let commandStatus: UInt8 = 0x0F
    /// 7.7.16.
    static let hardwareError: UInt8 = 0x10
    /// 7.7.65.
    static let leMeta: UInt8 = 0x3E

    /// Subevents of `leMeta` (7.7.65.2, 7.7.65.11, 7.7.65.13, 7.7.65.17), as its third byte has them.
    enum Subevent {
        static let advertisingReport: UInt8 = 0x02
        static let directedAdvertisingReport: UInt8 = 0x0B
        static let extendedAdvertisingReport: UInt8 = 0x0D
        static let scanTimeout: UInt8 = 0x11
    }
}
