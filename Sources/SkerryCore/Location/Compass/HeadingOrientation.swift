/// Which side of the device counts as its top: what Core Location calls `headingOrientation`.
public enum HeadingOrientation: String, CaseIterable, Sendable {
    /// Its own top.
    case portrait
    /// Its bottom.
    case upsideDown
    /// The side to the right of its top.
    case landscapeLeft
    /// The side to the left of its top.
    case landscapeRight

    /// Degrees to add to what the device says.
    public var degrees: Double {
        switch self {
        case .portrait: 0
        case .upsideDown: 180
        case .landscapeLeft: 90
        case .landscapeRight: -90
        }
    }
}
