import SkerryCore

/// The end of the table: what was heard of each beacon, the strongest first.
struct SummaryBlock {
    private struct Row {
        let identity, number, format, first, last, count, strongest, nearest: String

        var cells: [String] { [identity, number, format, first, last, count, strongest, nearest] }
    }

    private static let titles = ["HEARD", "MAJ/MIN", "FORMAT", "FIRST", "LAST", "COUNT", "STRONGEST", "NEAREST"]
    /// Columns of numbers.
    private static let rightmost = 5

    private let rows: [Row]
    private let hasForgotten: Bool

    init(_ heard: HeardBeacons, now: Timestamp?, clock: (Timestamp) -> LocalTime) {
        let today = now.map { clock($0).date }
        func text(_ time: Timestamp) -> String {
            let time = clock(time)
            return (time.date == today ? "" : "\(time.date) ") + time.timeOfDay
        }
        rows = heard.all.map { entry in
            Row(
                identity: entry.identity.name, number: entry.identity.number ?? "", format: entry.identity.format,
                first: text(entry.first), last: text(entry.last), count: "\(entry.count)",
                strongest: entry.strongest.map { "\($0) dBm" } ?? "-",
                nearest: entry.nearest.map(Quantity.distance) ?? "-")
        }
        hasForgotten = heard.hasForgotten
    }

    /// A title and a line for each; where the width is not enough for all columns, a few short lines for each.
    func lines(_ layout: TableLayout) -> [String] {
        guard !rows.isEmpty else { return [layout.line([Line("no beacon was heard", .dim)])] }
        let widths = Self.titles.indices.map { column in
            rows.reduce(Self.titles[column].cells) { max($0, $1.cells[column].cells) }
        }
        var lines: [String]
        if layout.width >= widths.reduce(2 * (widths.count - 1), +) {
            lines = [
                layout.title(
                    Self.titles.indices.map { (Self.titles[$0], widths[$0], isRight: $0 >= Self.rightmost) })
            ]
            for row in rows {
                let cells = row.cells.enumerated()
                lines.append(
                    layout.line(
                        cells.map { Line($1).fitted(to: widths[$0], isRight: $0 >= Self.rightmost) }))
            }
        } else {
            lines = [layout.title([("HEARD", 5, false)])] + rows.flatMap { paragraph($0, layout) }
        }
        if hasForgotten {
            lines.append(layout.line([Line("… and others before, as these are the last \(rows.count)", .dim)]))
        }
        return lines
    }

    /// As many words on a line as it holds, those that follow the first indented.
    private func paragraph(_ row: Row, _ layout: TableLayout) -> [String] {
        let identity = [row.identity, row.number, row.format].filter { !$0.isEmpty }
        let facts = [
            "\(row.first) to \(row.last)", row.count == "1" ? "once" : "\(row.count) times",
            row.strongest == "-" ? "no level" : "strongest \(row.strongest)",
        ]
        let all = facts + (row.nearest == "-" ? [] : ["nearest \(row.nearest)"])
        return layout.paragraph(identity, between: "  ") + layout.paragraph(all, between: ", ", indent: 2)
    }
}
