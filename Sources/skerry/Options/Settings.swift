import SkerryCore
import SkerryIO

/// What the user wants, from the configuration file and the command line.
struct Settings {
    enum Format: String, CaseIterable {
        case json, table, geojson
    }

    private(set) var regions: [BeaconRegion] = []
    /// Places of the regions, by name.
    private var placeOfRegion: [String: Int] = [:]
    private(set) var fences: [CircularRegion] = []
    private var fenceNames: Set<String> = []
    /// Only a file sets them.
    var circles = CircleSettings()
    private var exitTimes: Set<Double> = []
    /// Where the keys of `[settings]` stand that hold: `skerry.conf:3`, by name.
    var places: [String: String] = [:]
    var configurationPath: String?
    var statePath: String?
    var events: EventKinds?
    var format: Format?
    var profile: Profile?
    var measuredPower: Int8?
    var receiverGain: Double?
    var pathLossExponent: Double?
    var zoneNear: Float?
    var zoneFar: Float?
    var shortestExitTime: Double?
    var longestExitTime: Double?
    var speed: ReplayLoop.Speed?
    var follows = false
    /// Where the events go; `nil` for standard output.
    var outputPath: String?
    /// Events after which a run ends.
    var count: Int?
    /// Microseconds after which a run ends.
    var duration: Int64?
    var location = LocationOptions()
    /// How to scan. One file serves scans and replays, so a replay leaves alone what it says of this.
    var scan = ScanOptions()

    /// Adds a region; its name must be new.
    mutating func add(_ region: BeaconRegion) throws(UsageError) {
        if let exitTime = region.exitTime {
            exitTimes.insert(exitTime)
            guard exitTimes.count <= BeaconRegion.exitTimeLimit else {
                throw UsageError("regions can have at most \(BeaconRegion.exitTimeLimit) different exit times")
            }
        }
        guard placeOfRegion.updateValue(regions.count, forKey: region.name) == nil else {
            throw UsageError("region \(region.name) is given twice")
        }
        if fenceNames.contains(region.name) { throw Self.twice(region.name) }
        regions.append(region)
    }

    /// Adds a fence; its name must be new.
    mutating func add(_ fence: CircularRegion) throws(UsageError) {
        guard fenceNames.insert(fence.name).inserted else { throw UsageError("fence \(fence.name) is given twice") }
        if placeOfRegion[fence.name] != nil { throw Self.twice(fence.name) }
        fences.append(fence)
    }

    private static func twice(_ name: String) -> UsageError {
        UsageError("\(name) is the name of a region and of a fence")
    }

    /// Fills what the command line left open from a configuration file. A region of the command line takes the place of
    /// one of the same name.
    mutating func complete(from file: Settings) throws(UsageError) {
        let mine = fenceNames
        fences = file.fences.filter { !mine.contains($0.name) } + fences
        fenceNames.formUnion(file.fenceNames)
        circles = file.circles
        let new = regions.filter { file.placeOfRegion[$0.name] == nil }
        regions = file.regions.map { theirs in placeOfRegion[theirs.name].map { regions[$0] } ?? theirs } + new
        placeOfRegion = Dictionary(uniqueKeysWithValues: regions.enumerated().map { ($1.name, $0) })
        if let name = fenceNames.sorted().first(where: { placeOfRegion[$0] != nil }) { throw Self.twice(name) }
        let mineToo = [
            ("profile", profile != nil), ("backend", scan.backend != nil), ("adapter", scan.adapter != nil),
            ("active", scan.isActive), ("coded", scan.usesCodedPHY), ("state", statePath != nil),
        ]
        places = file.places.filter { place in !mineToo.contains { $0.0 == place.key && $0.1 } }
        statePath = statePath ?? file.statePath
        // Events that were asked for are to be seen, whatever the file shows otherwise.
        format = format ?? (events == nil && count == nil ? file.format : .json)
        events = events ?? file.events
        profile = profile ?? file.profile
        measuredPower = measuredPower ?? file.measuredPower
        receiverGain = receiverGain ?? file.receiverGain
        pathLossExponent = pathLossExponent ?? file.pathLossExponent
        zoneNear = zoneNear ?? file.zoneNear
        zoneFar = zoneFar ?? file.zoneFar
        shortestExitTime = shortestExitTime ?? file.shortestExitTime
        longestExitTime = longestExitTime ?? file.longestExitTime
        speed = speed ?? file.speed
        location.complete(from: file.location)
        scan.complete(from: file.scan)
    }
}

