/// Tracks by identity and source: open addressing over a dense array, seeded against chosen identities, bounded.
struct BeaconTable {
    /// Beacons known at once, each counted for every source that hears it; beyond, the one whose exit would come first goes.
    static let limit = 1 << 20

    private var tracks: [Track] = []
    /// How often each slot was given back, as far as a byte counts.
    private var generations: [UInt8] = []
    private var free: [UInt32] = []
    /// Slot + 1; 0 is empty.
    private var index = [UInt32](repeating: 0, count: 64)
    private let hash: SeededHash

    init(seed: UInt64) { hash = SeededHash(seed: seed) }

    /// Beacons known now.
    var count: Int { tracks.count - free.count }

    /// Slots in use or free; every known track has a number below.
    var slots: Int { tracks.count }

    /// Whether a slot is in use by the beacon that had it in that generation.
    func isKnown(_ slot: Int, _ generation: UInt8) -> Bool {
        slot < tracks.count && tracks[slot].isKnown && generations[slot] == generation
    }

    /// Counts the beacons that have had a slot.
    func generation(_ slot: Int) -> UInt8 { generations[slot] }

    @inline(__always)
    subscript(slot: Int) -> Track {
        _read { yield tracks[slot] }
        _modify { yield &tracks[slot] }
    }

    /// The slot of a track that is known.
    @inline(__always)
    func find(_ identity: BeaconIdentity, _ source: SourceID) -> Int? {
        var place = home(identity, source)
        while true {
            let entry = Int(index[place])
            if entry == 0 { return nil }
            if tracks[entry - 1].identity == identity, tracks[entry - 1].source == source { return entry - 1 }
            place = (place &+ 1) & (index.count &- 1)
        }
    }

    /// The slots of a beacon's tracks, by number of the source.
    func tracks(of identity: BeaconIdentity, sources: Int) -> [Int] {
        (0..<sources).compactMap { find(identity, SourceID(rawValue: UInt16($0))) }
    }

    /// Adds a track that is not known yet.
    mutating func insert(_ track: Track) -> Int {
        if (count + 1) * 2 > index.count { growIndex() }
        let slot: Int
        if let reused = free.popLast() {
            slot = Int(reused)
            tracks[slot] = track
        } else {
            slot = tracks.count
            tracks.appendToLarge(track)
            if generations.count < tracks.count { generations.appendToLarge(0) }
        }
        place(slot)
        return slot
    }

    /// Forgets a track. Entries behind it move up, so that no search ends early.
    mutating func remove(_ slot: Int) {
        let mask = index.count - 1
        var hole = home(tracks[slot].identity, tracks[slot].source)
        while index[hole] != UInt32(slot + 1) { hole = (hole + 1) & mask }
        var next = (hole + 1) & mask
        while index[next] != 0 {
            let other = Int(index[next]) - 1
            let wanted = home(tracks[other].identity, tracks[other].source)
            if (next - wanted) & mask >= (next - hole) & mask {
                index[hole] = index[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        index[hole] = 0
        tracks[slot].presence = Presence()
        generations[slot] &+= 1
        free.append(UInt32(slot))
        // After a crowd has gone, its room is given back.
        if count == 0, tracks.count > 1024 {
            tracks = []
            free = []
            index = [UInt32](repeating: 0, count: 64)
        }
    }

    private mutating func place(_ slot: Int) {
        var place = home(tracks[slot].identity, tracks[slot].source)
        while index[place] != 0 { place = (place + 1) & (index.count - 1) }
        index[place] = UInt32(slot + 1)
    }

    private mutating func growIndex() {
        // A large one at once as large as it may get: the room of outgrown ones would stay with the process.
        let size = index.count < 1 << 17 ? index.count * 2 : Self.limit * 2
        index = [UInt32](repeating: 0, count: size)
        for slot in 0..<tracks.count where tracks[slot].isKnown { place(slot) }
    }

    @inline(__always)
    private func home(_ identity: BeaconIdentity, _ source: SourceID) -> Int {
        let numbers = UInt64(identity.major) << 32 | UInt64(identity.minor) << 16 | UInt64(source.rawValue)
        let mixed = hash(hash(identity.uuid.high, identity.uuid.low), numbers)
        return Int(truncatingIfNeeded: mixed) & (index.count &- 1)
    }
}

extension Array {
    /// Appends to an array of something of every beacon. From 65,536 on there is room for all that can be known: memory
    /// that nothing touches costs nothing, but outgrown copies do.
    mutating func appendToLarge(_ element: Element) {
        if count == 1 << 16, capacity < BeaconTable.limit { reserveCapacity(BeaconTable.limit) }
        append(element)
    }
}
