import SkerryCore

/// The beacons of the table that nobody ranges, AltBeacons and Eddystones, the strongest first.
struct UnrangedBlock {
    let beacons: [HeardBeacons.Entry]
    let now: Timestamp?

    /// Microseconds after which one that is silent is left out: it has no exit time of its own.
    static let patience: Int64 = 30 * .second

    /// Lines that all of them take, with the title.
    func height(_ layout: TableLayout) -> Int { beacons.isEmpty ? 0 : 1 + beacons.count * (isFolded(layout) ? 2 : 1) }

    /// A title, and for each a line, or two where the width is not enough: what tells it from others is never cut.
    func lines(_ layout: TableLayout, height: Int) -> [String] {
        guard !beacons.isEmpty, height > 0 else { return [] }
        let isFolded = isFolded(layout)
        let rows = (height - 1) / (isFolded ? 2 : 1)
        let isCut = beacons.count > rows
        let shown = beacons.prefix(isCut ? max(height - 2, 0) / (isFolded ? 2 : 1) : rows)
        guard !shown.isEmpty else { return [layout.line([Line("… and \(beacons.count) not ranged", .dim)])] }
        let name = isFolded ? 0 : nameCells
        var lines = [
            layout.title(
                (isFolded ? [] : [("NOT RANGED", name, false)]) + [
                    (isFolded ? "NOT RANGED" : "FORMAT", formatCells, false), ("RSSI", 8, true), ("AGE", 6, true),
                ])
        ]
        for beacon in shown {
            let text = Line(Self.text(beacon.identity))
            let cells = [
                Line(beacon.identity.format).fitted(to: formatCells),
                Line(beacon.rssi.map { "\($0) dBm" } ?? "-").fitted(to: 8, isRight: true),
                Line(now.map { Quantity.duration($0 - beacon.last) } ?? "-").fitted(to: 6, isRight: true),
            ]
            if isFolded { lines.append(layout.line([text])) }
            lines.append(layout.line((isFolded ? [] : [text.fitted(to: name)]) + cells))
        }
        if isCut { lines.append(layout.line([Line("… and \(beacons.count - shown.count) more", .dim)])) }
        return lines
    }

    private static func text(_ identity: FrameIdentity) -> String {
        identity.name + (identity.number.map { "/" + $0 } ?? "")
    }

    private var nameCells: Int { beacons.reduce(10) { max($0, Self.text($1.identity).cells) } }
    private var formatCells: Int { beacons.reduce(10) { max($0, $1.identity.format.cells) } }

    private func isFolded(_ layout: TableLayout) -> Bool {
        // Saturating: the width of a file is endless.
        layout.width < nameCells + 2 + formatCells + 2 + 8 + 2 + 6
    }
}
