import SkerryCore

/// Reads a configuration file: sections and `key = value` lines as in BlueZ's and systemd's files.
///
/// Every error names the file, the line and the reason.
struct Configuration {
    private let path: String
    private var settings = Settings()
    private var section = Section.none
    private var region = RegionKeys()
    private var fence = FenceKeys()
    /// The lines of the keys of this section, and of those of `[settings]`, which may be several.
    private var lines: [String: Int] = [:]
    private var settingsLines: [String: Int] = [:]
    /// The lines on which regions and fences begin, by name.
    private var names: [String: Int] = [:]

    private enum Section: Equatable {
        case none
        case settings
        case region(String)
        case fence(String)

        /// As written in the file.
        var title: String {
            switch self {
            case .none: "the file's head"
            case .settings: "[settings]"
            case .region(let name): "[region \(name)]"
            case .fence(let name): "[fence \(name)]"
            }
        }
    }

    private struct RegionKeys {
        var line = 0
        var uuid: ProximityUUID?
        var major: UInt16?
        var minor: UInt16?
        var exitTime: Double?
    }

    private struct FenceKeys {
        var line = 0
        var latitude: Double?
        var longitude: Double?
        var radius: Double?
        var onEntry = true
        var onExit = true
    }

    private init(path: String) { self.path = path }

    /// The settings of a file, from its bytes.
    static func read(_ bytes: [UInt8], path: String) throws(UsageError) -> Settings {
        if let text = String(validating: bytes, as: UTF8.self) { return try read(text, path: path) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw UsageError("\(path):\(line + 1): a character that is not UTF-8; save the file in this encoding")
    }

    /// The settings of a file.
    static func read(_ text: String, path: String) throws(UsageError) -> Settings {
        var configuration = Configuration(path: path)
        var number = 0
        let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text  // some editors' byte order mark
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            number += 1
            try configuration.take(number, trimmed(line))
        }
        try configuration.endSection()
        try configuration.settings.scan.check(configuration.settings.places)
        try configuration.checkFences()
        return configuration.settings
    }

    private mutating func take(_ number: Int, _ line: Substring) throws(UsageError) {
        if line.first == "[" { try endSection() }
        do throws(UsageError) {
            switch try ConfigurationLine(line) {
            case nil: break
            case .section(let title): try begin(title, number)
            case .setting(let key, let value):
                if let first = lines.updateValue(number, forKey: key) {
                    throw UsageError("key \"\(key)\" given twice in \(section.title); first on line \(first)")
                }
                try set(key, value)
                if section == .settings { settings.places[key] = "\(path):\(number)" }
            }
        } catch {
            throw self.error(number, error.message)
        }
    }

    /// A fence larger than the file allows.
    private func checkFences() throws(UsageError) {
        guard let fence = settings.fences.first(where: { !settings.circles.allows($0) }) else { return }
        throw error(names[fence.name] ?? 0, settings.tooLarge(fence))
    }

    private mutating func begin(_ title: String, _ number: Int) throws(UsageError) {
        if title == "settings" {
            section = .settings
            lines = settingsLines
            return
        }
        if title.hasPrefix("region ") {
            section = .region(try name(title.dropFirst("region ".count), number))
            region = RegionKeys()
            region.line = number
        } else if title.hasPrefix("fence ") {
            section = .fence(try name(title.dropFirst("fence ".count), number))
            fence = FenceKeys()
            fence.line = number
        } else {
            throw UsageError("unknown section [\(title)]; there are [settings], [region NAME] and [fence NAME]")
        }
    }

    /// The name of a region or a fence, which no other one has.
    private mutating func name(_ text: Substring, _ number: Int) throws(UsageError) -> String {
        let name = try Settings.regionName(String(trimmed(text)))
        if let first = names.updateValue(number, forKey: name) {
            throw UsageError("a region or fence \(name) is on line \(first) too; a name is given once")
        }
        return name
    }

    private mutating func endSection() throws(UsageError) {
        defer { lines = [:] }
        if section == .settings { settingsLines = lines }
        if case .fence(let name) = section { try endFence(name) }
        guard case .region(let name) = section else { return }
        let made = BeaconRegion(
            name: name, uuid: region.uuid, major: region.major, minor: region.minor, exitTime: region.exitTime)
        guard let made else {
            let (key, other) = region.minor != nil && region.major == nil ? ("minor", "major") : ("major", "uuid")
            let line = lines[key] ?? region.line
            throw error(line, "\(key) without a \(other) in [region \(name)], which begins on line \(region.line)")
        }
        do throws(UsageError) {
            try settings.add(made)
        } catch {
            throw self.error(region.line, error.message)
        }
    }

    private mutating func endFence(_ name: String) throws(UsageError) {
        do throws(UsageError) {
            guard let latitude = fence.latitude, let longitude = fence.longitude, let radius = fence.radius else {
                throw UsageError("[fence \(name)] needs latitude, longitude and radius")
            }
            try settings.add(
                try Settings.fence(
                    named: name, latitude, longitude, radius, onEntry: fence.onEntry, onExit: fence.onExit))
        } catch {
            throw self.error(fence.line, error.message)
        }
    }

    // Keys by section: one table drives the reading and the errors.
    private typealias Key = (name: String, set: @Sendable (inout Configuration, String) throws(UsageError) -> Void)

