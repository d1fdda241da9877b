/// A circle on the ground that is entered and left.
public struct CircularRegion: Equatable, Sendable {
    /// Metres. No two places are farther apart, so a circle of this radius holds every place: half a meridian of the
    /// WGS 84 ellipsoid.
    public static let greatestRadius = 20_003_931.458_6

    /// What events call it.
    public let name: String
    /// Its middle.
    public let centre: Coordinate
    /// Metres, above 0 and at most `greatestRadius`; a place at just this distance is inside.
    public let radius: Double
    /// Whether entering is an event. The state is kept all the same.
    public let notifyOnEntry: Bool
    /// Whether leaving is an event. The state is kept all the same.
    public let notifyOnExit: Bool

    /// - Returns: `nil` where the name is empty or the radius out of its bounds.
    public init?(
        name: String, centre: Coordinate, radius: Double, notifyOnEntry: Bool = true, notifyOnExit: Bool = true
    ) {
        guard !name.isEmpty, radius > 0, radius <= Self.greatestRadius else { return nil }
        self.name = name
        self.centre = centre
        self.radius = radius
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
    }
}

extension CircularRegion {
    /// Metres. A fix at least this accurate is good enough for every circle.
    static let accuracyForAll = 500.0

    /// Whether a fix is good enough to say anything about the circle.
    func accepts(horizontalAccuracy: Double) -> Bool { horizontalAccuracy <= max(Self.accuracyForAll, 2 * radius) }

    /// Metres to both sides of the border in which a fix says nothing. Half the radius at most, else a poor fix could
    /// never enter a small circle.
    func margin(horizontalAccuracy: Double) -> Double { min(horizontalAccuracy, radius / 2) }

    /// What a fix says, at a distance from the centre; `unknown` where it says nothing.
    func state(distance: Double, horizontalAccuracy: Double) -> RegionState {
        let margin = margin(horizontalAccuracy: horizontalAccuracy)
        if distance + margin <= radius { return .inside }
        return distance - margin > radius ? .outside : .unknown
    }
}
