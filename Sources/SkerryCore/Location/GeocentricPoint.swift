private import Glibc

/// A place as the straight line through the earth sees it: metres from the earth's centre, towards 0° N 0° E, towards
/// 0° N 90° E and towards the north pole.
///
/// Poles and the antimeridian are places like others. The straight way between two places is never longer than that on
/// the ground, so that what is too far away here is too far away there.
///
/// Source: NGA.STND.0036 (WGS 84), 2014, equation 4-14.
struct GeocentricPoint {
    var x, y, z: Double

    init(_ coordinate: Coordinate) {
        let squaredEccentricity = 6.694_379_990_141_33e-3
        let (latitude, longitude) = (coordinate.latitude * .pi / 180, coordinate.longitude * .pi / 180)
        let sine = sin(latitude)
        let curvature = 6_378_137 / (1 - squaredEccentricity * sine * sine).squareRoot()
        let fromAxis = curvature * cos(latitude)
        x = fromAxis * cos(longitude)
        y = fromAxis * sin(longitude)
        z = curvature * (1 - squaredEccentricity) * sine
    }

    /// Metres, straight.
    func distance(to other: GeocentricPoint) -> Double {
        let (dx, dy, dz) = (other.x - x, other.y - y, other.z - z)
        return (dx * dx + dy * dy + dz * dz).squareRoot()
    }

    /// Metres to the nearest point of the straight line from `start` to `end`.
    func distance(toLineFrom start: GeocentricPoint, to end: GeocentricPoint) -> Double {
        let (ax, ay, az) = (end.x - start.x, end.y - start.y, end.z - start.z)
        let (bx, by, bz) = (x - start.x, y - start.y, z - start.z)
        let squaredLength = ax * ax + ay * ay + az * az
        let along = squaredLength > 0 ? min(max((ax * bx + ay * by + az * bz) / squaredLength, 0), 1) : 0
        let (dx, dy, dz) = (bx - along * ax, by - along * ay, bz - along * az)
        return (dx * dx + dy * dy + dz * dz).squareRoot()
    }
}
