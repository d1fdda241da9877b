/// Why the headings of an ATT report can't be used.
public enum HeadingRejection: String, Sendable {
    /// It has none.
    case noHeading = "no-heading"
    /// None lies within 0 to 360 degrees; gpsd passes on raw angles of some sensors.
    case outOfRange = "out-of-range"
    /// Heading, pitch and roll are all exactly 0, and there is no magnetometer: the sensor, as in a u-blox NEO-F9V, has not
    /// found its alignment yet.
    case uninitialised
    /// The magnetometer gives an alarm: calibration, low, high or voltage (`mag_st` C, L, P, V).
    case magnetometerAlarm = "magnetometer-alarm"

    /// Whether nothing is left of the headings. What gives an alarm is told, without an accuracy.
    var leavesNone: Bool { self == .outOfRange || self == .uninitialised }
}
