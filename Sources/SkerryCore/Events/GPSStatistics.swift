/// What a run counted of logs of receivers, or of a gpsd.
public struct GPSStatistics: Sendable {
    /// Fixes, told or not.
    public var fixes = 0
    /// Readings of compasses, told or not.
    public var headings = 0
    /// Lines of gpsd's JSON that could be read.
    public var lines = 0
    /// Lines and members that could not be read, and what else is wrong with the logs.
    public var errors = 0
    /// Readings of compasses that came in a log before any time; they have no place among the events.
    public var headingsWithoutTime = 0
    /// Readings of compasses whose headings can't be: out of range, or of a sensor that is not aligned yet.
    public var headingsRejected = 0
    /// Places that can't be.
    public var rejected = 0
    /// Fixes that were not newer than the one before.
    public var overtaken = 0
    /// Jumps of a receiver's clock that were followed.
    public var clockCorrections = 0

    /// Nothing yet.
    public init() {}

    /// Adds what one log or connection came to.
    mutating func add(_ lines: GPSDStream.Counts, _ counts: LocationSource.Counts) {
        self.lines += lines.reports
        errors += lines.unreadableLines + lines.unreadableMembers + lines.longLines
        fixes += counts.fixes
        headings += counts.compass
        headingsRejected += counts.compassRejected
        rejected += counts.rejected
        overtaken += counts.overtaken
        clockCorrections += counts.clockCorrections
    }
}
