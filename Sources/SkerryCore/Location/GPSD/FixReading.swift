/// What a TPV report says about the place.
enum FixReading: Hashable, Sendable {
    /// The place is known.
    case fix(Fix)
    /// The receiver does not know it.
    case noFix
    /// The receiver says it knows, but what it says can't be.
    case rejected(Rejection)

    /// Why a place can't be.
    enum Rejection: String, Sendable {
        /// Exactly 0 degrees north, 0 degrees east: what receivers give that have not begun to measure.
        case nullIsland = "null-island"
        /// Latitude or longitude lies beyond its bounds.
        case outOfRange = "out-of-range"
    }

    /// Below this speed in m/s, the course is that of noise: three of four values that gpsd gives are of receivers that
    /// stand still.
    static let slowestCourse = 0.5
    /// Metres, for a fix without an estimate of its error.
    static let assumedAccuracy = 100.0
    /// Vertical errors are larger than horizontal ones by about this factor.
    static let verticalRatio = 1.5

    // Beyond these a number is no measurement of anything that moves about the earth: half the way round it, beyond the
    // orbits of navigation satellites, and faster than what leaves the solar system.
    private static let horizontalBound = 20_040_000.0
    private static let verticalBound = 1e8
    private static let speedBound = 1e5

    /// Reads a report.
    ///
    /// gpsd's `magtrack` is left alone, which has the wrong sign in every version; so is `alt` where a newer gpsd says
    /// which of the two altitudes it is.
    init(_ tpv: TPV) {
        guard tpv.mode == .twoDimensional || tpv.mode == .threeDimensional, let latitude = tpv.latitude,
            let longitude = tpv.longitude
        else {
            self = .noFix
            return
        }
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            self = .rejected(.outOfRange)
            return
        }
        guard latitude != 0 || longitude != 0 else {
            self = .rejected(.nullIsland)
            return
        }
        let (accuracy, source) = Self.horizontalAccuracy(tpv)
        var fix = Fix(
            coordinate: coordinate, time: tpv.time, horizontalAccuracy: accuracy, accuracySource: source,
            isThreeDimensional: tpv.mode == .threeDimensional, isSimulated: tpv.status == 8)
        if fix.isThreeDimensional { Self.addAltitude(tpv, to: &fix) }
        Self.addMotion(tpv, to: &fix)
        self = .fix(fix)
    }

    private static func horizontalAccuracy(_ tpv: TPV) -> (Double, Fix.AccuracySource) {
        if let eph = error(tpv.eph, horizontalBound) { return (eph, .eph) }
        if let epx = tpv.epx, let epy = tpv.epy,
            let joined = error((epx * epx + epy * epy).squareRoot(), horizontalBound)
        {
            return (joined, .epxEpy)
        }
        return (assumedAccuracy, .fallback)
    }

    private static func addAltitude(_ tpv: TPV, to fix: inout Fix) {
        let isNewer = tpv.altMSL != nil || tpv.altHAE != nil
        fix.altitude = height(isNewer ? tpv.altMSL : tpv.alt)
        fix.ellipsoidalAltitude = height(tpv.altHAE)
        guard fix.altitude != nil || fix.ellipsoidalAltitude != nil else { return }
        fix.verticalAccuracy = error(tpv.epv, verticalBound) ?? verticalRatio * fix.horizontalAccuracy
    }

    private static func addMotion(_ tpv: TPV, to fix: inout Fix) {
        fix.speed = tpv.speed.flatMap { 0...speedBound ~= $0 ? $0 : nil }
        fix.speedAccuracy = error(tpv.eps, speedBound)
        guard let track = tpv.track, 0...360 ~= track, let speed = fix.speed, speed >= slowestCourse else { return }
        fix.course = track.direction
        fix.courseAccuracy = error(tpv.epd, 180)
    }

    /// An estimated error; 0 stands for an unknown one.
    private static func error(_ value: Double?, _ bound: Double) -> Double? {
        value.flatMap { $0 > 0 && $0 <= bound ? $0 : nil }
    }

    private static func height(_ value: Double?) -> Double? {
        value.flatMap { abs($0) <= verticalBound ? $0 : nil }
    }
}
