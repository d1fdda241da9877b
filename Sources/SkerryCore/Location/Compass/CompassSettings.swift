/// What a user says about a compass.
public struct CompassSettings: Sendable {
    /// Degrees a heading must have turned, the short way, since the last one that was delivered; 0 delivers all.
    ///
    /// Core Location's default is 1.
    public var headingFilter = 1.0
    /// Degrees to add to what the device says, for the way it is built in.
    public var mounting = HeadingOrientation.portrait.degrees
    /// Degrees that the headings of a compass may be off, where it does not tell.
    public var accuracy = 10.0
    /// Degrees that the headings from two antennas may be off, where the receiver does not tell.
    public var dualAntennaAccuracy = 1.0
    /// Microtesla a unit of the device's magnetometer; `nil` where nobody knows, and then no field is told or judged.
    public var fieldFactor: Double?
    /// What the magnetometer shows where there is no field, in its own unit: the hard iron around it.
    public var fieldOffset = SIMD3<Double>.zero

    /// The defaults.
    public init() {}
}
