/// What a user says about location and heading.
public struct LocationSettings: Sendable {
    /// Metres a fix must lie from the last one told; 0 tells all.
    public var distanceFilter = 0.0
    /// Tells significant changes only: 500 m, at most every 5 minutes. The distance filter then has no say.
    public var isSignificantOnly = false
    /// The first fix is told only if it was measured no longer ago than this many microseconds, because it may come
    /// from a cache; `nil` for any.
    public var oldestFirstFix: Int64?
    /// How compasses are built in and what their headings are worth.
    public var compass = CompassSettings()
    /// Where to go.
    public var destination: Coordinate?
    /// Metres from the destination that count as there.
    public var arrivalRadius = 500.0
    /// Whether advertisements and ranging tell the place too, as changes of regions always do.
    public var geotags = false

    /// The defaults.
    public init() {}

    /// What fixes are told.
    var filter: LocationFilter {
        let significant = LocationFilter.significant
        return isSignificantOnly
            ? LocationFilter(distance: significant.distance, interval: significant.interval, oldest: oldestFirstFix)
            : LocationFilter(distance: distanceFilter, oldest: oldestFirstFix)
    }
}
