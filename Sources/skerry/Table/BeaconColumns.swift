/// The columns of the beacons that a width has room for: bar, age, RSSI and proximity go first.
struct BeaconColumns {
    var name: Int
    let numbers: Int
    var hasProximity = false
    var hasRSSI = false
    var hasAge = false
    var bar = 0

    /// - Parameters:
    ///   - wish: Cells that the longest name takes.
    ///   - least: A name is not cut below so many cells for the sake of other columns.
    init(width: Int, name wish: Int, least: Int = 8, numbers: Int) {
        self.numbers = numbers
        // What remains for the name when the gaps, the numbers and the distance have their places.
        var rest = width - (2 + numbers) - (2 + 8)
        func take(_ cells: Int, keeping least: Int) -> Bool {
            guard rest - cells >= min(wish, least) else { return false }
            rest -= cells
            return true
        }
        hasProximity = take(2 + 9, keeping: least)
        hasRSSI = take(2 + 8, keeping: least)
        hasAge = hasRSSI && take(2 + 6, keeping: least)
        if hasAge, take(1 + 5, keeping: max(least, 20)) {
            bar = 5 + min(max(rest - wish, 0), 15)
            rest -= bar - 5
        }
        name = max(min(wish, rest), 1)
    }

    var proximity: Int { bar > 0 ? 9 + 1 + bar : 9 }

    var titles: [TableLayout.Title] {
        var titles: [TableLayout.Title] = [("BEACON", name, false), ("MAJ/MIN", numbers, false)]
        if hasProximity { titles.append(("PROXIMITY", proximity, false)) }
        titles.append(("DISTANCE", 8, true))
        if hasRSSI { titles.append(("RSSI", 8, true)) }
        if hasAge { titles.append(("AGE", 6, true)) }
        return titles
    }
}
