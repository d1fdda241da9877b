/// Writes events as JSON lines, those of the kinds an output asked for, with a sequence number of that output.
public struct EventLine {
    /// Once there is no room for further lines, only statistics.
    private var wanted: EventKinds
    /// Lines that may still be written; statistics do not count.
    private var room: Int
    /// Names in quotes, escaped.
    private let regionNames: [[UInt8]]
    /// `,"source":"…"` for all sources in a row, and where that of each ends. Bytes in one array are lent; of arrays
    /// in an array, each would be retained.
    private var sourceMembers: [UInt8] = []
    private var sourceEnds: [Int] = []
    private var sequence: UInt64 = 0
    /// Events that were wanted and not written.
    private var dropped: UInt64 = 0
    /// Faults that were not written since the last `takeLeftOut`: not wanted, or dropped.
    private var leftOut: [Fault] = []
    /// Lines by number of their kind.
    private var written = InlineArray<10, UInt64>(repeating: 0)

    /// - Parameters:
    ///   - wanted: The kinds to write.
    ///   - regions: Names of the regions, by number.
    ///   - limit: Lines at most, 1 or more; statistics do not count, and are written beyond it too.
    public init(wanted: EventKinds, regions: [String], limit: Int = .max) {
        self.wanted = wanted
        room = limit
        regionNames = regions.map(Self.quoted)
    }

    /// Whether as many lines were written as may be.
    public var isFull: Bool { room == 0 }

    private static func quoted(_ text: String) -> [UInt8] {
        var line = JSONLine(capacity: 64)
        line.string(text)
        return Array(line.takeString().utf8)
    }

    /// Writes a line for each event that is wanted.
    ///
    /// - Parameters:
    ///   - start: Place of the first event to write.
    ///   - sources: Names of the sources, by number.
    ///   - limit: So many bytes in the buffer end the writing.
    /// - Returns: Place of the first event that was not looked at.
    @discardableResult
    public mutating func write(
        _ events: [Event], from start: Int = 0, sources: [String], to line: inout JSONLine, until limit: Int = .max
    ) -> Int {
        while sourceEnds.count < sources.count {
            sourceMembers += Array(",\"source\":".utf8) + Self.quoted(sources[sourceEnds.count])
            sourceEnds.append(sourceMembers.count)
        }
        let (members, ends) = (sourceMembers, sourceEnds)
        let span = events.span
        for index in start..<span.count {
            if line.count >= limit { return index }
            // Field by field: an event as a whole would be copied.
            if case .advertisement(let advertisement) = span[index].content {
                guard wanted.contains(.advertisement) else { continue }
                let member = Self.member(of: span[index].source, members.rawSpan, ends)
                write(advertisement, time: span[index].time, source: member, to: &line)
            } else {
                writeOther(span[index], to: &line)
            }
        }
        return events.count
    }

    /// The faults that the reader of the lines does not learn of; forgets them.
    public mutating func takeLeftOut() -> [Fault] {
        defer { leftOut = [] }
        return leftOut
    }

    /// Passes over an event that its reader is too slow for. It uses up its number.
    public mutating func drop(_ event: Event) {
        if case .error(let fault) = event.content { leftOut.append(fault) }
        guard wanted.contains(EventKinds(event.kind)) else { return }
        sequence &+= 1
        dropped &+= 1
    }

    /// `,"source":"…"`, or nothing.
    @inline(__always)
    @_lifetime(copy members)
    private static func member(of source: SourceID?, _ members: RawSpan, _ ends: [Int]) -> RawSpan {
        guard let source else { return members.part(0, 0) }
        let number = Int(source.rawValue)
        return members.part(number == 0 ? 0 : ends[number - 1], ends[number])
    }

