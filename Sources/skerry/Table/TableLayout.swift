/// The right margin, and whether there is colour.
struct TableLayout {
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
