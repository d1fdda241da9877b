/// A place on the WGS 84 ellipsoid, in degrees; its height is not told.
public struct Coordinate: Hashable, BitwiseCopyable, Sendable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public let longitude: Double

    /// - Returns: `nil` where a number is not finite or out of its bounds.
    public init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}
