/// Deadlines of tracks, earliest first: a binary heap on the listened time of one source.
///
/// Entries may become outdated before their time. Whoever pushes removes those once they may outnumber the others, which costs
/// no more than it cost to push them.
struct ExitQueue {
    struct Entry {
        var deadline: Int64
        var slot: UInt32
        var rule: ExitRules.Rule
        /// Of the slot, which another beacon may have taken since.
        var generation: UInt8

        static func < (a: Entry, b: Entry) -> Bool {
            a.deadline != b.deadline ? a.deadline < b.deadline : a.slot < b.slot
        }
    }

    private var heap: [Entry] = []
    /// Entries that may be there before outdated ones are removed.
    private var room = Self.leastRoom
    static let leastRoom = 64

    /// Outdated ones included.
    var count: Int { heap.count }
    /// Whether it has twice the entries that it had after the last removal.
    var isOvergrown: Bool { heap.count > room }

    /// Removes entries wherever they are.
    mutating func removeAll(where isOutdated: (Entry) -> Bool) {
        heap.removeAll(where: isOutdated)
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(heap[place], from: place) }
        room = max(Self.leastRoom, 2 * heap.count)
    }

    /// The earliest, left in place.
    var first: Entry? { heap.first }

    mutating func push(_ entry: Entry) {
        heap.appendToLarge(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry < heap[parent] else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }

    @discardableResult
    mutating func popFirst() -> Entry? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty { sink(last, from: 0) }
        return first
    }

    /// Puts an entry into a hole, below which all is in order.
    private mutating func sink(_ entry: Entry, from place: Int) {
        var hole = place
        while true {
            var child = 2 * hole + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < entry else { break }
            heap[hole] = heap[child]
            hole = child
        }
        heap[hole] = entry
    }
}
