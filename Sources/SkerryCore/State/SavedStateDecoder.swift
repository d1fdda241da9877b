/// Reads a saved state. Whatever is wrong is thrown as `Malformed`; `line` and `reason` then tell more.
struct SavedStateDecoder: ~Escapable {
    private typealias Malformed = JSONReader.Malformed

    private let bytes: RawSpan
    private var reader: JSONReader
    /// What is wrong, unless something better is known.
    private(set) var reason = "no saved state of skerry"

    /// What a number in the file can be: no place or motion needs a larger one.
    private static let numbers = -1e9...1e9

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) {
        self.bytes = bytes
        reader = JSONReader(bytes)
    }

    /// The line that has been reached, from 1.
    var line: Int { (0..<reader.place).count { bytes.byte($0) == UInt8(ascii: "\n") } + 1 }

    mutating func decode() throws(JSONReader.Malformed) -> SavedState {
        if bytes.byteCount == 0 { throw wrong("an empty file, and no saved state of skerry") }
        try reader.beginObject()
        guard try reader.nextName() == "format", try reader.value() == .string(SavedState.format),
            try reader.nextName() == "version", case .number(let version) = try reader.value()
        else { throw Malformed() }
        guard version == Double(SavedState.version) else {
            let given = Int(exactly: version).map(String.init) ?? "\(version)"
            throw wrong("a saved state of version \(given); this program knows only \(SavedState.version)")
        }
        reason = "no JSON, or cut off"
        var (time, fix, regions): (Timestamp?, Fix?, [SavedState.Region]?) = (nil, nil, nil)
        while let name = try reader.nextName() {
            switch name {
            case "time" where time == nil: time = try timestamp(try reader.value(), name)
            case "location" where fix == nil: fix = try location()
            case "regions" where regions == nil: regions = try self.regions()
            default: throw wrong("a second or unknown member \"\(name)\"")
            }
        }
        guard reader.next() == nil else { throw wrong("something behind the end") }
        guard let time else { throw wrong("the member \"time\" is missing") }
        guard let regions else { throw wrong("the member \"regions\" is missing") }
        return SavedState(time: time, fix: fix, regions: regions)
    }

    @_lifetime(self: copy self)
    private mutating func wrong(_ reason: String) -> JSONReader.Malformed {
        self.reason = reason
        return Malformed()
    }

    private mutating func regions() throws(JSONReader.Malformed) -> [SavedState.Region] {
        var regions: [SavedState.Region] = []
        var names: Set<String> = []
        try reader.beginArray()
        while try reader.hasElement() {
            let region = try region()
            guard names.insert(region.name).inserted else { throw wrong("the region \"\(region.name)\" a second time") }
            regions.append(region)
        }
        return regions
    }

    private mutating func region() throws(JSONReader.Malformed) -> SavedState.Region {
        var members = try members()
        let name = try text(&members, "name")
        let definition: RegionDefinition
        switch try text(&members, "kind") {
        case "beacon":
            definition = .beacon(
                uuid: try uuid(&members), major: try number16(&members, "major"),
                minor: try number16(&members, "minor"))
        case "circular":
            definition = .circle(
                latitude: try required(&members, "latitude", -90...90),
                longitude: try required(&members, "longitude", -180...180),
                radius: try required(&members, "radius", 0...CircularRegion.greatestRadius))
        case let kind: throw wrong("a region of the unknown kind \"\(kind)\"")
        }
        let word = try text(&members, "state")
        guard let state = [RegionState.unknown, .inside, .outside].first(where: { "\($0.name)" == word }) else {
            throw wrong("the unknown state \"\(word)\"")
        }
        try end(members)
        return SavedState.Region(name: name, definition: definition, state: state)
    }

    private mutating func location() throws(JSONReader.Malformed) -> Fix {
        var members = try members()
        let time = try timestamp(members.removeValue(forKey: "time"), "time")
        let latitude = try required(&members, "latitude", -90...90)
        let longitude = try required(&members, "longitude", -180...180)
        let word = try text(&members, "accuracySource")
        guard let source = Fix.AccuracySource(rawValue: word) else {
            throw wrong("the unknown source of accuracy \"\(word)\"")
        }
        let fix = Fix(
            coordinate: Coordinate(latitude: latitude, longitude: longitude)!, time: time,
            horizontalAccuracy: try required(&members, "horizontalAccuracy", 0.01...1e9), accuracySource: source,
            altitude: try number(&members, "altitude"),
            ellipsoidalAltitude: try number(&members, "ellipsoidalAltitude"),
            verticalAccuracy: try number(&members, "verticalAccuracy", 0.01...1e9),
            speed: try number(&members, "speed", 0...1e9),
            speedAccuracy: try number(&members, "speedAccuracy", 0...1e9),
            course: try number(&members, "course", 0...359.9995),
            courseAccuracy: try number(&members, "courseAccuracy", 0...180),
            isThreeDimensional: try flag(&members, "threeDimensional"), isSimulated: try flag(&members, "simulated"))
        try end(members)
        return fix
    }

    // MARK: Members of an object that has only values

    private mutating func members() throws(JSONReader.Malformed) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        try reader.beginObject()
        while let name = try reader.nextName() {
            guard members.updateValue(try reader.value(), forKey: name) == nil else {
                throw wrong("the member \"\(name)\" a second time")
            }
        }
        return members
    }

    @_lifetime(self: copy self)
    private mutating func end(_ members: [String: JSONValue]) throws(JSONReader.Malformed) {
        if let name = members.keys.min() { throw wrong("the unknown member \"\(name)\"") }
    }

    @_lifetime(self: copy self)
    private mutating func text(
        _ members: inout [String: JSONValue], _ name: String
    ) throws(JSONReader.Malformed) -> String {
        guard case .string(let text) = members.removeValue(forKey: name) else {
            throw wrong("the member \"\(name)\" is missing or no text")
        }
        return text
    }

    @_lifetime(self: copy self)
    private mutating func flag(
        _ members: inout [String: JSONValue], _ name: String
    ) throws(JSONReader.Malformed) -> Bool {
        switch members.removeValue(forKey: name) {
        case nil: return false
        case .bool(let truth): return truth
        default: throw wrong("the member \"\(name)\" is neither true nor false")
        }
    }

    /// `nil` where it is absent.
    @_lifetime(self: copy self)
    private mutating func number(
        _ members: inout [String: JSONValue], _ name: String, _ bounds: ClosedRange<Double> = numbers
    ) throws(JSONReader.Malformed) -> Double? {
        guard let value = members.removeValue(forKey: name) else { return nil }
        guard case .number(let number) = value, bounds.contains(number) else {
            throw wrong("the member \"\(name)\" is no number that it can be")
        }
        return number
    }

    @_lifetime(self: copy self)
    private mutating func required(
        _ members: inout [String: JSONValue], _ name: String, _ bounds: ClosedRange<Double>
    ) throws(JSONReader.Malformed) -> Double {
        guard let number = try number(&members, name, bounds) else { throw wrong("the member \"\(name)\" is missing") }
        return number
    }

    @_lifetime(self: copy self)
    private mutating func number16(
        _ members: inout [String: JSONValue], _ name: String
    ) throws(JSONReader.Malformed) -> UInt16? {
        guard let number = try number(&members, name) else { return nil }
        guard let whole = UInt16(exactly: number) else { throw wrong("the member \"\(name)\" is not from 0 to 65535") }
        return whole
    }

    @_lifetime(self: copy self)
    private mutating func uuid(_ members: inout [String: JSONValue]) throws(JSONReader.Malformed) -> ProximityUUID? {
        guard members["uuid"] != nil else { return nil }
        guard let uuid = ProximityUUID(try text(&members, "uuid")) else {
            throw wrong("the member \"uuid\" is no UUID")
        }
        return uuid
    }

    @_lifetime(self: copy self)
    private mutating func timestamp(_ value: JSONValue?, _ name: String) throws(JSONReader.Malformed) -> Timestamp {
        guard case .string(let text) = value, let time = Timestamp(iso8601: text) else {
            throw wrong("the member \"\(name)\" is missing or no time")
        }
        return time
    }
}
