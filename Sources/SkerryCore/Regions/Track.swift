/// What is known of one beacon as one source hears it. A million of them may be known: every byte counts.
struct Track: BitwiseCopyable {
    let identity: BeaconIdentity
    let source: SourceID
    var measuredPower: Int8
    /// The exit rules by which it has gone though it is still remembered.
    var exited: ExitRules.Set = []
    /// The regions it belongs to.
    let matches: RegionIndex.Matches
    /// The scan in which it was last heard, for `ScannerClock`.
    var scan: UInt32 = 0
    /// Counts the sightings since it became known, none in a slot that is free.
    var presence = Presence()
    /// Sightings since the last ranging report, and of those with a usable RSSI: number and sum.
    var heardInInterval: UInt32 = 0
    var levelsInInterval: UInt32 = 0
    var levelSum: Int32 = 0
    /// On the engine's clock.
    var lastSeen: Timestamp
    /// On its source's listened time.
    var lastHeard: Int64 = 0
    /// The entry in the exit queue that counts for the learned exit time; others of it are outdated.
    var queuedDeadline: Int64 = .max

    /// Whether the slot is in use.
    @inline(__always)
    var isKnown: Bool { presence.sightings > 0 }

    /// A sighting.
    @inline(__always)
    mutating func hear(_ frame: IBeacon, rssi: Int8?, at time: Timestamp, listened: Int64, scan: UInt32) {
        if isKnown { presence.sight(after: Float(max(0, listened - lastHeard)) / 1e6) } else { presence.sight() }
        lastSeen = time
        lastHeard = listened
        self.scan = scan
        measuredPower = frame.measuredPower
        heardInInterval &+= 1
        if let rssi {
            levelsInInterval &+= 1
            levelSum &+= Int32(rssi)
        }
    }

    /// A ranging report was made.
    mutating func beginInterval() { (heardInInterval, levelsInInterval, levelSum) = (0, 0, 0) }
}
