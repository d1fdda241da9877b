/// How near a beacon is, in Core Location's words.
public enum Proximity: UInt8, BitwiseCopyable, Sendable {
    /// Within about half a metre.
    case immediate
    /// Within a few metres.
    case near
    /// Farther.
    case far
    /// Not known at the moment.
    case unknown

    /// The name in events.
    public var name: StaticString {
        switch self {
        case .immediate: "immediate"
        case .near: "near"
        case .far: "far"
        case .unknown: "unknown"
        }
    }
}
