/// Counts distinct values exactly up to 65,536; beyond, it knows only that there are at least so many.
public struct DistinctCount: Sendable {
    /// The bound of exactness.
    public static let limit = 65_536

    /// Distinct values seen, at most the limit.
    public private(set) var count = 0
    /// Whether there were more than the limit.
    public private(set) var isAtLeast = false
    private var slots = [UInt64](repeating: 0, count: 64)
    private let hash: SeededHash

    init(seed: UInt64) { hash = SeededHash(seed: seed) }

    /// Takes in a value; zero is not one.
    @inline(__always)
    mutating func insert(_ value: UInt64) {
        let mask = slots.count &- 1
        var place = Int(truncatingIfNeeded: hash(value, value)) & mask
        while slots[place] != 0 {
            if slots[place] == value { return }
            place = (place &+ 1) & mask
        }
        add(value, at: place)
    }

    @inline(never)
    private mutating func add(_ value: UInt64, at place: Int) {
        guard count < Self.limit else {
            isAtLeast = true
            return
        }
        slots[place] = value
        count += 1
        // Sparse while that costs little: every collision is a branch that was not foreseen.
        guard count * (count < Self.limit / 4 ? 4 : 2) > slots.count else { return }
        let old = slots
        slots = [UInt64](repeating: 0, count: old.count * 2)
        for value in old where value != 0 {
            var place = Int(truncatingIfNeeded: hash(value, value)) & (slots.count - 1)
            while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
            slots[place] = value
        }
    }
}
