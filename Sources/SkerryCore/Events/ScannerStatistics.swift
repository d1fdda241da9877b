/// What live sources of advertisements counted, all together.
public struct ScannerStatistics: Equatable, Sendable {
    /// Advertising reports, or packets, that are known to have been dropped before they could be read.
    public var lost: UInt64 = 0
    /// Bytes of a stream that belong to no packet.
    public var skippedBytes: UInt64 = 0
    /// How often a scan was switched on again, because nothing was heard or somebody else had switched it off.
    public var scanRestarts: UInt64 = 0
    /// Commands that the controller refused.
    public var commandsRefused: UInt64 = 0
    /// Commands that were not answered.
    public var commandTimeouts: UInt64 = 0
    /// How often a controller was reset, by us or by itself.
    public var controllerResets: UInt64 = 0
    /// How often a source was opened anew.
    public var reopened: UInt64 = 0

    /// Nothing yet.
    public init() {}

    /// Adds what another source counted.
    public static func += (sum: inout ScannerStatistics, other: ScannerStatistics) {
        sum.lost += other.lost
        sum.skippedBytes += other.skippedBytes
        sum.scanRestarts += other.scanRestarts
        sum.commandsRefused += other.commandsRefused
        sum.commandTimeouts += other.commandTimeouts
        sum.controllerResets += other.controllerResets
        sum.reopened += other.reopened
    }
}
