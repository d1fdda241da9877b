/// A report on the beacons of a region.
public struct Ranging: Sendable {
    /// At most this many beacons are listed; the nearest are.
    public static let limit = 4096

    /// The region's number.
    public var region: Int
    /// Nearest first.
    public var beacons: [RangedBeacon]
    /// Beacons known but not listed.
    public var omitted: Int
    /// Where the device was, if that is to be told.
    public var geotag: Geotag?
}

/// A beacon in a ranging report.
public struct RangedBeacon: Sendable {
    /// Which.
    public var identity: BeaconIdentity
    /// The zone.
    public var proximity: Proximity
    /// Estimated distance in metres; `nil` where unknown.
    public var accuracy: Double?
    /// One standard deviation of the distance, as a factor to both sides; `nil` where unknown.
    public var spread: Double?
    /// Mean since the last report, dBm; `nil` where not heard.
    public var rssi: Double?
    /// Sightings since the last report.
    public var samples: UInt32
    /// When last heard.
    public var lastSeen: Timestamp
    /// dBm at 1 m that the distance rests on, before the receiver's gain.
    public var measuredPower: Int8
    /// Whether the measured power can't be an RSSI at 1 m and the default was used.
    public var hasImplausibleMeasuredPower: Bool
}

extension RangedBeacon {
    /// The order of a report: known accuracy ascending, then RSSI descending, then unknown; ties by identity.
    public func isNearer(than other: RangedBeacon) -> Bool {
        switch (accuracy, other.accuracy) {
        case (let mine?, let its?) where mine != its: return mine < its
        case (_?, nil): return true
        case (nil, _?): return false
        default: break
        }
        switch (rssi, other.rssi) {
        case (let mine?, let its?) where mine != its: return mine > its
        case (_?, nil): return true
        case (nil, _?): return false
        default: return identity < other.identity
        }
    }

    /// The same beacon as another source hears it: the nearest decides, and the latest sighting of any source is the last.
    func nearer(_ other: RangedBeacon) -> RangedBeacon {
        var nearest = other.isNearer(than: self) ? other : self
        nearest.lastSeen = max(lastSeen, other.lastSeen)
        return nearest
    }
}
