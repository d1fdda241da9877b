import SkerryCore

/// What was heard of each beacon since the start, for the table. Strangers can't fill it: of too many it keeps those that
/// were heard last.
struct HeardBeacons {
    /// What was heard of one.
    struct Entry {
        let identity: FrameIdentity
        let first: Timestamp
        var last: Timestamp
        var count = 0
        /// dBm, of the last frame and of the loudest; `nil` where no level was told.
        var rssi: Int8?
        var strongest: Int8?
        /// Metres, of all ranging reports; `nil` where none told a distance.
        var nearest: Double?
    }

    /// The most that are kept.
    static let limit = 1000
    private var entries: [FrameIdentity: Entry] = [:]
    /// Whether some were heard that are not kept any more.
    private(set) var hasForgotten = false

    /// Takes in a frame.
    mutating func take(_ advertisement: Advertisement, at time: Timestamp) {
        guard let identity = advertisement.beacon.identity else { return }
        if entries.count == Self.limit, entries[identity] == nil {
            entries[entries.values.min { $0.last < $1.last }!.identity] = nil
            hasForgotten = true
        }
        // From 0 up it is no level of a beacon's.
        let rssi = advertisement.rssi.flatMap { $0 < 0 ? $0 : nil }
        entries[identity, default: Entry(identity: identity, first: time, last: time)].take(rssi, at: time)
    }

    /// Takes in distances.
    mutating func take(_ ranging: Ranging) {
        for beacon in ranging.beacons {
            guard let metres = beacon.accuracy else { continue }
            entries[.iBeacon(beacon.identity)]?.take(metres: metres)
        }
    }

    /// All, the strongest first.
    var all: [Entry] { entries.values.sorted { $0.isStronger(than: $1, \.strongest) } }

    /// Those without ranging, iBeacons being ranged, that were heard within `age` microseconds, the strongest first.
    func unranged(at now: Timestamp?, within age: Int64) -> [Entry] {
        guard let now else { return [] }
        return entries.values.filter { entry in
            if case .iBeacon = entry.identity { return false }
            return now - entry.last <= age
        }.sorted { $0.isStronger(than: $1, \.rssi) }
    }
}

extension HeardBeacons.Entry {
    fileprivate mutating func take(_ rssi: Int8?, at time: Timestamp) {
        last = max(last, time)
        count += 1
        self.rssi = rssi
        if let rssi { strongest = max(strongest ?? rssi, rssi) }
    }

    fileprivate mutating func take(metres: Double) { nearest = min(nearest ?? metres, metres) }

    /// The order of a list by level, unknown ones last, ties by identity: the same on every run.
    fileprivate func isStronger(than other: Self, _ level: KeyPath<Self, Int8?>) -> Bool {
        let (mine, its) = (self[keyPath: level] ?? .min, other[keyPath: level] ?? .min)
        if mine != its { return mine > its }
        return (identity.format, identity.name, identity.number ?? "")
            < (other.identity.format, other.identity.name, other.identity.number ?? "")
    }
}
