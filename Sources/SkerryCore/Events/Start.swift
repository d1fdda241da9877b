/// What a run begins with.
public struct Start: Sendable {
    /// The program's version.
    public var version: String
    /// The subcommand.
    public var command: String
    /// The estimator and exit rules.
    public var profile: Profile
    /// Name and kind of each input.
    public var sources: [(name: String, kind: String)]
    /// What is ranged and monitored.
    public var regions: [BeaconRegion]
    /// What is monitored on the ground; numbered after the regions.
    public var circles: [CircularRegion] = []
}
