/// What a recording of a live run counted.
public struct RecordingStatistics: Equatable, Sendable {
    /// Records that were made, with those that say whether an adapter scans.
    public var records: UInt64 = 0
    /// Records that were dropped, because the disk was full or too slow.
    public var dropped: UInt64 = 0
}
