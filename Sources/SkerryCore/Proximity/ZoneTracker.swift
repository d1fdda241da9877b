/// The zone of one beacon: a cumulative sum of evidence (CUSUM; Page, Biometrika 41, 1954) against its borders, so that
/// noise at a border does not make it flap.
///
/// z is measured power minus level, dB. For the border to the next zone farther up = z - border, nearer down = border - z:
///
///     up ≥ down:  S = max(0, max(S, 0) + (up - 1)·dt)        S > 2: one zone farther, S = 0
///     else:       S = min(0, min(S, 0) - (down - 1)·dt)      S < -2: one zone nearer, S = 0
///
/// Slack 1 dB, limit 2 dB·s, dt at most 2 s.
struct ZoneTracker: BitwiseCopyable {
    private var sum: Float = 0
    /// Unknown before the first look.
    private(set) var proximity = Proximity.unknown

    /// The first look decides directly.
    ///
    /// - Parameters:
    ///   - z: Measured power minus level, dB.
    ///   - elapsed: Seconds since the look before.
    mutating func look(_ z: Float, after elapsed: Float, borders: ZoneBorders) {
        let (near, far) = (borders.near, borders.far)
        guard proximity != .unknown else {
            proximity = z < near ? .immediate : z < far ? .near : .far
            return
        }
        let interval = min(max(elapsed, 0), 2)
        let up = proximity == .far ? -.infinity : z - (proximity == .immediate ? near : far)
        let down = proximity == .immediate ? -.infinity : (proximity == .far ? far : near) - z
        if up >= down {
            sum = max(0, max(sum, 0) + (up - 1) * interval)
            if sum > 2 { move(to: proximity == .immediate ? .near : .far) }
        } else {
            sum = min(0, min(sum, 0) - (down - 1) * interval)
            if sum < -2 { move(to: proximity == .far ? .near : .immediate) }
        }
    }

    private mutating func move(to zone: Proximity) {
        proximity = zone
        sum = 0
    }
}
