import SkerryCore

/// Figures as tables for people: a block a file, in it a table for each thing that was measured, a row a profile.
enum EvaluationText {
    static func block(_ name: String, _ evaluations: [Evaluation]) -> String {
        let first = evaluations[0]
        let sessions = first.sessions == 1 ? "1 session" : "\(first.sessions) sessions"
        let adverts = first.adverts == 1 ? "1 advert" : "\(first.adverts) adverts"
        var tables: [[[String]]] = []
        if first.distance != nil { tables.append(distance(evaluations)) }
        if first.flaps != nil { tables.append(flaps(evaluations)) }
        if first.reaction != nil { tables.append(reaction(evaluations)) }
        if first.doorway != nil { tables.append(doorway(evaluations)) }
        if !first.presence.isEmpty { tables.append(presence(evaluations)) }
        return "\(name): \(sessions), \(adverts)\n" + tables.map { "\n" + aligned($0) }.joined()
    }

    private static func distance(_ evaluations: [Evaluation]) -> [[String]] {
        let head = [
            "distance", "median error", "mean error", "log-RMSE", "zone right", "immediate", "near", "far", "moments",
        ]
        return [head]
            + evaluations.map { evaluation in
                let figures = evaluation.distance!
                return [
                    evaluation.profile.rawValue, fixed(figures.medianError, 2) + " m",
                    fixed(figures.meanError, 2) + " m", fixed(figures.logRMSE, 3), percent(figures.accuracy),
                ] + figures.recalls.map(percent) + ["\(figures.count)"]
            }
    }

    private static func flaps(_ evaluations: [Evaluation]) -> [[String]] {
        [["lying still", "zone changes an hour", "hours"]]
            + evaluations.map { evaluation in
                let figures = evaluation.flaps!
                return [evaluation.profile.rawValue, fixed(figures.perHour, 1), fixed(figures.hours, 2)]
            }
    }

    private static func reaction(_ evaluations: [Evaluation]) -> [[String]] {
        [["moved", "away shows after", "nine of ten", "back shows after", "places told apart"]]
            + evaluations.map { evaluation in
                let figures = evaluation.reaction!
                return [
                    evaluation.profile.rawValue, seconds(figures.meanAway, 1), seconds(figures.p90Away, 1),
                    seconds(figures.meanBack, 1), "\(figures.away.count) of \(figures.recordings)",
                ]
            }
    }

    private static func doorway(_ evaluations: [Evaluation]) -> [[String]] {
        [["doorway", "crossings missed", "shown after", "extra changes an hour", "hours"]]
            + evaluations.map { evaluation in
                let figures = evaluation.doorway!
                return [
                    evaluation.profile.rawValue, "\(figures.missed) of \(figures.crossings)",
                    seconds(figures.medianDelay, 0), fixed(figures.extraChangesPerHour, 1), fixed(figures.hours, 2),
                ]
            }
    }

    /// A cell: false exits an hour, median delay, delay of nine of ten.
    private static func presence(_ evaluations: [Evaluation]) -> [[String]] {
        let head = evaluations[0].presence.map { figures in
            switch figures.loss {
            case .clean: "no loss"
            case .loss30: "30 % lost"
            case .loss60: "60 % lost"
            case .loss90: "90 % lost"
            case .bursts, .heavy, .onset: "\(figures.loss)"
            }
        }
        return [["false exits/h, delay"] + head]
            + evaluations.map { evaluation in
                [evaluation.profile.rawValue]
                    + evaluation.presence.map { figures in
                        let delays = [figures.medianDelay, figures.p90Delay].map { $0.map { fixed($0, 0) } ?? "-" }
                        return fixed(figures.falseExitsPerHour, 2) + " " + delays.joined(separator: "/") + " s"
                    }
            }
    }

    // MARK: Cells

    private static func percent(_ share: Double?) -> String { share.map { fixed(100 * $0, 1) + " %" } ?? "-" }

    private static func seconds(_ value: Double?, _ decimals: Int) -> String {
        value.map { fixed($0, decimals) + " s" } ?? "-"
    }

    /// With so many decimals; halves away from zero.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((value * Double(scale)).rounded(.toNearestOrAwayFromZero))
        let whole = (scaled < 0 ? "-" : "") + "\(scaled.magnitude / scale.magnitude)"
        guard decimals > 0 else { return whole }
        let rest = "\(scaled.magnitude % scale.magnitude)"
        return whole + "." + String(repeating: "0", count: decimals - rest.count) + rest
    }

    /// Lines with columns two spaces apart: the first to the left, figures to the right.
    private static func aligned(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + padding : padding + cell.0
            }
            return "  " + cells.joined(separator: "  ") + "\n"
        }.joined()
    }
}
