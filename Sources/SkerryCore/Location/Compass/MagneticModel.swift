private import Glibc

/// A spherical harmonic model of the Earth's main magnetic field, of degree and order 12.
///
/// Source: A. Chulliat et al., The US/UK World Magnetic Model, technical report (NOAA NCEI), section 1.2, "Model
/// equations"; the letters below are its own.
public struct MagneticModel: Sendable {
    /// n, m, and in nanotesla g and h at the epoch, in nanotesla a year their change.
    typealias Coefficient = (n: Int, m: Int, g: Double, h: Double, gChange: Double, hChange: Double)

    /// When the coefficients hold; with their changes they are good for five years from there.
    let epoch: Timestamp
    /// By degree, then order: (1, 0), (1, 1), (2, 0), …
    let coefficients: [Coefficient]

    /// The field at a place and time.
    ///
    /// - Parameters:
    ///   - altitude: Metres above the ellipsoid, brought into -1,000 to 850,000, where the model holds.
    ///   - time: Brought into the model's validity, which the result tells.
    public func field(at place: Coordinate, altitude: Double = 0, time: Timestamp) -> MagneticField {
        // Even over five years, one of which has 366 days: off by at most 0.6 days, in which the field changes less
        // than a nanotesla.
        field(at: place, altitude: altitude, age: Double(time - epoch) / 1e6 / 86_400 / 365.2)
    }

    /// - Parameter age: Years since the epoch; a number.
    func field(at place: Coordinate, altitude: Double, age: Double) -> MagneticField {
        let validAge = min(max(age, 0), 5)
        let height = altitude.isNaN ? 0 : min(max(altitude, -1_000), 850_000)
        let spherical = Spherical(place, height: height)
        let (north, east, down) = sum(at: spherical, age: validAge)
        // From the sphere's horizon to the ellipsoid's.
        let (sine, cosine) = (sin(spherical.tilt), cos(spherical.tilt))
        return MagneticField(
            x: north * cosine - down * sine, y: east, z: north * sine + down * cosine, isDateClamped: age != validAge)
    }

    /// X', Y' and Z', nanotesla.
    ///
    /// From order 1 on, every Legendre function holds a factor cos φ', by which Y' divides. It is left out of them from
    /// the beginning, so that nothing is divided by zero at the poles.
    private func sum(at place: Spherical, age: Double) -> (north: Double, east: Double, down: Double) {
        var (north, east, down) = (0.0, 0.0, 0.0)
        let ratio = 6_371_200 / place.radius
        var (sineOfOrder, cosineOfOrder) = (0.0, 1.0)
        var sectoral = 1.0  // of degree m
        var ratioOfSectoral = ratio * ratio
        for m in 0...12 {
            // The derivative by sine φ' is only needed for order 0.
            var (legendre, before, derivative) = (sectoral, 0.0, 0.0)
            var power = ratioOfSectoral
            for n in m...12 {
                let (degree, order) = (Double(n), Double(m))
                let root = (degree * degree - order * order).squareRoot()
                if n > m {
                    let rootBefore = ((degree - 1) * (degree - 1) - order * order).squareRoot()
                    let next = ((2 * degree - 1) * place.sine * legendre - rootBefore * before) / root
                    derivative = place.sine * derivative + degree * legendre
                    (before, legendre) = (legendre, next)
                    power *= ratio
                }
                guard n > 0 else { continue }
                let coefficient = coefficients[n * (n + 1) / 2 + m - 1]
                let g = coefficient.g + age * coefficient.gChange
                let h = coefficient.h + age * coefficient.hChange
                let inPhase = power * (g * cosineOfOrder + h * sineOfOrder)
                let outOfPhase = power * (g * sineOfOrder - h * cosineOfOrder)
                if m == 0 {
                    north -= inPhase * place.cosine * derivative
                    down -= (degree + 1) * inPhase * legendre
                } else {
                    north -= inPhase * (root * before - degree * place.sine * legendre)
                    east += order * outOfPhase * legendre
                    down -= (degree + 1) * inPhase * place.cosine * legendre
                }
            }
            if m > 0 { sectoral *= ((2 * Double(m) + 1) / (2 * Double(m) + 2)).squareRoot() * place.cosine }
            ratioOfSectoral *= ratio
            (sineOfOrder, cosineOfOrder) = (
                sineOfOrder * place.cosineOfLongitude + cosineOfOrder * place.sineOfLongitude,
                cosineOfOrder * place.cosineOfLongitude - sineOfOrder * place.sineOfLongitude
            )
        }
        return (north, east, down)
    }

    /// A place as seen from the middle of the Earth.
    private struct Spherical {
        /// Metres.
        let radius: Double
        /// Of the latitude φ'.
        let sine, cosine: Double
        /// φ' - φ, radians.
        let tilt: Double
        let sineOfLongitude, cosineOfLongitude: Double

        init(_ place: Coordinate, height: Double) {
            let latitude = place.latitude * .pi / 180
            let longitude = place.longitude * .pi / 180
            let squaredEccentricity = (2 - 1 / 298.257223563) / 298.257223563
            let curvature = 6_378_137 / (1 - squaredEccentricity * sin(latitude) * sin(latitude)).squareRoot()
            let p = (curvature + height) * cos(latitude)
            let z = (curvature * (1 - squaredEccentricity) + height) * sin(latitude)
            radius = (p * p + z * z).squareRoot()
            (sine, cosine) = (z / radius, p / radius)
            tilt = atan2(z, p) - latitude
            (sineOfLongitude, cosineOfLongitude) = (sin(longitude), cos(longitude))
        }
    }
}
