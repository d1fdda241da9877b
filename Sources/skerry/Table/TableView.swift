import SkerryCore

/// What `--format table` shows: events in, lines of text out. It knows neither terminal nor clock.
struct TableView {
    /// Names of the sources, by number.
    var sources: [String] = []

    private var scanners: [(state: ScannerState, detail: String?)?] = []
    private var regions: [TableRegion] = []
    /// The latest moment that an event told.
    private var now: Timestamp?
    private var fault: Fault?
    private var faults = 0
    private var statistics: Statistics?
    private var place = PlaceLines()

    /// Takes in an event; what is not shown only moves the clock.
    mutating func take(_ event: Event) {
        if let time = event.time { now = max(now ?? time, time) }
        switch event.content {
        case .start(let start):
            regions = start.regions.map { TableRegion(name: $0.name, isMonitored: $0.isMonitored, definition: $0) }
            regions += start.circles.map { TableRegion(name: $0.name, isMonitored: true, definition: nil) }
        case .advertisement, .annotatedAdvertisement: break
        case .location, .heading, .guidance: place.take(event)
        case .ranging(let ranging):
            regions[ranging.region].beacons = ranging.beacons
            regions[ranging.region].omitted = ranging.omitted
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

    /// The screen, from top to bottom.
    ///
    /// - Parameters:
    ///   - width: No line is wider, in cells.
    ///   - height: There are no more lines.
    func lines(width: Int, height: Int, isColoured: Bool) -> [String] {
        let layout = TableLayout(width: width, isColoured: isColoured)
        let top = ([heading(withDate: width >= 60)] + place.lines(at: now)).map { layout.line([$0]) }
        let bottom = footer.map { layout.line([$0]) }
        let monitored = regions.filter(\.isMonitored)
        let beacons = BeaconBlock(regions, now: now)
        // Blank lines between the blocks, where there is room to spare.
        let gap = height >= 12 ? [""] : []
        let blocks = monitored.isEmpty ? 1 : 2
        let room = height - top.count - bottom.count - blocks - gap.count * (blocks + (bottom.isEmpty ? 0 : 1))
        // Regions give way to beacons down to half of the screen, and beacons to regions.
        let regionRoom = min(monitored.count, max(room / 2, room - max(beacons.count, 1)))
        var lines = top
        if !monitored.isEmpty {
            lines += gap + RegionBlock(regions: monitored, now: now).lines(layout, room: regionRoom)
        }
        lines += gap + beacons.lines(layout, room: room - regionRoom)
        if !bottom.isEmpty { lines += gap }
        // On a screen of a few lines the tables go before the footer does.
        return Array((lines.prefix(max(height - bottom.count, 1)) + bottom).prefix(max(height, 0)))
    }

    // MARK: Around the tables

    private func heading(withDate: Bool) -> Line {
        var line = Line()
        if let now { line.append((withDate ? "\(now.date) " : "") + "\(now.timeOfDay) UTC") }
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

    private var footer: [Line] {
        var lines: [Line] = []
        if let fault {
            let head = faults == 1 ? "error" : "\(faults) errors, last"
            lines.append(Line("\(head): \(fault.message)", .red))
        }
        if let statistics { lines.append(Line(statistics.summary, .dim)) }
        return lines
    }
}
