private import Glibc

/// The field of magnets and steel that move with a compass, found from raw readings while it is turned.
///
/// What the Earth gives then lies on a sphere around that field. Its middle is fitted by linear least squares to
/// |p|² = 2 c·p + r² - |c|² (I. Kåsa, A circle fitting procedure and its error analysis, IEEE Trans. Instrum. Meas. 25,
/// 1976; the same in three dimensions).
public struct HardIron: Equatable, Sendable {
    /// How a device was turned.
    public enum Turning: Sendable {
        /// In all directions: a sphere.
        case allRound
        /// Level, once around: a circle. What is fixed to a vehicle turns like this; the third axis is not looked at.
        case level
    }

    /// Why there is no result.
    public enum Refusal: Error, Equatable, Sendable {
        /// So many readings with all axes, of 50 that are needed.
        case tooFewReadings(Int)
        /// The share of directions seen, of three quarters that are needed.
        case tooLittleRotation(coverage: Double)
        /// Readings lie so far from the sphere, by share of its radius, of a tenth that is allowed: something magnetic
        /// moved, or soft iron bends the field.
        case tooMuchResidual(Double)
    }

    /// The middle, in the device's unit: what `CompassSettings.fieldOffset` wants.
    public let offset: SIMD3<Double>
    /// The Earth's field, or its horizontal part, in the device's unit; the Earth's microtesla by it are the factor.
    public let radius: Double
    /// Root mean square of how far readings lie from the sphere, as a share of its radius.
    public let residual: Double
    /// The share of directions seen: of 32 equal areas of the sphere, or of 16 sectors of the circle.
    public let coverage: Double
    /// How many readings it is made of.
    public let count: Int

    /// - Parameter readings: Those that lack an axis, or have numbers that no magnetometer gives, are left out.
    public init(_ readings: [CompassReading], turned turning: Turning) throws(Refusal) {
        let points = readings.compactMap { Self.point($0, turning) }
        count = points.count
        guard count >= 50 else { throw .tooFewReadings(count) }
        let mean = points.reduce(.zero, +) / Double(count)
        let centred = points.map { $0 - mean }
        guard let middle = Self.middle(of: centred, turning) else { throw .tooLittleRotation(coverage: 0) }
        offset = mean + middle
        let spokes = centred.map { $0 - middle }
        radius = (spokes.reduce(0) { $0 + $1.squaredLength } / Double(count)).squareRoot()
        coverage = Self.coverage(spokes, turning)
        guard coverage >= 0.75 else { throw .tooLittleRotation(coverage: coverage) }
        let radius = radius
        let square = spokes.reduce(0) { sum, spoke in
            let miss = spoke.squaredLength.squareRoot() / radius - 1
            return sum + miss * miss
        }
        residual = (square / Double(count)).squareRoot()
        guard residual <= 0.1 else { throw .tooMuchResidual(residual) }
    }

    private static func point(_ reading: CompassReading, _ turning: Turning) -> SIMD3<Double>? {
        guard let x = reading.magneticX, let y = reading.magneticY else { return nil }
        guard let z = turning == .level ? 0 : reading.magneticZ else { return nil }
        // Powers of what is larger would overflow.
        return max(abs(x), abs(y), abs(z)) < 1e30 && (x + y + z).isFinite ? SIMD3(x, y, z) : nil
    }

    /// Solves S c = b with S the sum of p pᵀ and b the sum of p |p|² / 2, for points whose mean is zero; by Cramer's
    /// rule, for S is small and needs a look at its determinant anyway.
    ///
    /// - Returns: `nil` where the points lie in a plane (on a line, if level), so that they have no middle.
    private static func middle(of points: [SIMD3<Double>], _ turning: Turning) -> SIMD3<Double>? {
        let size = points.reduce(0) { max($0, $1.squaredLength) }.squareRoot()
        guard size > 0 else { return nil }
        var (first, second, third, right) = (
            SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero
        )
        for point in points {
            let p = point / size
            first += p * p.x
            second += p * p.y
            third += p * p.z
            right += p * (p.squaredLength / 2)
        }
        if turning == .level { third = SIMD3(0, 0, Double(points.count)) }
        let determinant = first.dot(second.cross(third))
        let spread = Double(points.count)
        guard determinant > 1e-9 * spread * spread * spread else { return nil }
        return SIMD3(
            right.dot(second.cross(third)), first.dot(right.cross(third)), first.dot(second.cross(right))
        ) * (size / determinant)
    }

    private static func coverage(_ spokes: [SIMD3<Double>], _ turning: Turning) -> Double {
        let (bands, sectors) = turning == .level ? (1, 16) : (4, 8)
        var seen = Set<Int>()
        for spoke in spokes {
            let length = spoke.squaredLength.squareRoot()
            guard length > 0 else { continue }
            // Slices of equal height have equal areas (Archimedes).
            let height = (spoke.z / length + 1) / 2
            let angle = atan2(spoke.y, spoke.x) / (2 * .pi) + 0.5
            let band = min(Int(height * Double(bands)), bands - 1)
            seen.insert(band * sectors + min(Int(angle * Double(sectors)), sectors - 1))
        }
        return Double(seen.count) / Double(bands * sectors)
    }
}

extension SIMD3<Double> {
    fileprivate var squaredLength: Double { dot(self) }

    fileprivate func dot(_ other: Self) -> Double { (self * other).sum() }

    fileprivate func cross(_ other: Self) -> Self {
        Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}
