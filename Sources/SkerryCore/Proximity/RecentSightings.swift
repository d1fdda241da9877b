/// Which beacons a scanner heard of late: enough to know whether a sudden silence is theirs or its own.
struct RecentSightings {
    /// So many beacons do not leave at one moment.
    static let many = 4
    private static let window = 10 * Int64.second
    private static let fewest = 5

    /// Times of the latest sightings, the oldest at `place`.
    private var times = InlineArray<5, Timestamp>(repeating: .earliest)
    private var place = 0
    /// The beacons heard last, latest first.
    private var slots = InlineArray<4, Int>(repeating: -1)
    private var slotTimes = InlineArray<4, Timestamp>(repeating: .earliest)

    @inline(__always)
    mutating func add(_ slot: Int, at time: Timestamp) {
        times[place] = time
        place = place == Self.fewest - 1 ? 0 : place + 1
        if slots[0] != slot { bringForward(slot) }
        slotTimes[0] = time
    }

    private mutating func bringForward(_ slot: Int) {
        var last = 1
        while last < Self.many - 1, slots[last] != slot { last += 1 }
        for index in stride(from: last, to: 0, by: -1) {
            slots[index] = slots[index - 1]
            slotTimes[index] = slotTimes[index - 1]
        }
        slots[0] = slot
    }

    /// Moves all sightings.
    mutating func shift(by span: Int64) {
        for index in times.indices { times[index] = times[index] + span }
        for index in slotTimes.indices { slotTimes[index] = slotTimes[index] + span }
    }

    /// Beacons heard in the ten seconds before `time`, at most `many`; none where there were fewer than five sightings.
    func beacons(before time: Timestamp) -> Int {
        let begin = time + -Self.window
        guard times[place] > begin else { return 0 }
        return slots.indices.count { slots[$0] >= 0 && slotTimes[$0] > begin }
    }
}
