public import SkerryCore

/// A map of a replay, on standard output; faults, which have no place on it, as lines on standard error.
public struct GeoJSONOutput: Output, ~Copyable {
    private var map: GeoJSON
    private var errors = ErrorLines()
    private var line = JSONLine(capacity: 64 * 1024)

    /// - Parameter regions: Names of the regions, by number.
    public init(regions: [String]) { map = GeoJSON(regions: regions) }

    /// Takes in what happened, in order.
    public mutating func write(_ events: [Event], sources: [String]) throws(SystemError) {
        map.write(events, to: &line)
        let faults = events.compactMap { event in
            if case .error(let fault) = event.content { fault } else { nil }
        }
        errors.write(faults, isLast: events.last?.kind == .statistics)
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
