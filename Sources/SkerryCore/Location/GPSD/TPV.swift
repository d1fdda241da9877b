/// gpsd's report of time, position and velocity, member by member as it was sent (gpsd_json(5), TPV).
///
/// What is absent is `nil`. Which of it may be believed is told by `FixReading`.
public struct TPV: Equatable, Sendable {
    /// Whether the receiver knows where it is.
    public enum Mode: Int, Sendable {
        /// Not told.
        case unknown
        /// It does not.
        case noFix
        /// Latitude and longitude.
        case twoDimensional
        /// Altitude too.
        case threeDimensional
    }

    /// The receiver's path.
    public internal(set) var device: String?
    /// Whether there is a fix.
    public internal(set) var mode = Mode.unknown
    /// The kind of fix; 8 is a simulated one.
    public internal(set) var status: Int?
    /// When it was measured, by the receiver's clock.
    public internal(set) var time: Timestamp?

    // Degrees; metres above the ellipsoid, above mean sea level, and what older gpsds don't tell apart; degrees from
    // true north over ground; metres a second.
    var latitude, longitude: Double?
    var altHAE, altMSL, alt: Double?
    var track, speed: Double?
    // Estimated errors: horizontal, of longitude, of latitude, vertical in metres; of speed, of track.
    var eph, epx, epy, epv: Double?
    var eps, epd: Double?

    mutating func set(_ name: String, _ value: JSONValue) -> Bool {
        switch name {
        case "device": return value.store(in: &device)
        case "status": return value.store(in: &status)
        case "time": return value.store(in: &time)
        case "lat": return value.store(in: &latitude)
        case "lon": return value.store(in: &longitude)
        case "altHAE": return value.store(in: &altHAE)
        case "altMSL": return value.store(in: &altMSL)
        case "alt": return value.store(in: &alt)
        case "track": return value.store(in: &track)
        case "speed": return value.store(in: &speed)
        case "eph": return value.store(in: &eph)
        case "epx": return value.store(in: &epx)
        case "epy": return value.store(in: &epy)
        case "epv": return value.store(in: &epv)
        case "eps": return value.store(in: &eps)
        case "epd": return value.store(in: &epd)
        case "mode":
            var number: Int?
            guard value.store(in: &number) else { return false }
            guard let number else { return true }
            guard let mode = Mode(rawValue: number) else { return false }
            self.mode = mode
            return true
        default: return true
        }
    }
}
