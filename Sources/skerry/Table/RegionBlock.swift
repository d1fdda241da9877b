import SkerryCore

/// The monitored regions of the table.
struct RegionBlock {
    let regions: [TableRegion]
    let now: Timestamp?
    let clock: (Timestamp) -> LocalTime

    /// A title and a line for each.
    ///
    /// - Parameter room: There are no more lines below the title.
    func lines(_ layout: TableLayout, room: Int) -> [String] {
        guard room > 0 else { return [] }
        let isCut = regions.count > room
        // Where they do not all fit, those that one is in.
        let order = isCut ? regions.filter { $0.state == .inside } + regions.filter { $0.state != .inside } : regions
        let shown = order.prefix(isCut ? room - 1 : room)
        let longest = regions.reduce(6) { max($0, $1.name.cells) }
        let name = min(longest, max(layout.width - 29, 8))
        var lines = [layout.title([("REGION", name, false), ("STATE", 7, false), ("SINCE", 5, false)])]
        for region in shown {
            var since = ""
            if let start = region.since, let now {
                let begin = clock(start)
                let isToday = begin.date == clock(now).date
                since = (isToday ? "" : "\(begin.date) ") + "\(begin.timeOfDay) (\(Quantity.duration(now - start)))"
            }
            lines.append(
                layout.line([
                    Line(region.name).fitted(to: name),
                    Line("\(region.state.name)", region.state.style).fitted(to: 7),
                    Line(since),
                ]))
        }
        if isCut { lines.append(layout.line([Line("… and \(regions.count - shown.count) more", .dim)])) }
        return lines
    }
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