    private static let settingsKeys: [Key] = [
        ("profile", { (c, v) throws(UsageError) in c.settings.profile = try Settings.profile(v) }),
        ("state", { (c, v) throws(UsageError) in c.settings.statePath = try Settings.statePath(v) }),
        ("adapter", { (c, v) throws(UsageError) in c.settings.scan.adapter = try ScanOptions.adapter(v) }),
        ("backend", { (c, v) throws(UsageError) in c.settings.scan.backend = try ScanOptions.backend(v) }),
        flag("active") { $0.settings.scan.isActive = $1 },
        flag("coded") { $0.settings.scan.usesCodedPHY = $1 },
        ("gps", { (c, v) throws(UsageError) in c.settings.scan.gpsd = try ScanOptions.gpsd(v) }),
        ("events", { (c, v) throws(UsageError) in c.settings.events = try Settings.events(v) }),
        ("format", { (c, v) throws(UsageError) in c.settings.format = try Settings.format(v) }),
        ("speed", { (c, v) throws(UsageError) in c.settings.speed = try Settings.speed(v) }),
        ("measured-power", { (c, v) throws(UsageError) in c.settings.measuredPower = try Settings.measuredPower(v) }),
        number("receiver-gain", -40...40, " (dB)") { $0.settings.receiverGain = $1 },
        number("path-loss-exponent", 1...10, "") { $0.settings.pathLossExponent = $1 },
        number("zone-near", -60...60, " (dB)") { $0.settings.zoneNear = Float($1) },
        number("zone-far", -60...60, " (dB)") { $0.settings.zoneFar = Float($1) },
        duration("exit-time-min", 1...86_400) { $0.settings.shortestExitTime = $1 },
        duration("exit-time-max", 1...86_400) { $0.settings.longestExitTime = $1 },
        (
            "fence-confirmations",
            { (c, v) throws(UsageError) in c.settings.circles.confirmations = try Settings.confirmations(v) }
        ),
        duration("fence-dwell", 0...86_400) { $0.settings.circles.dwell = $1 },
        number("fence-maximum-radius", 1...20_003_931, " (m)") { $0.settings.circles.maximumRadius = $1 },
        duration("fence-staleness", 1...86_400) { $0.settings.circles.staleness = $1 },
        duration("gps-offset", LocationOptions.offsets) { $0.settings.location.gpsOffset = $1 },
        number("distance-filter", LocationOptions.distances, " (m)") { $0.settings.location.distanceFilter = $1 },
        flag("significant") { $0.settings.location.isSignificantOnly = $1 },
        number("heading-filter", LocationOptions.angles, " (degrees)") { $0.settings.location.headingFilter = $1 },
        number("heading-accuracy", LocationOptions.angles, " (degrees)") { $0.settings.location.headingAccuracy = $1 },
        ("mounting", { (c, v) throws(UsageError) in c.settings.location.mounting = try LocationOptions.mounting(v) }),
        (
            "field-factor",
            { (c, v) throws(UsageError) in c.settings.location.fieldFactor = try LocationOptions.fieldFactor(v) }
        ),
        (
            "field-offset",
            { (c, v) throws(UsageError) in c.settings.location.fieldOffset = try LocationOptions.fieldOffset(v) }
        ),
        flag("geotag") { $0.settings.location.geotags = $1 },
        (
            "destination",
            { (c, v) throws(UsageError) in c.settings.location.destination = try LocationOptions.coordinate(v) }
        ),
        number("arrival-radius", LocationOptions.radii, " (m)") { $0.settings.location.arrivalRadius = $1 },
    ]

    private static let regionKeys: [Key] = [
        ("uuid", { (c, v) throws(UsageError) in c.region.uuid = v == "*" ? nil : try Settings.uuid(v) }),
        ("major", { (c, v) throws(UsageError) in c.region.major = try Settings.number16(v, "major") }),
        ("minor", { (c, v) throws(UsageError) in c.region.minor = try Settings.number16(v, "minor") }),
        duration("exit-time", 1...86_400) { $0.region.exitTime = $1 },
    ]

    private static let fenceKeys: [Key] = [
        number("latitude", -90...90, " (degrees)") { $0.fence.latitude = $1 },
        number("longitude", -180...180, " (degrees)") { $0.fence.longitude = $1 },
        number("radius", 0...20_003_931, " (m)") { $0.fence.radius = $1 },
        flag("notify-on-entry") { $0.fence.onEntry = $1 },
        flag("notify-on-exit") { $0.fence.onExit = $1 },
    ]

    /// A key whose value is a number within bounds.
    private static func number(
        _ name: String, _ bounds: ClosedRange<Int>, _ unit: String,
        _ set: @escaping @Sendable (inout Configuration, Double) -> Void
    ) -> Key {
        (
            name,
            { (configuration, text) throws(UsageError) in
                set(&configuration, try Settings.number(text, name, bounds, unit))
            }
        )
    }

    /// A key whose value is a time, in seconds.
    private static func duration(
        _ name: String, _ bounds: ClosedRange<Int>, _ set: @escaping @Sendable (inout Configuration, Double) -> Void
    ) -> Key {
        (
            name,
            { (configuration, text) throws(UsageError) in set(&configuration, try Settings.duration(text, name, bounds))
            }
        )
    }

    /// A key whose value is yes or no.
    private static func flag(
        _ name: String, _ set: @escaping @Sendable (inout Configuration, Bool) -> Void
    ) -> Key {
        (name, { (configuration, text) throws(UsageError) in set(&configuration, try Settings.flag(text, name)) })
    }

    private mutating func set(_ key: String, _ value: String) throws(UsageError) {
        let keys: [Key] =
            switch section {
            case .none: throw UsageError("'\(key)' stands before any [section]")
            case .settings: Self.settingsKeys
            case .region: Self.regionKeys
            case .fence: Self.fenceKeys
            }
        guard let known = keys.first(where: { $0.name == key }) else {
            let hint = Spelling.nearest(to: key, among: keys.map(\.name)).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("unknown key \"\(key)\" in \(section.title)\(hint)")
        }
        try known.set(&self, value)
    }

    private func error(_ line: Int, _ message: String) -> UsageError { UsageError("\(path):\(line): \(message)") }
}
