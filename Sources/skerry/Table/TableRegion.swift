import SkerryCore

/// A region as the table shows it: its state, and who is in it.
struct TableRegion {
    let name: String
    let isMonitored: Bool
    /// `nil` of a circle.
    let definition: BeaconRegion?
    var state = RegionState.unknown
    var since: Timestamp?
    var beacons: [RangedBeacon] = []
    var omitted = 0
}
