/// What a run knows of its regions and of the place, kept for the next run.
///
/// Regions are known by their names, as Core Location knows them (CLLocationManager.monitoredRegions). There is no age
/// beyond which a state counts no more: what has changed meanwhile is told as soon as it is seen, so that every entry has
/// its exit, in this run or in another.
public struct SavedState: Equatable, Sendable {
    /// A region that was monitored.
    public struct Region: Equatable, Sendable {
        /// What events call it.
        public var name: String
        /// What it was.
        public var definition: RegionDefinition
        /// Its state.
        public var state: RegionState

        /// A region with its state.
        public init(name: String, definition: RegionDefinition, state: RegionState) {
            self.name = name
            self.definition = definition
            self.state = state
        }
    }

    /// Until when it was so, on the engine's clock.
    public var time: Timestamp
    /// The last fix; its `time` is when it was measured, on the engine's clock.
    public var fix: Fix?
    /// What was monitored, no two of one name.
    public var regions: [Region]

    /// A state; `fix` has a time.
    public init(time: Timestamp, fix: Fix?, regions: [Region]) {
        self.time = time
        self.fix = fix
        self.regions = regions
    }
}

extension SavedState {
    static let format = "skerry-state"
    static let version = 1
    /// How every encoded state begins.
    public static let beginning = Array("{\"format\":\"\(format)\"".utf8)

    /// The state as JSON, a region a line.
    public func encode() -> [UInt8] {
        var line = JSONLine(capacity: 512 + 192 * regions.count)
        line.literal("{\"format\":")
        line.string(Self.format)
        line.member("version", Int64(Self.version))
        line.member("time", time)
        if let fix {
            line.literal(",\n\"location\":{\"time\":")
            line.time(fix.time ?? time)
            line.members(of: fix)
            line.member("accuracySource", fix.accuracySource.rawValue)
            if fix.isThreeDimensional { line.literal(",\"threeDimensional\":true") }
            line.literal("}")
        }
        line.literal(",\n\"regions\":[")
        for (number, region) in regions.enumerated() {
            line.literal(number == 0 ? "\n{\"name\":" : ",\n{\"name\":")
            line.string(region.name)
            line.members(of: region.definition)
            line.member("state", region.state.name)
            line.literal("}")
        }
        line.literal("\n]}\n")
        return unsafe line.withBytes { bytes in unsafe Array(bytes) }
    }

    /// Why text is no state that can be used.
    public struct Damage: Error, Equatable, Sendable {
        /// The line, from 1.
        public var line: Int
        /// What is wrong there, for people.
        public var reason: String
    }

    /// Reads what `encode` has written. Strict: what is not understood to the last member is refused.
    public init(decoding bytes: [UInt8]) throws(Damage) {
        var decoder = SavedStateDecoder(bytes.rawSpan)
        do throws(JSONReader.Malformed) {
            self = try decoder.decode()
        } catch {
            throw Damage(line: decoder.line, reason: decoder.reason)
        }
    }
}
