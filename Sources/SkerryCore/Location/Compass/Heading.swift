/// Where the device points, as a `heading` event tells it; absent is unknown.
public struct Heading: Hashable, BitwiseCopyable, Sendable {
    /// Degrees clockwise from magnetic north, 0 ≤ heading < 360; exactly 0 is a heading like any other.
    public var magneticHeading: Double?
    /// Degrees clockwise from true north, 0 ≤ heading < 360.
    public var trueHeading: Double?
    /// Degrees that the true heading, or where there is none the magnetic one, may be off.
    ///
    /// Absent where both are invalid: the compass says so, it is disturbed, or it stands near a magnetic pole.
    public var headingAccuracy: Double?
    /// From true to magnetic north at the last position, degrees, east positive.
    public var declination: Double?
    /// The magnetic field along the device's first axis, microtesla.
    public var x: Double?
    /// The magnetic field along the device's second axis, microtesla.
    public var y: Double?
    /// The magnetic field along the device's third axis, microtesla.
    public var z: Double?
    /// The declination is that of the nearer end of the magnetic model's validity: the clock is outside of it.
    public var isDateClamped = false
}
