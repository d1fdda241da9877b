/// The way to a destination: how far, in which direction, where to turn, and whether it is reached.
public struct Guidance: Sendable {
    /// Where to turn.
    public enum Arrow: String, Sendable {
        /// The destination lies within 10 degrees of straight ahead.
        case ahead
        /// It lies to the left; also if it lies exactly behind.
        case left
        /// It lies to the right.
        case right
    }

    /// What is known at a position.
    public struct Step: Equatable, Sendable {
        /// Metres.
        public var distance: Double
        /// Degrees clockwise from true north, 0 ≤ bearing < 360; `nil` where the destination is too near to have one.
        public var bearing: Double?
        /// The destination as seen from the device: degrees to the right of straight ahead, -180 < angle ≤ 180.
        public var relativeAngle: Double?
        /// Where to turn.
        public var arrow: Arrow?
        /// The destination was reached just now.
        public var isArrival = false
        /// The destination is reached, and has not been left since.
        public var hasArrived = false
    }

    /// Where to go.
    public let destination: Coordinate
    /// Metres; nearer than this is there.
    public let arrivalRadius: Double
    private var hasArrived = false

    /// A way that has not been gone.
    public init(to destination: Coordinate, arrivalRadius: Double = 500) {
        self.destination = destination
        self.arrivalRadius = arrivalRadius
    }

    /// Takes in a position.
    ///
    /// Arrival is told once. It can be told again after a position that is farther away than the radius by a tenth of
    /// it, and by 20 m at least, so that fixes which scatter at the border do not tell it again and again.
    ///
    /// - Parameters:
    ///   - horizontalAccuracy: Metres; a destination within a quarter of it, or within a metre, has no bearing.
    ///   - trueHeading: Where the device points, degrees clockwise from true north.
    public mutating func observe(
        position: Coordinate, horizontalAccuracy: Double? = nil, trueHeading: Double?
    ) -> Step {
        let way = position.way(to: destination)
        var step = Step(distance: way.distance)
        if way.distance >= max(1, (horizontalAccuracy ?? 0) / 4) { step.bearing = way.initialBearing }
        if let bearing = step.bearing, let trueHeading, trueHeading.isFinite {
            let angle = trueHeading.turn(to: bearing)
            step.relativeAngle = angle
            step.arrow = abs(angle) <= 10 ? .ahead : angle > 0 && angle < 180 ? .right : .left
        }
        if hasArrived {
            hasArrived = way.distance <= arrivalRadius + max(arrivalRadius / 10, 20)
        } else if way.distance < arrivalRadius {
            hasArrived = true
            step.isArrival = true
        }
        step.hasArrived = hasArrived
        return step
    }
}