extension Settings {
    /// The profile with what was set of it.
    func proximity() throws(UsageError) -> ProximitySettings {
        var proximity = ProximitySettings(profile: profile ?? .adaptive)
        proximity.defaultMeasuredPower = measuredPower ?? proximity.defaultMeasuredPower
        proximity.receiverGain = receiverGain ?? proximity.receiverGain
        proximity.pathLossExponent = pathLossExponent
        let (near, far) = (zoneNear ?? proximity.zoneBorders.near, zoneFar ?? proximity.zoneBorders.far)
        guard let borders = ZoneBorders(near: near, far: far) else {
            throw UsageError("\(named("zone-near", near, "dB")) must be below \(named("zone-far", far, "dB"))")
        }
        proximity.zoneBorders = borders
        let shortest = shortestExitTime ?? min(proximity.exitTimes.lowerBound, longestExitTime ?? .infinity)
        let longest = longestExitTime ?? max(proximity.exitTimes.upperBound, shortest)
        guard shortest <= longest else {
            throw UsageError(
                "\(named("exit-time-min", shortest, "s")) must not be above \(named("exit-time-max", longest, "s"))")
        }
        proximity.exitTimes = shortest...longest
        let ofAdaptive: [(String, Bool)] = [
            ("path-loss-exponent", pathLossExponent != nil), ("zone-near", zoneNear != nil),
            ("zone-far", zoneFar != nil), ("exit-time-min", shortestExitTime != nil),
            ("exit-time-max", longestExitTime != nil),
        ]
        if proximity.profile != .adaptive, let given = ofAdaptive.first(where: { $0.1 }) {
            let profile = "profile \(proximity.profile.rawValue)" + (places["profile"].map { " (\($0))" } ?? "")
            throw UsageError("\(named(given.0)) is a setting of profile adaptive, not of \(profile)")
        }
        return proximity
    }

    /// A key for people: its name and where it stands.
    private func named(_ key: String) -> String { key + (places[key].map { " (\($0))" } ?? "") }

    private func named(_ key: String, _ number: some BinaryFloatingPoint, _ unit: String) -> String {
        "\(key) (\(Double(number)) \(unit), \(places[key] ?? "the default"))"
    }
}

extension Settings {
    /// How fences are monitored; each is allowed.
    func circleSettings() throws(UsageError) -> CircleSettings {
        if let fence = fences.first(where: { !circles.allows($0) }) {
            throw UsageError(tooLarge(fence))
        }
        return circles
    }

    /// Why a fence is not allowed.
    func tooLarge(_ fence: CircularRegion) -> String {
        """
        fence \(fence.name): the radius (\(fence.radius) m) is above \
        \(named("fence-maximum-radius", circles.maximumRadius, "m"))
        """
    }
}

