private import CGeographic

/// Ways on the WGS 84 ellipsoid. Heights play no part, as in Core Location's distances.
///
/// Source: C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), 43-55, as implemented in GeographicLib.
extension Coordinate {
    /// Metres along the shortest way to `other`, right to some nanometres.
    public func distance(to other: Coordinate) -> Double { way(to: other).distance }

    /// The direction in which the shortest way to `other` sets out: degrees clockwise from true north,
    /// 0 ≤ bearing < 360.
    ///
    /// At a pole it depends on the longitude that the pole is given: it counts from that meridian's direction.
    ///
    /// - Returns: `nil` where both are the same place.
    public func initialBearing(to other: Coordinate) -> Double? { way(to: other).initialBearing }

    /// Distance and initial bearing in one computation.
    public func way(to other: Coordinate) -> (distance: Double, initialBearing: Double?) {
        let way = cgeographic_inverse(latitude, longitude, other.latitude, other.longitude)
        precondition(way.is_valid, "a coordinate is always a place")
        return (way.distance, way.distance > 0 ? way.bearing.direction : nil)
    }

    /// Where one arrives who sets out with a bearing and keeps straight on.
    ///
    /// - Parameters:
    ///   - bearing: Degrees clockwise from true north.
    ///   - distance: Metres; negative goes backwards.
    /// - Returns: `nil` where a number is not finite.
    public func destination(bearing: Double, distance: Double) -> Coordinate? {
        let end = cgeographic_direct(latitude, longitude, bearing, distance)
        return end.is_valid ? Coordinate(latitude: end.latitude, longitude: end.longitude) : nil
    }
}
