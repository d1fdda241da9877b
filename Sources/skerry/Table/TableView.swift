import SkerryCore

/// What `--format table` shows: events in, lines of text out. It knows no terminal, and of time what events tell.
struct TableView {
    /// The events that it needs.
    static let wanted = EventKinds.standard.union(EventKinds(.advertisement))

    /// Names of the sources, by number.
    var sources: [String] = []
    /// What the clock on the wall shows at a moment.
    var clock: @Sendable (Timestamp) -> LocalTime = LocalTime.here

    private var scanners: [(state: ScannerState, detail: String?)?] = []
    private var regions: [TableRegion] = []
    /// The latest moment that an event told.
    private var now: Timestamp?
    private var fault: Fault?
    private var faults = 0
    private var statistics: Statistics?
    private var place = PlaceLines()
    private var heard = HeardBeacons()

    /// Takes in an event; what is not shown only moves the clock.
    mutating func take(_ event: Event) {
        if let time = event.time { now = max(now ?? time, time) }
        switch event.content {
        case .start(let start):
            regions = start.regions.map { TableRegion(name: $0.name, isMonitored: $0.isMonitored, definition: $0) }
            regions += start.circles.map { TableRegion(name: $0.name, isMonitored: true, definition: nil) }
        case .advertisement(let advertisement), .annotatedAdvertisement(let advertisement, _, _):
            if let time = event.time { heard.take(advertisement, at: time) }
        case .location, .heading, .guidance: place.take(event)
        case .ranging(let ranging):
            regions[ranging.region].beacons = ranging.beacons
            regions[ranging.region].omitted = ranging.omitted
            heard.take(ranging)
        case .region(let transition):
            if transition.state != regions[transition.region].state {
                regions[transition.region].since = event.time
            }
            regions[transition.region].state = transition.state
        case .scanner(let state, let detail):
            guard let source = event.source.map({ Int($0.rawValue) }) else { break }
            while scanners.count <= source { scanners.append(nil) }
            scanners[source] = (state, detail)
        case .error(let fault) where fault.name == .locationUnknown: place.take(event)
        case .error(let fault):
            self.fault = fault
            faults += 1
        case .statistics(let statistics): self.statistics = statistics
        }
    }

    /// Whether the run has ended: what is shown is then a summary, as long as it needs to be.
    var isEnded: Bool {
        statistics != nil && scanners.allSatisfy { $0 == nil || $0?.state == .ended }
    }

    /// Whether the passing of time alone changes what is shown.
    var ages: Bool { !isEnded && !heard.unranged(at: now, within: UnrangedBlock.patience).isEmpty }

    /// The screen, from top to bottom.
    ///
    /// - Parameters:
    ///   - width: No line is wider, in cells.
    ///   - height: There are no more lines, but for a summary.
    ///   - silence: Microseconds that have passed since the last event.
    func lines(width: Int, height: Int, isColoured: Bool, after silence: Int64 = 0) -> [String] {
        let layout = TableLayout(width: width, isColoured: isColoured)
        let now = now.map { $0 + silence }
        let top = ([heading(at: now, withDate: width >= 60)] + place.lines(at: now)).map { layout.line([$0]) }
        let monitored = RegionBlock(regions: regions.filter(\.isMonitored), now: now, clock: clock)
        if isEnded {
            let states = monitored.regions.isEmpty ? [] : [""] + monitored.lines(layout, room: .max)
            let summary = SummaryBlock(heard, now: now, clock: clock).lines(layout)
            return top + states + [""] + summary + [""]
                + footer.flatMap {
                    layout.paragraph($0.text.split(separator: " ").map(String.init), between: " ", $0.style)
                }
        }
        let bottom = footer.map { layout.line([Line($0.text, $0.style)]) }
        let middle = middle(layout, monitored, at: now, height: height - top.count - bottom.count, isLow: height < 12)
        let gap = bottom.isEmpty || height < 12 ? [] : [""]
        // On a screen of a few lines the tables go before the footer does.
        return Array(((top + middle + gap).prefix(max(height - bottom.count, 1)) + bottom).prefix(max(height, 0)))
    }

    /// The tables.
    private func middle(
        _ layout: TableLayout, _ monitored: RegionBlock, at now: Timestamp?, height: Int, isLow: Bool
    ) -> [String] {
        let beacons = BeaconBlock(regions, now: now)
        let others = UnrangedBlock(beacons: heard.unranged(at: now, within: UnrangedBlock.patience), now: now)
        // Blank lines between the blocks, where there is room to spare.
        let gap = isLow ? [] : [""]
        let hasFooter = fault != nil || statistics != nil
        var room = height - 1 - gap.count * (hasFooter ? 2 : 1)
        if !monitored.regions.isEmpty { room -= 1 + gap.count }
        // Beacons that are not ranged give way to the others down to a third of the screen.
        let wish = others.height(layout) + (others.beacons.isEmpty ? 0 : gap.count)
        let otherRoom = min(wish, max(room / 3, room - monitored.regions.count - beacons.height(layout)))
        room -= max(otherRoom, 0)
        // Regions give way to beacons down to half of the screen, and beacons to regions.
        let regionRoom = min(monitored.regions.count, max(room / 2, room - beacons.height(layout)))
        var lines: [String] = []
        if !monitored.regions.isEmpty { lines += gap + monitored.lines(layout, room: regionRoom) }
        lines += gap + beacons.lines(layout, room: room - regionRoom)
        let rest = others.lines(layout, height: otherRoom - gap.count)
        return lines + (rest.isEmpty ? [] : gap + rest)
    }

    // MARK: Around the tables

    private func heading(at now: Timestamp?, withDate: Bool) -> Line {
        var line = Line()
        if let now = now.map(clock) {
            line.append((withDate ? "\(now.date) " : "") + "\(now.timeOfDay) \(now.zone)")
        }
        let isFine = { (state: ScannerState) in state == .listening || state == .ended }
        // The line may be too short for all of them: those that hear nothing come first.
        for fine in [false, true] {
            for (number, scanner) in scanners.enumerated() {
                guard let scanner, isFine(scanner.state) == fine else { continue }
                line.append("  \(number < sources.count ? sources[number] : "source \(number)") ")
                line.append(scanner.state.rawValue, fine ? .plain : .yellow)
                if let detail = scanner.detail { line.append(" (\(detail))") }
            }
        }
        return line
    }

    private var footer: [(text: String, style: Line.Style)] {
        var lines: [(text: String, style: Line.Style)] = []
        if let fault {
            let head = faults == 1 ? "error" : "\(faults) errors, last"
            lines.append(("\(head): \(fault.message)", .red))
        }
        if let statistics { lines.append((statistics.summary, .dim)) }
        return lines
    }
}
