import Glibc

@testable import SkerryCore

/// A receiver near a circle on the equator: its errors to the east and to the north are normal, each as large as
/// `sigma` says, and fade with a time of 60 s (Gauss-Markov).
struct CircleSimulation {
    static let centre = Coordinate(latitude: 0, longitude: 0)!
    static let begin = Timestamp(iso8601: "2024-06-01T00:00:00Z")!

    private(set) var monitor: CircleMonitor
    private(set) var changes: [(seconds: Double, change: RegionTransition)] = []
    let sigma: Double
    /// What the receiver says of it.
    let claimed: Double
    private var error: (east: Double, north: Double)
    private var last = 0.0
    var random: SeededGenerator

    init(radius: Double, sigma: Double, claimed: Double, settings: CircleSettings = CircleSettings(), seed: UInt64) {
        monitor = CircleMonitor(
            [CircularRegion(name: "home", centre: Self.centre, radius: radius)!], settings: settings)
        self.sigma = sigma
        self.claimed = claimed
        random = SeededGenerator(seed: seed)
        error = (0, 0)
        error = (sigma * normal(), sigma * normal())
    }

    /// Normal, by the method of Box and Muller.
    private mutating func normal() -> Double {
        let distance = (-2 * log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
        return distance * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
    }

    /// The receiver is so many metres from the centre, so many seconds after the beginning.
    ///
    /// - Parameter outlier: Metres to the east by which the fix is wrong besides.
    mutating func observe(east: Double, north: Double, at seconds: Double, speed: Double? = nil, outlier: Double = 0) {
        let kept = exp(-(seconds - last) / 60)
        let fresh = sigma * (1 - kept * kept).squareRoot()
        error = (kept * error.east + fresh * normal(), kept * error.north + fresh * normal())
        last = seconds
        let fix = Fix(
            // One degree is 110.574 km to the north of there, and 111.319 km to the east.
            coordinate: Coordinate(
                latitude: (north + error.north) / 110_574.4, longitude: (east + error.east + outlier) / 111_319.5)!,
            time: Self.begin + Int64(seconds * 1e6), horizontalAccuracy: claimed, accuracySource: .eph, speed: speed,
            isThreeDimensional: true, isSimulated: false)
        changes += monitor.observe(fix, at: fix.time!).map { (seconds, $0) }
    }

    /// Events without the first, which determines the state.
    var events: [(seconds: Double, change: RegionTransition)] { changes.filter { $0.change.transition != .determined } }
}
