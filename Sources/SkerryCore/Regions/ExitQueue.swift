/// Deadlines of tracks, earliest first: a binary heap on the listened time of one source.
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
        guard !heap.isEmpty else { return first }
        var hole = 0
        while true {
            var child = 2 * hole + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < last else { break }
            heap[hole] = heap[child]
            hole = child
        }
        heap[hole] = last
        return first
    }
}
