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
