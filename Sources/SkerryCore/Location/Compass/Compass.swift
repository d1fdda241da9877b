/// Makes headings of what a compass says: declination, accuracy, what is worth telling, and when it needs calibration.
///
/// A state machine on the times it is given, one for each device.
struct Compass: Sendable {
    /// What a reading leads to.
    struct Outcome: Equatable, Sendable {
        /// Where the device points, worth telling or not; `nil` where the reading has no heading.
        var latest: Heading?
        /// The same if it is worth telling.
        var heading: Heading?
        /// Why the compass needs calibration, told once, when such a spell begins.
        var calibration: CalibrationCause?
    }

    /// Why a compass needs calibration, or something magnetic to be taken away.
    enum CalibrationCause: Equatable, Sendable {
        /// It says itself that its headings are not to be used, or it is not aligned yet.
        case invalidHeading
        /// The whole field can't be the Earth's; microtesla, at most a million.
        case implausibleField(Double)
    }

    /// What lies between the two norths, degrees.
    private struct Declination {
        var degrees, error: Double
        var isDateClamped = false
    }

    /// What a user says about it.
    let settings: CompassSettings
    private var model: (field: MagneticField, place: Coordinate, time: Timestamp)?
    /// The last heading that was told.
    private var told: Heading?
    // By the last reading that said something about it: headings and field may come in turn.
    private var isInvalid = false
    private var isDisturbed = false

    /// A compass of which nothing is known yet.
    init(_ settings: CompassSettings = CompassSettings()) { self.settings = settings }

    /// Takes in a reading.
    ///
    /// A heading is told if it is the first, has turned by the filter since the last one told, or if something became
    /// known or unknown: a north, the accuracy.
    ///
    /// - Parameters:
    ///   - time: When it was measured.
    ///   - position: Where the device is; without one there is no true heading of a magnetic compass.
    ///   - altitude: Metres above the ellipsoid.
    ///   - declination: What gpsd says (`magvar`), degrees, east positive; only used without a position, and if it can
    ///     be one.
    mutating func observe(
        _ reading: CompassReading, at time: Timestamp, position: Coordinate?, altitude: Double? = nil,
        declination: Double? = nil
    ) -> Outcome {
        let field = field(of: reading)
        let calibration = judge(reading, field)
        let declination = self.declination(at: position, altitude, time, fallback: declination)
        let latest = heading(of: reading, field, declination.known, isBlackout: declination.isBlackout)
        let heading = latest.flatMap { isWorthTelling($0) ? $0 : nil }
        if let heading { told = heading }
        return Outcome(latest: latest, heading: heading, calibration: calibration)
    }

    /// What is known of the declination, and whether nothing can be because a magnetic pole is near.
    private mutating func declination(
        at position: Coordinate?, _ altitude: Double?, _ time: Timestamp, fallback: Double?
    ) -> (known: Declination?, isBlackout: Bool) {
        guard let position else {
            // gpsd's table is of 2015. At 60 to 70 degrees of latitude 19 of 20 places are within 3.9 degrees of WMM2025.
            return (fallback.flatMap { abs($0) <= 180 ? Declination(degrees: $0, error: 4) : nil }, false)
        }
        let earth = earthsField(at: position, altitude: altitude, time: time)
        let known = earth.declinationError.map {
            Declination(degrees: earth.declination, error: $0, isDateClamped: earth.isDateClamped)
        }
        return (known, known == nil)
    }

    /// Microtesla, without the hard iron.
    private func field(of reading: CompassReading) -> SIMD3<Double>? {
        guard let factor = settings.fieldFactor, let x = reading.magneticX, let y = reading.magneticY,
            let z = reading.magneticZ
        else { return nil }
        return (SIMD3(x, y, z) - settings.fieldOffset) * factor
    }

