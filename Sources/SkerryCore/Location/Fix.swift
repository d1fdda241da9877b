/// Where a receiver was, how sure that is, and how it moved: what Core Location calls a location.
///
/// Unknown is `nil`. Every number is finite, and small enough to be written without an exponent.
public struct Fix: Hashable, Sendable {
    /// Where the horizontal accuracy comes from.
    public enum AccuracySource: String, Sendable {
        /// gpsd's estimate of the horizontal error.
        case eph
        /// Those of longitude and latitude, joined.
        case epxEpy = "epx,epy"
        /// None was given: 100 m, so that a fix without an estimate does not look invalid.
        case fallback
    }

    /// The place.
    public var coordinate: Coordinate
    /// When it was measured, by the receiver's clock.
    public var time: Timestamp?
    /// Metres around the place, above 0. gpsd claims no level of confidence for it, so none can be claimed here.
    public var horizontalAccuracy: Double
    /// Where that comes from.
    public var accuracySource: AccuracySource
    /// Metres above mean sea level.
    public var altitude: Double?
    /// Metres above the WGS 84 ellipsoid.
    public var ellipsoidalAltitude: Double?
    /// Metres above and below, above 0; `nil` where there is no altitude.
    public var verticalAccuracy: Double?
    /// Metres a second over ground, not negative.
    public var speed: Double?
    /// Metres a second.
    public var speedAccuracy: Double?
    /// Where it moves to, degrees clockwise from true north, 0 ≤ course < 360; `nil` where it stands.
    public var course: Double?
    /// Degrees, at most 180.
    public var courseAccuracy: Double?
    /// Altitude was measured too.
    public var isThreeDimensional: Bool
    /// A simulator made it up.
    public var isSimulated: Bool
}
