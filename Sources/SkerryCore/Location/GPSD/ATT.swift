/// gpsd's report of how a vehicle lies, member by member as it was sent (gpsd_json(5), ATT).
public struct ATT: Equatable, Sendable {
    /// The sensor's path.
    public private(set) var device: String?
    /// When it was measured; most sensors don't tell.
    public private(set) var time: Timestamp?

    // Degrees from true and from magnetic north; degrees; the field in the sensor's own unit.
    private var heading, mheading: Double?
    private var pitch, roll: Double?
    private var magneticX, magneticY, magneticZ: Double?
    /// The magnetometer's state, a letter.
    private var magneticStatus: String?
    /// The state of the line between two antennas, where the heading is its direction.
    private var baselineStatus: Int?
    /// The length of that line in metres.
    private var baselineLength: Double?

    mutating func set(_ name: String, _ value: JSONValue) -> Bool {
        switch name {
        case "device": value.store(in: &device)
        case "time": value.store(in: &time)
        case "heading": value.store(in: &heading)
        case "mheading": value.store(in: &mheading)
        case "pitch": value.store(in: &pitch)
        case "roll": value.store(in: &roll)
        case "mag_x": value.store(in: &magneticX)
        case "mag_y": value.store(in: &magneticY)
        case "mag_z": value.store(in: &magneticZ)
        case "mag_st": value.store(in: &magneticStatus)
        case "baseS": value.store(in: &baselineStatus)
        case "baseL": value.store(in: &baselineLength)
        default: true
        }
    }

    /// Why its headings can't be used; `nil` where they can.
    var rejection: HeadingRejection? {
        guard let angle = heading ?? mheading else { return .noHeading }
        if ["C", "L", "P", "V"].contains(magneticStatus) { return .magnetometerAlarm }
        if angle == 0, pitch == 0, roll == 0, !hasMagnetometer { return .uninitialised }
        return Self.direction(heading) == nil && Self.direction(mheading) == nil ? .outOfRange : nil
    }

    /// Whether a magnetometer has measured: that needs no alignment, and may well lie level and point north.
    private var hasMagnetometer: Bool {
        magneticStatus != nil || [magneticX, magneticY, magneticZ].contains { ($0 ?? 0) != 0 }
    }

    /// What it says of the compass. A heading out of range, or of a sensor that is not aligned yet, is left out.
    public var compass: CompassReading {
        let isAligned = rejection != .uninitialised
        return CompassReading(
            trueHeading: isAligned ? Self.direction(heading) : nil,
            magneticHeading: isAligned ? Self.direction(mheading) : nil,
            isWarned: magneticStatus == "M" || magneticStatus == "O",
            isInvalid: rejection != nil && rejection != .noHeading, magneticX: magneticX, magneticY: magneticY,
            magneticZ: magneticZ, pitch: pitch, roll: roll,
            isDualAntenna: baselineStatus != nil || baselineLength != nil)
    }

    private static func direction(_ angle: Double?) -> Double? {
        angle.flatMap { 0...360 ~= $0 ? $0.direction : nil }
    }
}
