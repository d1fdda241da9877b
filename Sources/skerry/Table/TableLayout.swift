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

    /// As many words on a line as it holds, those that follow the first indented.
    func paragraph(
        _ words: [String], between gap: String, indent: Int = 0, _ style: Line.Style = .plain
    ) -> [String] {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.cells + gap.cells + word.cells <= width {
                lines[lines.count - 1] = last + gap + word
            } else {
                lines.append(String(repeating: " ", count: lines.isEmpty ? indent : 2) + word)
            }
        }
        return lines.map { line([Line($0, style)]) }
    }
}
