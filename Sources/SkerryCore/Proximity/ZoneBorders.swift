/// Where zones meet, in dB below measured power: 0 is the level at 1 m.
public struct ZoneBorders: Equatable, Sendable {
    /// Between immediate and near.
    public let near: Float
    /// Between near and far.
    public let far: Float

    /// As fitted on public recordings; docs/figures.md.
    public static let standard = ZoneBorders(near: -6, far: 7.5)!

    /// - Returns: `nil` unless the first lies below the second.
    public init?(near: Float, far: Float) {
        guard near < far else { return nil }
        self.near = near
        self.far = far
    }
}
