/// What a profile shows of a beacon.
struct Estimate: Equatable {
    /// dBm.
    var level: Double
    /// Metres.
    var distance: Double
    /// One standard deviation of the distance, as a factor to both sides; `nil` where the profile knows none.
    var spread: Double?
    /// The zone.
    var proximity: Proximity
}

/// How near beacons are by the rules of a profile: an estimator for each track, by its slot.
struct Estimators {
    private let settings: ProximitySettings
    private let model: DistanceModel
    private let spread: Double?
    /// Of `adaptive`.
    private var filters: [Filter] = []
    /// Of the others.
    private var windows: [Window] = []

    private struct Filter: BitwiseCopyable {
        var level = LevelFilter()
        var zone = ZoneTracker()
        /// The second of the last look; looks are whole seconds apart.
        var lastLook: UInt32 = 0
    }

    private struct Window {
        var samples = SampleWindow()
        /// Of the samples, kept while nothing more is heard.
        var level: Double?
    }

    init(_ settings: ProximitySettings) {
        self.settings = settings
        model = settings.distanceModel
        spread = settings.profile == .adaptive ? model.spread : nil
    }

    /// A slot is taken by a beacon that was not known.
    mutating func begin(_ slot: Int) {
        if settings.profile == .adaptive {
            filters.set(Filter(), at: slot)
        } else {
            windows.set(Window(), at: slot)
        }
    }

    /// Forgets all.
    mutating func removeAll() {
        filters = []
        windows = []
    }

    /// Takes in a sighting.
    ///
    /// - Parameters:
    ///   - rssi: dBm, below zero; `nil` where the level is unknown.
    ///   - elapsed: Microseconds since the sighting before.
    mutating func sight(_ slot: Int, rssi: Int8?, after elapsed: Int64, at time: Timestamp) {
        guard settings.profile == .adaptive else {
            if let rssi { windows[slot].samples.add(rssi, at: time) }
            return
        }
        if elapsed > 0 { filters[slot].level.age(Float(elapsed) / 1e6) }
        if let rssi { filters[slot].level.add(rssi) }
    }

    /// How near a beacon is now; `nil` while no usable sample was heard. To be asked at whole seconds.
    ///
    /// - Parameter measuredPower: dBm at 1 m, with the receiver's gain added.
    mutating func look(_ slot: Int, measuredPower: Double, at time: Timestamp) -> Estimate? {
        switch settings.profile {
        case .adaptive: return look(&filters[slot], measuredPower, time)
        case .apple:
            windows[slot].samples.keep(10 * .second, at: time)
            windows[slot].level = windows[slot].samples.mean ?? windows[slot].level
        case .altbeacon:
            windows[slot].samples.keep(20 * .second, at: time)
            windows[slot].level = windows[slot].samples.trimmedMean ?? windows[slot].level
        }
        guard let level = windows[slot].level else { return nil }
        let distance = model.distance(measuredPower: measuredPower, level: level)
        return Estimate(
            level: level, distance: distance, spread: nil,
            proximity: distance < 0.5 ? .immediate : distance < 3 ? .near : .far)
    }

    private func look(_ filter: inout Filter, _ measuredPower: Double, _ time: Timestamp) -> Estimate? {
        guard filter.level.hasLevel else { return nil }
        let level = Double(filter.level.level)
        let second = UInt32(truncatingIfNeeded: time.microseconds / .second)
        filter.zone.look(
            Float(measuredPower - level), after: Float(second &- filter.lastLook), borders: settings.zoneBorders)
        filter.lastLook = second
        return Estimate(
            level: level, distance: model.distance(measuredPower: measuredPower, level: level), spread: spread,
            proximity: filter.zone.proximity)
    }
}

extension Array {
    /// Puts an element at an index, which may be the end.
    fileprivate mutating func set(_ element: Element, at index: Int) {
        if index == count { append(element) } else { self[index] = element }
    }
}
