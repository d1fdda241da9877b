import Glibc
import SkerryCore

/// The beacons of the table, the nearest first.
struct BeaconBlock {
    private struct Row {
        var name: String
        /// Whether the name is a UUID, which is never cut: it is what people paste into an option.
        var isUUID = false
        /// Members of an identity that the region of the name fixes.
        var precision: Int
        var beacon: RangedBeacon
    }

    private let rows: [Row]
    private let total: Int
    private let now: Timestamp?

    init(_ regions: [TableRegion], now: Timestamp?) {
        let rows = Self.rows(regions)
        self.rows = rows
        // Reports of overlapping regions may leave out the same beacons: there are at least so many.
        total = regions.reduce(rows.count) { max($0, $1.beacons.count + $1.omitted) }
        self.now = now
    }

    /// Lines that all of them take below the title.
    func height(_ layout: TableLayout) -> Int {
        max(rows.count, 1) + (isFolded(layout) ? rows.count(where: \.isUUID) : 0)
    }

    /// Whether a UUID has a line of its own, as the width is not enough for it, the numbers and the distance.
    private func isFolded(_ layout: TableLayout) -> Bool {
        rows.contains(where: \.isUUID) && layout.width < Self.uuidCells + 2 + numbers(rows[...]) + 2 + 8
    }

    private func numbers(_ rows: ArraySlice<Row>) -> Int {
        rows.reduce(7) { max($0, $1.beacon.identity.numbers.count) }
    }

    private static let uuidCells = 36

    /// A row for each identity, however many regions it is in. The name is that of the region that tells most about it;
    /// one that takes any UUID tells nothing, and the UUID stands in its place.
    private static func rows(_ regions: [TableRegion]) -> [Row] {
        var rows: [Row] = []
        var places: [BeaconIdentity: Int] = [:]
        for region in regions {
            guard let definition = region.definition else { continue }
            let precision = [definition.uuid != nil, definition.major != nil, definition.minor != nil].count { $0 }
            for beacon in region.beacons {
                let name = precision > 0 ? definition.name : beacon.identity.uuid.description
                let row = Row(name: name, isUUID: precision == 0, precision: precision, beacon: beacon)
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

    /// A title, and a line for each, or two.
    ///
    /// - Parameter room: There are no more lines below the title.
    func lines(_ layout: TableLayout, room: Int) -> [String] {
        guard room > 0 else { return [] }
        let isFolded = isFolded(layout)
        let isCut = height(layout) > room || total > rows.count
        var rest = isCut ? room - 1 : room
        let shown = rows.prefix { row in
            rest -= isFolded && row.isUUID ? 2 : 1
            return rest >= 0
        }
        let hasUUID = !isFolded && shown.contains(where: \.isUUID)
        let columns = BeaconColumns(
            width: layout.width, name: shown.reduce(6) { max($0, isFolded && $1.isUUID ? 0 : $1.name.cells) },
            least: hasUUID ? Self.uuidCells : 8, numbers: numbers(shown))
        var lines = [layout.title(columns.titles)]
        for row in shown {
            var row = row
            if isFolded, row.isUUID {
                lines.append(layout.line([Line(row.name)]))
                row.name = ""
            }
            lines.append(layout.line(cells(row, columns)))
        }
        if rows.isEmpty { lines.append(layout.line([Line("none in range", .dim)])) }
        if isCut { lines.append(layout.line([Line("… and \(total - shown.count) more", .dim)])) }
        return lines
    }

    private func cells(_ row: Row, _ columns: BeaconColumns) -> [Line] {
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
        cells.append(Line(beacon.accuracy.map(Quantity.distance) ?? "-").fitted(to: 8, isRight: true))
        if columns.hasRSSI {
            let level = beacon.rssi.map { "\(Int($0.rounded())) dBm" } ?? "-"
            cells.append(Line(level).fitted(to: 8, isRight: true))
        }
        if columns.hasAge {
            cells.append(Line(now.map { Quantity.duration($0 - beacon.lastSeen) } ?? "-").fitted(to: 6, isRight: true))
        }
        return cells
    }

    /// Filled cells of a bar: all at 0.25 m, each halving of the distance the same step, none from 32 m on.
    static func bar(_ metres: Double, of cells: Int) -> Int {
        let steps = log2(min(max(metres, 0.25), 32) / 0.25)
        return Int((Double(cells) * (1 - steps / 7)).rounded())
    }
}

extension BeaconIdentity {
    fileprivate var numbers: String { "\(major)/\(minor)" }
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