    @inline(never)
    private mutating func writeOther(_ event: borrowing Event, to line: inout JSONLine) {
        guard wanted.contains(EventKinds(event.kind)) else {
            if case .error(let fault) = event.content { leftOut.append(fault) }
            return
        }
        switch event.content {
        case .advertisement: return
        case .annotatedAdvertisement(let advertisement, let extra, let geotag):
            begin(event, "{\"event\":\"advertisement\"", .advertisement, &line)
            line.write(atMost: 128) { $0.members(of: advertisement) }
            line.literal(",\"beacon\":")
            line.writeBeacon(advertisement.beacon, extra: extra)
            if let geotag { line.members(of: geotag) }
        case .start(let start):
            begin(event, "{\"event\":\"start\"", .start, &line)
            write(start, &line)
        case .ranging(let ranging):
            begin(event, "{\"event\":\"ranging\"", .ranging, &line)
            write(ranging, &line)
        case .region(let transition):
            begin(event, "{\"event\":\"region\"", .region, &line)
            write(transition, &line)
        case .location(let fix):
            begin(event, "{\"event\":\"location\"", .location, &line)
            line.members(of: fix)
        case .heading(let heading):
            begin(event, "{\"event\":\"heading\"", .heading, &line)
            line.members(of: heading)
        case .guidance(let step):
            begin(event, "{\"event\":\"guidance\"", .guidance, &line)
            line.members(of: step)
        case .scanner(let state, let detail):
            begin(event, "{\"event\":\"scanner\"", .scanner, &line)
            line.member("state", state.rawValue)
            if let detail { line.member("detail", detail) }
        case .error(let fault):
            begin(event, "{\"event\":\"error\"", .error, &line)
            line.member("domain", fault.domain.rawValue)
            if let code = fault.code { line.member("code", Int64(code)) }
            line.member("name", fault.name.rawValue)
            line.member("message", fault.message)
            line.literal(fault.isRecoverable ? ",\"recoverable\":true" : ",\"recoverable\":false")
        case .statistics(let statistics):
            begin(event, "{\"event\":\"statistics\"", .statistics, &line)
            write(statistics, &line)
        }
        line.literal("}\n")
    }

    private mutating func begin(
        _ event: borrowing Event, _ head: StaticString, _ kind: EventKind, _ line: inout JSONLine
    ) {
        count(kind)
        line.literal(head)
        if let time = event.time { line.member("time", time) }
        line.literal(",\"seq\":")
        line.unsigned(sequence)
        let members = sourceMembers
        let member = Self.member(of: event.source, members.rawSpan, sourceEnds)
        line.write(atMost: member.byteCount) { $0.raw(member) }
    }

    @inline(__always)
    private mutating func count(_ kind: EventKind) {
        sequence &+= 1
        written[kind.number] &+= 1
        guard kind != .statistics else { return }
        room &-= 1
        if room == 0 { wanted.formIntersection(EventKinds(.statistics)) }
    }

    // MARK: The members of each kind

    /// The path of most lines.
    @inline(__always)
    private mutating func write(
        _ advertisement: Advertisement, time: Timestamp?, source: RawSpan, to line: inout JSONLine
    ) {
        count(.advertisement)
        let time = time.map { line.split($0) }
        line.write(atMost: 512 + source.byteCount) { cursor in
            cursor.literal("{\"event\":\"advertisement\"")
            if let time {
                cursor.literal(",\"time\":")
                cursor.time(time.second, fraction: time.fraction)
            }
            cursor.literal(",\"seq\":")
            cursor.unsigned(sequence)
            cursor.raw(source)
            cursor.members(of: advertisement)
            cursor.literal(",\"beacon\":")
            if case .iBeacon(let frame) = advertisement.beacon {
                cursor.literal("{\"format\":\"ibeacon\"")
                frame.writeMembers(to: &cursor)
                cursor.literal("}}\n")
            }
        }
        if case .iBeacon = advertisement.beacon { return }
        line.writeBeacon(advertisement.beacon, extra: nil)
        line.literal("}\n")
    }

    private func write(_ start: Start, _ line: inout JSONLine) {
        line.member("version", start.version)
        line.member("schema", 1)
        line.member("command", start.command)
        line.member("profile", start.profile.rawValue)
        line.literal(",\"sources\":[")
        for (number, source) in start.sources.enumerated() {
            line.literal(number == 0 ? "{\"name\":" : ",{\"name\":")
            line.string(source.name)
            line.member("kind", source.kind)
            line.literal("}")
        }
        line.literal("],\"regions\":[")
        for (number, region) in start.regions.enumerated() {
            line.literal(number == 0 ? "{\"name\":" : ",{\"name\":")
            line.string(region.name)
            line.members(of: RegionDefinition(region))
            line.literal("}")
        }
        for (number, circle) in start.circles.enumerated() {
            line.literal(number == 0 && start.regions.isEmpty ? "{\"name\":" : ",{\"name\":")
            line.string(circle.name)
            line.members(of: RegionDefinition(circle))
            line.literal("}")
        }
        line.literal("]")
    }