    /// Whether a spell of needing calibration begins.
    private mutating func judge(_ reading: CompassReading, _ field: SIMD3<Double>?) -> CalibrationCause? {
        let wasFine = !isInvalid && !isDisturbed
        if reading.trueHeading != nil || reading.magneticHeading != nil || reading.isUnusable {
            isInvalid = reading.isUnusable
        }
        let total = field.map { ($0 * $0).sum().squareRoot() }
        // At sea level WMM2025 has 22 to 67 microtesla, and magnetometers are not exact.
        if let total { isDisturbed = !(20...70).contains(total) }
        guard wasFine else { return nil }
        if isInvalid { return .invalidHeading }
        return isDisturbed ? total.map { .implausibleField($0 < 1_000_000 ? $0 : 1_000_000) } : nil
    }

    /// As computed for a place within a kilometre and a moment within a day, in which declination changes by some
    /// hundredths of a degree at most but near the magnetic poles.
    private mutating func earthsField(at place: Coordinate, altitude: Double?, time: Timestamp) -> MagneticField {
        if let model, abs(time - model.time) <= 86_400 * .second, model.place.distance(to: place) <= 1_000 {
            return model.field
        }
        let field = MagneticModel.wmm2025.field(at: place, altitude: altitude ?? 0, time: time)
        model = (field, place, time)
        return field
    }

    private func heading(
        of reading: CompassReading, _ field: SIMD3<Double>?, _ declination: Declination?, isBlackout: Bool
    ) -> Heading? {
        let (magnetic, geographic) = (mounted(reading.magneticHeading), mounted(reading.trueHeading))
        guard magnetic != nil || geographic != nil else { return nil }
        var heading = Heading(magneticHeading: magnetic, trueHeading: geographic)
        var accuracy = accuracy(of: reading)
        if let declination {
            heading.declination = declination.degrees
            heading.isDateClamped = declination.isDateClamped
            if let magnetic, geographic == nil {
                heading.trueHeading = (magnetic + declination.degrees).direction
                accuracy = accuracy.map { ($0 * $0 + declination.error * declination.error).squareRoot() }
            } else if let geographic, magnetic == nil {
                heading.magneticHeading = (geographic - declination.degrees).direction
            }
        } else if isBlackout, geographic == nil {
            accuracy = nil
        }
        heading.headingAccuracy = accuracy.map { $0 < 180 ? max($0, 0) : 180 }
        if let field, !isDisturbed { (heading.x, heading.y, heading.z) = (field.x, field.y, field.z) }
        return heading
    }

    private func mounted(_ heading: Double?) -> Double? {
        guard let heading else { return nil }
        let turned = (heading + settings.mounting).direction
        return turned.isFinite ? turned : nil
    }

    /// Degrees; `nil` where the heading is invalid.
    private func accuracy(of reading: CompassReading) -> Double? {
        guard !reading.isUnusable, !isDisturbed || reading.isDualAntenna else { return nil }
        let usual = reading.isDualAntenna ? settings.dualAntennaAccuracy : settings.accuracy
        return (reading.accuracy ?? usual) * (reading.isWarned ? 2 : 1)
    }

    private func isWorthTelling(_ heading: Heading) -> Bool {
        guard let told else { return true }
        if (heading.trueHeading == nil) != (told.trueHeading == nil)
            || (heading.magneticHeading == nil) != (told.magneticHeading == nil)
            || (heading.headingAccuracy == nil) != (told.headingAccuracy == nil)
        {
            return true
        }
        // 0.1 + 0.9 makes a degree.
        let enough = settings.headingFilter - 1e-9
        func hasTurned(_ before: Double?, _ now: Double?) -> Bool {
            guard let before, let now else { return false }
            return abs(before.turn(to: now)) >= enough
        }
        return hasTurned(told.trueHeading, heading.trueHeading)
            || hasTurned(told.magneticHeading, heading.magneticHeading)
    }
}

extension CompassReading {
    /// Its headings are not to be used: the device says so.
    fileprivate var isUnusable: Bool { isInvalid || accuracy.map { $0 < 0 } ?? false }
}
