@testable import SkerryCore

/// Fixes north or south of a place, by time.
struct FixTrack {
    static let begin = Timestamp(iso8601: "2024-06-01T00:00:00Z")!
    static let place = Coordinate(latitude: 47, longitude: 8)!

    /// - Parameter metres: To the north of the place.
    static func fix(
        _ seconds: Double, _ metres: Double, accuracy: Double = 10, speed: Double? = nil, from place: Coordinate = place
    ) -> Fix {
        Fix(
            coordinate: place.destination(bearing: 0, distance: metres)!, time: begin + Int64(seconds * 1e6),
            horizontalAccuracy: accuracy, accuracySource: .eph, speed: speed, isThreeDimensional: true,
            isSimulated: false)
    }

    static func circle(
        _ name: String = "home", radius: Double = 100, notifyOnEntry: Bool = true, notifyOnExit: Bool = true,
        at place: Coordinate = place
    ) -> CircularRegion {
        CircularRegion(
            name: name, centre: place, radius: radius, notifyOnEntry: notifyOnEntry, notifyOnExit: notifyOnExit)!
    }
}

extension CircleMonitor {
    /// Takes fixes, each at its own time, and tells what changed: `2.0 enter home`.
    mutating func trace(_ fixes: [Fix]) -> [String] {
        fixes.flatMap { fix in
            observe(fix, at: fix.time!).map { change in
                let seconds = Double(fix.time! - FixTrack.begin) / 1e6
                let what = change.transition == .determined ? "\(change.state.name)" : "\(change.transition.name)"
                return "\(seconds) \(what) \(circles[change.region].name)"
            }
        }
    }
}
