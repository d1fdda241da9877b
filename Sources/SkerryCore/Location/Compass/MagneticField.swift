private import Glibc

/// The Earth's magnetic field at a place and time, as a model has it.
///
/// Everything but its vector follows from it (WMM technical report, section 1.2, "magnetic elements").
public struct MagneticField: Hashable, BitwiseCopyable, Sendable {
    /// Nanotesla towards true north.
    public let x: Double
    /// Nanotesla towards east.
    public let y: Double
    /// Nanotesla downwards.
    public let z: Double
    /// The moment asked for lies outside of the model's validity; this is the field at the nearer end.
    public let isDateClamped: Bool

    /// The part that turns a compass needle, nanotesla.
    public var horizontalIntensity: Double { (x * x + y * y).squareRoot() }

    /// The whole field, nanotesla.
    public var totalIntensity: Double { (x * x + y * y + z * z).squareRoot() }

    /// From true to magnetic north, degrees, east positive, -180 to 180.
    public var declination: Double { atan2(y, x) * 180 / .pi }

    /// One standard error of the declination, degrees: what the model does not know, among it the rocks and the Sun.
    ///
    /// √(0.26² + (5417 / H)²) with the horizontal intensity H in nanotesla (WMM2025 technical report, error model).
    /// `nil` in the blackout zones around the magnetic poles, where H < 2,000 nT and no compass should be used.
    public var declinationError: Double? {
        let intensity = horizontalIntensity
        guard intensity >= 2_000 else { return nil }
        let byIntensity = 5_417 / intensity
        return (0.26 * 0.26 + byIntensity * byIntensity).squareRoot()
    }
}
