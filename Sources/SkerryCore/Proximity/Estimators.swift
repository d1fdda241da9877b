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
        /// The second of the last look, its low bits; looks are whole seconds apart.
        var lastLook: UInt16 = 0
    }

    /// What is kept of a beacon by the adaptive rules, in bytes.
    static let bytes = MemoryLayout<Filter>.stride

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
    /// - Parameter measuredPower: dBm at 1 m, -128 to -20.
    mutating func look(_ slot: Int, measuredPower: Double, at time: Timestamp) -> Estimate? {
        switch settings.profile {
        case .adaptive: return lookAtFilter(slot, measuredPower, time)
        case .apple:
            windows[slot].samples.keep(10 * .second, at: time)
            windows[slot].level = windows[slot].samples.mean ?? windows[slot].level
        case .altbeacon:
            windows[slot].samples.keep(20 * .second, at: time)
            windows[slot].level = windows[slot].samples.trimmedMean ?? windows[slot].level
        }
        guard let heard = windows[slot].level else { return nil }
        let level = heard - settings.receiverGain
        let distance = model.distance(measuredPower: measuredPower, level: level)
        return Estimate(
            level: level, distance: distance, spread: nil,
            proximity: distance < 0.5 ? .immediate : distance < 3 ? .near : .far)
    }

    private mutating func lookAtFilter(_ slot: Int, _ measuredPower: Double, _ time: Timestamp) -> Estimate? {
        guard filters[slot].level.hasLevel else { return nil }
        let level = Double(filters[slot].level.level) - settings.receiverGain
        let second = UInt16(truncatingIfNeeded: time.microseconds / .second)
        let elapsed = Float(second &- filters[slot].lastLook)
        filters[slot].zone.look(Float(measuredPower - level), after: elapsed, borders: settings.zoneBorders)
        filters[slot].lastLook = second
        return Estimate(
            level: level, distance: model.distance(measuredPower: measuredPower, level: level), spread: spread,
            proximity: filters[slot].zone.proximity)
    }
}

extension Array {
    /// Puts an element at an index, which may be the end.
    fileprivate mutating func set(_ element: Element, at index: Int) {
        if index == count { appendToLarge(element) } else { self[index] = element }
    }
}
