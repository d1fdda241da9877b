/// Whether a beacon of a region is near, or the place lies in a circle.
public enum RegionState: Sendable {
    /// Not determined yet.
    case unknown
    /// In it.
    case inside
    /// Not in it.
    case outside

    /// The name in events.
    public var name: StaticString {
        switch self {
        case .unknown: "unknown"
        case .inside: "inside"
        case .outside: "outside"
        }
    }
}
