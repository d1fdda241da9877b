/// How levels become distances and zones, and silence an exit: the rules of `--profile`.
public enum Profile: String, CaseIterable, Sendable {
    /// Two-scale level, CUSUM zones, learned exit times; docs/figures.md.
    case adaptive
    /// As Core Location is known to behave: mean of ten seconds, path loss of free space, exit after 30 s of silence.
    case apple
    /// As the AltBeacon library does by default: trimmed mean of 20 s, its curve, exit after 10 s.
    case altbeacon

    /// Microseconds of listened silence after which a beacon has gone of which nothing was learned.
    var exitTime: Int64 { self == .altbeacon ? 10 * .second : 30 * .second }

    /// Microseconds of silence for which an estimate is kept.
    static let patience = 10 * Int64.second
}
