import SkerryCore

/// What the table shows of place, direction and the way to the destination: a line each, where they are known.
struct PlaceLines {
    private var location: (fix: Fix, time: Timestamp?)?
    private var isPlaceKnown = false
    private var heading: Heading?
    private var step: Guidance.Step?

    /// Takes in an event.
    mutating func take(_ event: Event) {
        switch event.content {
        case .location(let fix):
            location = (fix, event.time)
            isPlaceKnown = true
        case .error(let fault) where fault.name == .locationUnknown: isPlaceKnown = false
        case .heading(let heading): self.heading = heading
        case .guidance(let step): self.step = step
        default: break
        }
    }

    /// The lines, at most two.
    func lines(at now: Timestamp?) -> [Line] {
        let known = place(at: now) + (heading.flatMap(Self.text).map { ["heading \($0)"] } ?? [])
        return (known.isEmpty ? [] : [Line(known.joined(separator: "  "))]) + (step.map { [Self.line($0)] } ?? [])
    }

    private func place(at now: Timestamp?) -> [String] {
        guard let (fix, time) = location else { return [] }
        let place = fix.coordinate
        var words = [
            "\(Self.degrees(place.latitude)), \(Self.degrees(place.longitude))",
            "±\(Quantity.distance(fix.horizontalAccuracy))",
        ]
        if let speed = fix.speed {
            let tenths = Int((speed * 10).rounded())
            words.append("\(tenths / 10).\(tenths % 10) m/s")
        }
        if let course = fix.course { words.append("course \(Self.direction(course))") }
        if let now, let time { words.append("\(Quantity.duration(now - time)) ago") }
        return words + (isPlaceKnown ? [] : ["no fix"])
    }

    private static func text(_ heading: Heading) -> String? {
        guard heading.headingAccuracy != nil else { return "invalid" }
        if let geographic = heading.trueHeading { return "\(direction(geographic)) true" }
        return heading.magneticHeading.map { "\(direction($0)) magnetic" }
    }

    private static func line(_ step: Guidance.Step) -> Line {
        var line = Line("destination \(Quantity.distance(step.distance))")
        if let bearing = step.bearing { line.append(", bearing \(direction(bearing))") }
        if step.hasArrived {
            line.append(", arrived", .green)
        } else if let arrow = step.arrow, let angle = step.relativeAngle {
            line.append(", \(arrow.rawValue) \(Int(abs(angle).rounded()))°", arrow == .ahead ? .green : .cyan)
        }
        return line
    }

    /// A metre and a bit on the ground.
    private static func degrees(_ angle: Double) -> String {
        let scaled = Int((abs(angle) * 100_000).rounded())
        let decimals = "\(scaled % 100_000)"
        let sign = angle < 0 && scaled > 0 ? "-" : ""
        return sign + "\(scaled / 100_000)." + String(repeating: "0", count: 5 - decimals.count) + decimals
    }

    private static func direction(_ degrees: Double) -> String { "\(Int(degrees.rounded()) % 360)°" }
}
