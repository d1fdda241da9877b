/// Text for a terminal, whose width is known. Nothing in it can move the cursor.
struct Line {
    /// ECMA-48 Select Graphic Rendition; the eight colours that terminals let their users choose.
    enum Style: String {
        case plain = "0"
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    /// A character with the marks above and below it.
    private struct Glyph {
        var text: String
        let cells: Int
        let style: Style
    }

    private var glyphs: [Glyph] = []

    /// Cells it takes up.
    var cells: Int { glyphs.reduce(0) { $0 + $1.cells } }

    init() {}

    init(_ text: String, _ style: Style = .plain) { append(text, style) }

    /// Adds text as it can be shown. Controls, line ends and marks of direction become U+FFFD. What makes one picture of
    /// several characters is left out, as terminals disagree on its width.
    mutating func append(_ text: String, _ style: Style = .plain) {
        for scalar in text.unicodeScalars {
            if scalar.joinsPictures { continue }
            switch scalar.cells {
            case nil: glyphs.append(Glyph(text: "\u{FFFD}", cells: 1, style: style))
            case 0?:
                guard let last = glyphs.indices.last else { continue }
                // A few marks, as some letters have them; not towers of them.
                if glyphs[last].text.unicodeScalars.count <= 4 { glyphs[last].text.unicodeScalars.append(scalar) }
            case let cells?: glyphs.append(Glyph(text: String(Character(scalar)), cells: cells, style: style))
            }
        }
    }

    mutating func append(_ line: Line) { glyphs += line.glyphs }

    /// Cut with an ellipsis, or filled with blanks, to a number of cells.
    func fitted(to width: Int, isRight: Bool = false, pads: Bool = true) -> Line {
        var result = self
        var cells = cells
        if cells > width {
            while let last = result.glyphs.last, cells > width - 1 {
                cells -= last.cells
                result.glyphs.removeLast()
            }
            guard width > 0 else { return result }
            result.glyphs.append(Glyph(text: "…", cells: 1, style: result.glyphs.last?.style ?? .plain))
            cells += 1
        }
        guard pads, cells < width else { return result }
        let blanks = [Glyph](repeating: Glyph(text: " ", cells: 1, style: .plain), count: width - cells)
        result.glyphs.insert(contentsOf: blanks, at: isRight ? 0 : result.glyphs.count)
        return result
    }

    /// Without blanks at its end.
    func rendered(isColoured: Bool) -> String {
        var text = ""
        var style = Style.plain
        let end = glyphs.lastIndex { $0.text != " " }.map { $0 + 1 } ?? 0
        for glyph in glyphs[..<end] {
            if isColoured, glyph.style != style {
                // Reset first: a style does not end another.
                text += style == .plain ? "" : "\u{1B}[0m"
                text += glyph.style == .plain ? "" : "\u{1B}[\(glyph.style.rawValue)m"
                style = glyph.style
            }
            text += glyph.text
        }
        return style == .plain ? text : text + "\u{1B}[0m"
    }
}

extension String {
    /// Cells of a terminal that it takes up.
    var cells: Int { Line(self).cells }
}

extension Unicode.Scalar {
    /// Zero width joiner, variation selectors and skin tones.
    var joinsPictures: Bool {
        value == 0x200D || properties.isVariationSelector || properties.isEmojiModifier
    }

    /// Cells of a terminal; `nil` for what can't be shown. Wide are the larger blocks of Unicode Standard Annex 11.
    var cells: Int? {
        if value < 0x7F { return value < 0x20 ? nil : 1 }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return nil
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        switch value {
        case 0x1160...0x11FF: return 0
        // Flags are pairs of letters, two cells together.
        case 0x1F1E6...0x1F1FF: return 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return properties.isEmojiPresentation ? 2 : 1
        }
    }
}
