/// What a compass says, before anything is made of it: one ATT or IMU report of gpsd.
///
/// Absent is unknown. Headings are degrees clockwise from north as the device gives them, 0 ≤ heading < 360.
public struct CompassReading: Hashable, BitwiseCopyable, Sendable {
    /// From true north.
    public var trueHeading: Double?
    /// From magnetic north.
    public var magneticHeading: Double?
    /// Degrees that the heading may be off, where the device tells it; gpsd has no member for it.
    public var accuracy: Double?
    /// The device warns that its field is low or high (gpsd's `mag_st` M or O): the accuracy is doubled.
    public var isWarned: Bool
    /// The device says that its headings are not to be used (`mag_st` C, L, P or V: calibration, low, high or voltage
    /// alarm), or what it says is none (`HeadingRejection`).
    public var isInvalid: Bool
    /// The magnetometer along the device's first axis, in the device's own unit.
    public var magneticX: Double?
    /// The magnetometer along the device's second axis, in the device's own unit.
    public var magneticY: Double?
    /// The magnetometer along the device's third axis, in the device's own unit.
    public var magneticZ: Double?
    /// Degrees, nose up positive.
    public var pitch: Double?
    /// Degrees, right side down positive.
    public var roll: Double?
    /// The heading is that of the line between two antennas, which no magnet disturbs.
    public var isDualAntenna: Bool

    /// A reading from what is known.
    public init(
        trueHeading: Double? = nil, magneticHeading: Double? = nil, accuracy: Double? = nil, isWarned: Bool = false,
        isInvalid: Bool = false, magneticX: Double? = nil, magneticY: Double? = nil, magneticZ: Double? = nil,
        pitch: Double? = nil, roll: Double? = nil, isDualAntenna: Bool = false
    ) {
        self.trueHeading = trueHeading
        self.magneticHeading = magneticHeading
        self.accuracy = accuracy
        self.isWarned = isWarned
        self.isInvalid = isInvalid
        self.magneticX = magneticX
        self.magneticY = magneticY
        self.magneticZ = magneticZ
        self.pitch = pitch
        self.roll = roll
        self.isDualAntenna = isDualAntenna
    }
}
