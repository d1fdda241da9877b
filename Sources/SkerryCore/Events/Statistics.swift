/// What a run counted.
public struct Statistics: Sendable {
    /// Inputs.
    public var files = 0
    /// Records of all inputs.
    public var records: UInt64 = 0
    /// Advertising reports, every one of an event and every fragment counted.
    public var reports: UInt64 = 0
    /// Distinct device addresses, whatever their kind.
    public var addresses: DistinctCount
    /// Frames by number of their format.
    private var frames = InlineArray<7, UInt64>(repeating: 0)
    /// Distinct iBeacon identities.
    public var identities: DistinctCount
    /// What was wrong with the bytes.
    public var malformed = MalformationCounts()
    /// Reports without a usable RSSI.
    public var rssiUnavailable: UInt64 = 0
    /// Records or blocks of a container that could not be read.
    public var containerErrors: UInt64 = 0
    /// Records with an earlier time than the one before.
    public var timeJumps: UInt64 = 0
    /// Extended advertisements whose fragments did not come together.
    public var fragmentsDropped: UInt64 = 0
    /// Beacons forgotten because too many were known; none where nothing that is wanted depends on known ones.
    public var evicted: UInt64 = 0
    /// Of live sources; `nil` in a replay.
    public var scanners: ScannerStatistics?
    /// Of a recording; `nil` where nothing is recorded.
    public var recording: RecordingStatistics?
    /// Of places and directions; `nil` where nothing could tell them.
    public var gps: GPSStatistics?
    /// Time of the first record.
    public var first: Timestamp?
    /// Time of the last record, in order of the file.
    public var last: Timestamp?

    private let identityHash: SeededHash
    private let countsDistinct: Bool

    /// - Parameter countsDistinct: Whether anybody asks how many addresses and identities there were. It costs more than
    ///   all other counts.
    init(seed: UInt64, countsDistinct: Bool = true) {
        self.countsDistinct = countsDistinct
        addresses = DistinctCount(seed: seed)
        identities = DistinctCount(seed: seed)
        identityHash = SeededHash(seed: seed)
    }

    /// A device was heard.
    @inline(__always)
    mutating func note(_ address: DeviceAddress) {
        if countsDistinct { addresses.insert(address.bits &+ 1) }
    }

    /// An iBeacon was heard, for the first time at least.
    mutating func note(_ identity: BeaconIdentity) {
        guard countsDistinct else { return }
        let numbers = UInt64(identity.major) << 16 | UInt64(identity.minor)
        identities.insert(identityHash(identityHash(identity.uuid.high, identity.uuid.low), numbers) | 1)
    }

    /// How often each format was heard, by name; those that were not are left out.
    public var beacons: [(name: String, count: UInt64)] {
        frames.indices.filter { frames[$0] > 0 }.map { ("\(Beacon.formatNames[$0])", frames[$0]) }
    }

    /// So many records of some capture were met.
    mutating func note(records number: UInt64, last time: Timestamp) {
        records &+= number
        last = time
    }

    @inline(__always)
    mutating func count(_ beacon: Beacon) { frames[beacon.number] &+= 1 }
}
