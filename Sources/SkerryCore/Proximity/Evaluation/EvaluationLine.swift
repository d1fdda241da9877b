extension Evaluation {
    /// Writes it as one JSON object and a line feed. What was not measured is left out.
    ///
    /// - Parameter file: How the object calls the file.
    public func write(file: String, to line: inout JSONLine) {
        line.literal("{\"file\":")
        line.string(file)
        line.member("profile", profile.rawValue)
        line.member("sessions", Int64(sessions))
        line.member("adverts", Int64(adverts))
        if let distance { write(distance, to: &line) }
        if let flaps {
            line.literal(",\"flaps\":{\"count\":")
            line.integer(Int64(flaps.changes))
            line.member("hours", flaps.hours, decimals: 4)
            line.member("perHour", flaps.perHour, decimals: 4)
            line.literal("}")
        }
        if let reaction { write(reaction, to: &line) }
        if let doorway { write(doorway, to: &line) }
        if !presence.isEmpty { write(presence, to: &line) }
        line.literal("}\n")
    }

    private func write(_ distance: DistanceFigures, to line: inout JSONLine) {
        line.literal(",\"distance\":{\"count\":")
        line.integer(Int64(distance.count))
        line.member("medianError", distance.medianError, decimals: 4)
        line.member("meanError", distance.meanError, decimals: 4)
        line.member("logRMSE", distance.logRMSE, decimals: 4)
        line.member("accuracy", distance.accuracy, decimals: 4)
        line.member("balancedAccuracy", distance.balancedAccuracy, decimals: 4)
        line.literal(",\"confusion\":[")
        for (number, row) in distance.confusion.enumerated() {
            line.literal(number > 0 ? ",[" : "[")
            for (column, count) in row.enumerated() {
                if column > 0 { line.literal(",") }
                line.integer(Int64(count))
            }
            line.literal("]")
        }
        line.literal("]}")
    }

    private func write(_ reaction: ReactionFigures, to line: inout JSONLine) {
        line.literal(",\"reaction\":{\"recordings\":")
        line.integer(Int64(reaction.recordings))
        line.member("separable", Int64(reaction.away.count))
        if let mean = reaction.meanAway { line.member("awayMean", mean, decimals: 4) }
        if let p90 = reaction.p90Away { line.member("awayP90", p90, decimals: 4) }
        if let mean = reaction.meanBack { line.member("backMean", mean, decimals: 4) }
        line.literal("}")
    }

    private func write(_ doorway: DoorwayFigures, to line: inout JSONLine) {
        line.literal(",\"doorway\":{\"crossings\":")
        line.integer(Int64(doorway.crossings))
        line.member("missed", Int64(doorway.missed))
        if let delay = doorway.medianDelay { line.member("delayMedian", delay, decimals: 4) }
        line.member("extraChanges", Int64(doorway.extraChanges))
        line.member("hours", doorway.hours, decimals: 4)
        line.member("extraChangesPerHour", doorway.extraChangesPerHour, decimals: 4)
        line.literal("}")
    }

    private func write(_ presence: [PresenceFigures], to line: inout JSONLine) {
        line.literal(",\"presence\":[")
        for (number, figures) in presence.enumerated() {
            line.literal(number > 0 ? ",{\"loss\":" : "{\"loss\":")
            line.string("\(figures.loss)")
            line.member("falseExits", Int64(figures.falseExits))
            line.member("hours", figures.hours, decimals: 4)
            line.member("falseExitsPerHour", figures.falseExitsPerHour, decimals: 4)
            if let median = figures.medianDelay { line.member("delayMedian", median, decimals: 4) }
            if let p90 = figures.p90Delay { line.member("delayP90", p90, decimals: 4) }
            line.literal("}")
        }
        line.literal("]")
    }
}