    private func write(_ ranging: Ranging, _ line: inout JSONLine) {
        line.literal(",\"region\":")
        line.raw(regionNames[ranging.region])
        line.literal(",\"beacons\":[")
        for (number, beacon) in ranging.beacons.enumerated() {
            line.literal(number == 0 ? "{" : ",{")
            line.writeIdentity(beacon.identity)
            line.member("proximity", beacon.proximity.name)
            if let accuracy = beacon.accuracy {
                line.member("accuracy", accuracy, decimals: 2)
                if let spread = beacon.spread {
                    line.member("accuracyLow", accuracy / spread, decimals: 2)
                    line.member("accuracyHigh", accuracy * spread, decimals: 2)
                }
            }
            if let rssi = beacon.rssi { line.member("rssi", rssi, decimals: 1) }
            line.member("samples", Int64(beacon.samples))
            line.member("lastSeen", beacon.lastSeen)
            if beacon.hasImplausibleMeasuredPower {
                line.member("measuredPower", Int64(beacon.measuredPower))
                line.literal(",\"flags\":[\"implausibleMeasuredPower\"]")
            }
            line.literal("}")
        }
        line.literal("]")
        if ranging.omitted > 0 { line.member("omitted", Int64(ranging.omitted)) }
        if let geotag = ranging.geotag { line.members(of: geotag) }
    }

    private func write(_ transition: RegionTransition, _ line: inout JSONLine) {
        line.literal(",\"region\":")
        line.raw(regionNames[transition.region])
        line.member("kind", transition.kind.name)
        line.member("transition", transition.transition.name)
        line.member("state", transition.state.name)
        line.member("from", transition.from.name)
        if let by = transition.by {
            line.literal(",\"by\":{")
            line.writeIdentity(by)
            line.literal("}")
        }
        line.member("reason", transition.reason.name)
        line.literal(",\"evidence\":{")
        switch transition.evidence {
        case .beacon(let evidence): write(evidence, &line)
        case .circle(let evidence): write(evidence, &line)
        case .saved(_, let time):
            line.literal("\"saved\":")
            line.time(time)
        }
        line.literal("}")
        if let geotag = transition.geotag { line.members(of: geotag) }
    }

    private func write(_ evidence: BeaconEvidence, _ line: inout JSONLine) {
        if let lastSeen = evidence.lastSeen {
            line.literal("\"lastSeen\":")
            line.time(lastSeen)
            line.literal(",")
        }
        line.literal("\"silence\":")
        line.decimal(Double(evidence.silence) / 1e6, decimals: 6)
        line.member("timeout", Double(evidence.timeout) / 1e6, decimals: 6)
        line.member("timeoutBasis", evidence.basis.rawValue)
        line.member("samples", Int64(evidence.samples))
        line.member("listening", evidence.listening, decimals: 3)
    }

    private func write(_ evidence: CircleEvidence, _ line: inout JSONLine) {
        if let distance = evidence.distance {
            line.literal("\"distance\":")
            line.decimal(distance, decimals: 2)
            line.literal(",")
        }
        if let accuracy = evidence.horizontalAccuracy {
            line.literal("\"horizontalAccuracy\":")
            line.decimal(accuracy, decimals: 2)
            line.literal(",")
        }
        line.literal("\"confirmations\":")
        line.integer(Int64(evidence.confirmations))
        if let crossedAt = evidence.crossedAt { line.member("crossedAt", crossedAt) }
    }

    private func write(_ statistics: Statistics, _ line: inout JSONLine) {
        if statistics.scanners == nil { line.member("files", Int64(statistics.files)) }
        line.member("records", Int64(statistics.records))
        line.member("reports", Int64(statistics.reports))
        line.member(
            statistics.addresses.isAtLeast ? "addressesAtLeast" : "addresses", Int64(statistics.addresses.count))
        line.writeCounts("beacons", statistics.beacons)
        line.member(
            statistics.identities.isAtLeast ? "identitiesAtLeast" : "identities", Int64(statistics.identities.count))
        line.writeMalformed(statistics.malformed)
        line.member("rssiUnavailable", Int64(statistics.rssiUnavailable))
        line.member("containerErrors", Int64(statistics.containerErrors))
        line.member("timeJumps", Int64(statistics.timeJumps))
        line.member("dropped", Int64(dropped))
        if statistics.fragmentsDropped > 0 { line.member("fragmentsDropped", Int64(statistics.fragmentsDropped)) }
        if statistics.evicted > 0 { line.member("evicted", Int64(statistics.evicted)) }
        if let scanners = statistics.scanners { line.members(of: scanners) }
        if let recording = statistics.recording { line.members(of: recording) }
        if let gps = statistics.gps { line.members(of: gps) }
        if let first = statistics.first { line.member("first", first) }
        if let last = statistics.last { line.member("last", last) }
        let counted = EventKind.allCases.filter { $0 != .start && $0 != .statistics && written[$0.number] > 0 }
        line.writeCounts("events", counted.map { ($0.rawValue, written[$0.number]) })
    }
}
