/// What somebody may have meant.
enum Spelling {
    /// The word that is so near to another one that it is worth a question; `nil` where none is. A third of the letters may
    /// be wrong.
    static func nearest(to word: String, among known: [String]) -> String? {
        let near = known.map { ($0, distance($0, word)) }.min { $0.1 < $1.1 }
        guard let near, near.1 <= max(near.0.utf8.count, word.utf8.count) / 3 else { return nil }
        return near.0
    }

    /// Insertions, deletions and replacements from one word to another (Levenshtein).
    static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                (diagonal, row[j + 1]) = (row[j + 1], min(row[j + 1] + 1, row[j] + 1, diagonal + (x == y ? 0 : 1)))
            }
        }
        return row[b.count]
    }
}
