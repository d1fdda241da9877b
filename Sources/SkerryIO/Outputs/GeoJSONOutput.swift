public import SkerryCore

/// A map of a replay, on standard output.
public struct GeoJSONOutput: Output, ~Copyable {
    private var map: GeoJSON
    private var line = JSONLine(capacity: 64 * 1024)

    /// - Parameter regions: Names of the regions, by number.
    public init(regions: [String]) { map = GeoJSON(regions: regions) }

    /// Takes in what happened, in order.
    public mutating func write(_ events: [Event], sources: [String]) throws(SystemError) {
        map.write(events, to: &line)
        if line.count >= 64 * 1024 { try flush() }
    }

    /// Brings out what was held back.
    public mutating func flush() throws(SystemError) {
        guard line.count > 0 else { return }
        try unsafe line.withBytes { (bytes) throws(SystemError) in
            try unsafe FileDescriptor.standardOutput.writeAll(bytes)
        }
        line.removeAll()
    }
}