// The values that options and configuration keys share. Each error says what would be right.
extension Settings {
    static func events(_ text: String) throws(UsageError) -> EventKinds {
        var kinds: EventKinds = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = EventKind(rawValue: String(word)) else {
                let known = EventKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("unknown event '\(word)'; there are \(known)")
            }
            kinds.insert(EventKinds(kind))
        }
        return kinds
    }

    static func statePath(_ text: String) throws(UsageError) -> String {
        guard !text.isEmpty, text != "-" else { throw UsageError("state '\(text)' is no file") }
        return text
    }

    static func format(_ text: String) throws(UsageError) -> Format {
        guard let format = Format(rawValue: text) else {
            throw UsageError("format '\(text)' is none of json, table and geojson")
        }
        return format
    }

    static func profile(_ text: String) throws(UsageError) -> Profile {
        guard let profile = Profile(rawValue: text) else {
            let known = Profile.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("profile '\(text)' is not built in; there is \(known)")
        }
        return profile
    }

    static func speed(_ text: String) throws(UsageError) -> ReplayLoop.Speed {
        if text == "max" { return .maximum }
        guard let factor = Double(decimal: text), factor > 0 else {
            throw UsageError("speed '\(text)' is neither a number above 0 nor max")
        }
        return .times(factor)
    }

    static func measuredPower(_ text: String) throws(UsageError) -> Int8 {
        guard let power = Int8(text), power <= -20 else {
            throw UsageError("measured power '\(text)' is not a number from -128 to -20 (dBm)")
        }
        return power
    }

    static func flag(_ text: String, _ what: String) throws(UsageError) -> Bool {
        switch text.lowercased() {
        case "yes", "true", "on", "1": return true
        case "no", "false", "off", "0": return false
        default: throw UsageError("\(what) '\(text)' is neither yes nor no (nor true, false, on, off, 1, 0)")
        }
    }

    /// A number within bounds, as a configuration key has it.
    static func number(
        _ text: String, _ what: String, _ bounds: ClosedRange<Int>, _ unit: String
    ) throws(UsageError) -> Double {
        guard let number = Double(decimal: text), Double(bounds.lowerBound)...Double(bounds.upperBound) ~= number else {
            throw UsageError(
                "\(what) '\(text)' is not a number from \(bounds.lowerBound) to \(bounds.upperBound)\(unit)")
        }
        return number
    }

    static func confirmations(_ text: String) throws(UsageError) -> Int {
        guard let count = Int(text), 1...1000 ~= count else {
            throw UsageError("fence-confirmations '\(text)' is not a whole number from 1 to 1000 (fixes)")
        }
        return count
    }

    static func uuid(_ text: String) throws(UsageError) -> ProximityUUID {
        guard let uuid = ProximityUUID(text) else {
            throw UsageError("'\(text)' is not a UUID (32 hexadecimal digits, with or without dashes)")
        }
        return uuid
    }

    static func number16(_ text: String, _ what: String) throws(UsageError) -> UInt16 {
        guard let number = UInt16(text) else { throw UsageError("\(what) '\(text)' is not a number from 0 to 65535") }
        return number
    }

    static func regionName(_ text: String) throws(UsageError) -> String {
        guard !text.isEmpty else { throw UsageError("a region needs a name") }
        guard text.utf8.count <= 255 else { throw UsageError("a region's name is longer than 255 bytes") }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw UsageError("a region's name holds a control character")
        }
        guard text != BeaconRegion.everything else {
            throw UsageError("the name * is taken by the region of every iBeacon")
        }
        return text
    }

    /// `NAME=UUID[/MAJOR[/MINOR]]`; `*` in the UUID's place stands for any.
    static func region(_ text: String) throws(UsageError) -> BeaconRegion {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw UsageError("region '\(text)' is not NAME=UUID[/MAJOR[/MINOR]]") }
        return try region(named: try regionName(parts[0]), identity: parts[1])
    }

    /// `UUID[/MAJOR[/MINOR]]`; `*` in the UUID's place stands for any.
    static func region(named name: String, identity: String) throws(UsageError) -> BeaconRegion {
        let numbers = identity.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard numbers.count <= 3 else { throw UsageError("'\(identity)' is not UUID[/MAJOR[/MINOR]]") }
        let isAny = numbers[0].isEmpty || numbers[0] == "*"
        let uuid = isAny ? nil : try uuid(numbers[0])
        let major = numbers.count > 1 ? try number16(numbers[1], "major") : nil
        let minor = numbers.count > 2 ? try number16(numbers[2], "minor") : nil
        guard let region = BeaconRegion(name: name, uuid: uuid, major: major, minor: minor) else {
            throw UsageError("region \(name) has a major without a UUID")
        }
        return region
    }

    /// `NAME=LAT,LON,RADIUS`: degrees and metres.
    static func fence(_ text: String) throws(UsageError) -> CircularRegion {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let numbers = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
        guard numbers.count == 3, let latitude = Double(decimal: numbers[0]),
            let longitude = Double(decimal: numbers[1]), let radius = Double(decimal: numbers[2])
        else { throw UsageError("fence '\(text)' is not NAME=LAT,LON,RADIUS") }
        return try fence(named: try regionName(parts[0]), latitude, longitude, radius)
    }

    static func fence(
        named name: String, _ latitude: Double, _ longitude: Double, _ radius: Double, onEntry: Bool = true,
        onExit: Bool = true
    ) throws(UsageError) -> CircularRegion {
        guard let centre = Coordinate(latitude: latitude, longitude: longitude) else {
            throw UsageError("fence \(name): the latitude is not from -90 to 90, or the longitude not from -180 to 180")
        }
        let made = CircularRegion(
            name: name, centre: centre, radius: radius, notifyOnEntry: onEntry, notifyOnExit: onExit)
        guard let made else {
            throw UsageError(
                "fence \(name): the radius is not above 0 and at most \(Int(CircularRegion.greatestRadius)) m")
        }
        return made
    }
}
