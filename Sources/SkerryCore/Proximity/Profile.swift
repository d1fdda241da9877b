/// How levels become distances and zones, and silence an exit: the rules of `--profile`.
public enum Profile: String, CaseIterable, Sendable {
    /// As Core Location is known to behave: mean of ten seconds, path loss of free space, exit after 30 s of silence.
    case apple

    /// Microseconds over which levels are averaged.
    var window: Int64 { 10 * .second }

    /// Microseconds of listened silence after which a beacon has gone.
    var exitTime: Int64 { 30 * .second }

    /// Metres for a mean level and a measured power, both in dBm.
    func distance(measuredPower: Double, level: Double) -> Double {
        DistanceModel(exponent: 2).distance(measuredPower: measuredPower, level: level)
    }

    /// The zone of a distance in metres.
    func proximity(distance: Double) -> Proximity {
        distance <= 0.5 ? .immediate : distance <= 3 ? .near : .far
    }
}
