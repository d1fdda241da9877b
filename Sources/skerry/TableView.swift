import Glibc
import SkerryCore

/// What `--format table` shows: events in, lines of text out. It knows neither terminal nor clock.
struct TableView {
    /// Names of the sources, by number.
    var sources: [String] = []

    private var scanners: [(state: ScannerState, detail: String?)?] = []
    private var regions: [Region] = []
    /// The latest moment that an event told.
    private var now: Timestamp?
    private var fault: Fault?
    private var faults = 0
    private var statistics: Statistics?
    private var place = PlaceLines()

    private struct Region {
        let name: String
        let isMonitored: Bool
        /// `nil` of a circle.
        let definition: BeaconRegion?
        var state = RegionState.unknown
        var since: Timestamp?
        var beacons: [RangedBeacon] = []
        var omitted = 0
    }

    /// Takes in an event; what is not shown only moves the clock.
    mutating func take(_ event: Event) {
        if let time = event.time { now = max(now ?? time, time) }
        switch event.content {
        case .start(let start):
            regions = start.regions.map { Region(name: $0.name, isMonitored: $0.isMonitored, definition: $0) }
            regions += start.circles.map { Region(name: $0.name, isMonitored: true, definition: nil) }
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
        let screen = Screen(width: width, isColoured: isColoured)
        let top = ([heading(withDate: width >= 60)] + place.lines(at: now)).map { screen.line([$0]) }
        let bottom = footer.map { screen.line([$0]) }
        let monitored = regions.filter(\.isMonitored)
        let rows = beaconRows
        // Blank lines between the blocks, where there is room to spare.
        let gap = height >= 12 ? [""] : []
        let blocks = monitored.isEmpty ? 1 : 2
        let room = height - top.count - bottom.count - blocks - gap.count * (blocks + (bottom.isEmpty ? 0 : 1))
        // Regions give way to beacons down to half of the screen, and beacons to regions.
        let regionRoom = min(monitored.count, max(room / 2, room - max(rows.count, 1)))
        var lines = top
        if !monitored.isEmpty { lines += gap + regionBlock(monitored, room: regionRoom, screen) }
        lines += gap + beaconBlock(rows, room: room - regionRoom, screen)
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

    // MARK: Regions

    private func regionBlock(_ regions: [Region], room: Int, _ screen: Screen) -> [String] {
        guard room > 0 else { return [] }
        let isCut = regions.count > room
        // Where they do not all fit, those that one is in.
        let order = isCut ? regions.filter { $0.state == .inside } + regions.filter { $0.state != .inside } : regions
        let shown = order.prefix(isCut ? room - 1 : room)
        let longest = regions.reduce(6) { max($0, $1.name.cells) }
        let name = min(longest, max(screen.width - 29, 8))
        var lines = [screen.title([("REGION", name, false), ("STATE", 7, false), ("SINCE", 5, false)])]
        for region in shown {
            var since = ""
            if let start = region.since, let now {
                let isToday = start.date == now.date
                since = (isToday ? "" : "\(start.date) ") + "\(start.timeOfDay) (\(Self.duration(now - start)))"
            }
            lines.append(
                screen.line([
                    Line(region.name).fitted(to: name),
                    Line("\(region.state.name)", region.state.style).fitted(to: 7),
                    Line(since),
                ]))
        }
        if isCut { lines.append(screen.line([Line("… and \(regions.count - shown.count) more", .dim)])) }
        return lines
    }

    // MARK: Beacons

    private struct BeaconRow {
        var name: String
        /// Members of an identity that the region of the name fixes.
        var precision: Int
        var beacon: RangedBeacon
    }

    /// A row for each identity, however many regions it is in. The name is that of the region that tells most about it;
    /// one that takes any UUID tells nothing, and the UUID stands in its place.
    private var beaconRows: [BeaconRow] {
        var rows: [BeaconRow] = []
        var places: [BeaconIdentity: Int] = [:]
        for region in regions {
            guard let definition = region.definition else { continue }
            let precision = [definition.uuid != nil, definition.major != nil, definition.minor != nil].count { $0 }
            for beacon in region.beacons {
                let name = precision > 0 ? definition.name : beacon.identity.uuid.description
                let row = BeaconRow(name: name, precision: precision, beacon: beacon)
                if let place = places[beacon.identity] {
                    if rows[place].precision < precision { rows[place] = row }
                } else {
                    places[beacon.identity] = rows.count
                    rows.append(row)
                }
            }
        }
        return rows.sorted { $0.beacon.isNearer(than: $1.beacon) }
    }

    private func beaconBlock(_ rows: [BeaconRow], room: Int, _ screen: Screen) -> [String] {
        guard room > 0 else { return [] }
        // Reports of overlapping regions may leave out the same beacons: there are at least so many.
        let total = regions.reduce(rows.count) { max($0, $1.beacons.count + $1.omitted) }
        let isCut = total > room || total > rows.count
        let shown = rows.prefix(isCut ? room - 1 : room)
        let columns = Columns(
            width: screen.width, name: shown.reduce(6) { max($0, $1.name.cells) },
            numbers: shown.reduce(7) { max($0, $1.beacon.identity.numbers.count) })
        var lines = [screen.title(columns.titles)]
        for row in shown { lines.append(screen.line(cells(row, columns))) }
        if rows.isEmpty { lines.append(screen.line([Line("none in range", .dim)])) }
        if isCut { lines.append(screen.line([Line("… and \(total - shown.count) more", .dim)])) }
        return lines
    }

    private func cells(_ row: BeaconRow, _ columns: Columns) -> [Line] {
        let beacon = row.beacon
        let zone = beacon.proximity.style
        var cells = [
            Line(row.name).fitted(to: columns.name), Line(beacon.identity.numbers).fitted(to: columns.numbers),
        ]
        if columns.hasProximity {
            var cell = Line("\(beacon.proximity.name)", zone).fitted(to: 9)
            if columns.bar > 0 {
                let filled = beacon.accuracy.map { Self.bar($0, of: columns.bar) } ?? 0
                cell.append(" ")
                cell.append(String(repeating: "█", count: filled), zone)
                if beacon.accuracy != nil { cell.append(String(repeating: "░", count: columns.bar - filled), .dim) }
            }
            cells.append(cell.fitted(to: columns.proximity))
        }
        cells.append(Line(beacon.accuracy.map(Self.distance) ?? "-").fitted(to: 8, isRight: true))
        if columns.hasRSSI {
            let level = beacon.rssi.map { "\(Int($0.rounded())) dBm" } ?? "-"
            cells.append(Line(level).fitted(to: 8, isRight: true))
        }
        if columns.hasAge {
            cells.append(Line(now.map { Self.duration($0 - beacon.lastSeen) } ?? "-").fitted(to: 6, isRight: true))
        }
        return cells
    }

    /// The columns of the beacons that a width has room for: bar, age and RSSI go first.
    private struct Columns {
        var name: Int
        let numbers: Int
        var hasProximity = false
        var hasRSSI = false
        var hasAge = false
        var bar = 0

        init(width: Int, name wish: Int, numbers: Int) {
            self.numbers = numbers
            // What remains for the name when the gaps, the numbers and the distance have their places.
            var rest = width - (2 + numbers) - (2 + 8)
            func take(_ cells: Int, keeping least: Int) -> Bool {
                guard rest - cells >= min(wish, least) else { return false }
                rest -= cells
                return true
            }
            hasProximity = take(2 + 9, keeping: 8)
            hasRSSI = take(2 + 8, keeping: 8)
            hasAge = hasRSSI && take(2 + 6, keeping: 8)
            if hasAge, take(1 + 5, keeping: 20) {
                bar = 5 + min(max(rest - wish, 0), 15)
                rest -= bar - 5
            }
            name = max(min(wish, rest), 1)
        }

        var proximity: Int { bar > 0 ? 9 + 1 + bar : 9 }

        var titles: [Screen.Title] {
            var titles: [Screen.Title] = [("BEACON", name, false), ("MAJ/MIN", numbers, false)]
            if hasProximity { titles.append(("PROXIMITY", proximity, false)) }
            titles.append(("DISTANCE", 8, true))
            if hasRSSI { titles.append(("RSSI", 8, true)) }
            if hasAge { titles.append(("AGE", 6, true)) }
            return titles
        }
    }

    // MARK: Numbers

    /// Metres to two digits: what an estimate is worth.
    static func distance(_ metres: Double) -> String {
        guard metres < 999_500 else { return ">999 km" }
        let (value, unit) = metres < 999.5 ? (metres, "m") : (metres / 1000, "km")
        if value >= 9.95 { return "\(Int(value.rounded())) \(unit)" }
        let tenths = Int((value * 10).rounded())
        return tenths == 0 ? "<0.1 m" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    /// Microseconds, in the unit that makes a short number.
    static func duration(_ microseconds: Int64) -> String {
        let seconds = max(microseconds, 0) / .second
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// Filled cells of a bar: all at 0.25 m, each halving of the distance the same step, none from 32 m on.
    static func bar(_ metres: Double, of cells: Int) -> Int {
        let steps = log2(min(max(metres, 0.25), 32) / 0.25)
        return Int((Double(cells) * (1 - steps / 7)).rounded())
    }
}

extension Timestamp {
    /// RFC 3339, without quotes.
    private var text: Substring {
        var line = JSONLine(capacity: 32)
        line.time(self)
        return line.takeString().dropFirst().dropLast()
    }

    fileprivate var date: Substring { text.prefix(10) }
    fileprivate var timeOfDay: Substring { text.dropFirst(11).prefix(8) }
}

extension BeaconIdentity {
    fileprivate var numbers: String { "\(major)/\(minor)" }
}

extension RegionState {
    fileprivate var style: Line.Style {
        switch self {
        case .inside: .green
        case .outside: .plain
        case .unknown: .yellow
        }
    }
}

extension Proximity {
    fileprivate var style: Line.Style {
        switch self {
        case .immediate: .green
        case .near: .cyan
        case .far: .yellow
        case .unknown: .dim
        }
    }
}

extension Statistics {
    fileprivate var summary: String {
        func count(_ number: UInt64, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
        let senders = addresses.isAtLeast ? "at least \(addresses.count) addresses" : "\(addresses.count) addresses"
        let damaged = Malformation.allCases.reduce(0) { $0 + malformed[$1] }
        return
            ([count(records, "record"), count(reports, "report"), addresses.count == 1 ? "1 address" : senders]
            + (damaged > 0 ? ["\(damaged) malformed"] : []) + beacons.map { "\($0.count) \($0.name)" }
            + (gps.map { ["\($0.fixes) fix\($0.fixes == 1 ? "" : "es")"] } ?? []))
            .joined(separator: ", ")
    }
}

/// The right margin, and whether there is colour.
private struct Screen {
    typealias Title = (text: String, cells: Int, isRight: Bool)

    let width: Int
    let isColoured: Bool

    /// Cells of a table with two blanks between them, cut at the margin.
    func line(_ cells: [Line]) -> String {
        var line = Line()
        for (number, cell) in cells.enumerated() {
            if number > 0 { line.append("  ") }
            line.append(cell)
        }
        return line.fitted(to: width, pads: false).rendered(isColoured: isColoured)
    }

    func title(_ titles: [Title]) -> String {
        line(titles.map { Line($0.text, .bold).fitted(to: $0.cells, isRight: $0.isRight) })
    }
}
