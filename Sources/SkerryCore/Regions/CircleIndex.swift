/// Finds the circles near a way without looking at all of them.
///
/// Boxes around circles that lie near each other, boxes around eight of those, and so on up to one: an R-tree, packed.
/// Neighbours are found along a Z-order curve through space (G. M. Morton, 1966). Since the next way is mostly near the
/// last one, what lies around is kept, in a neighbourhood so wide that it has about ten circles.
struct CircleIndex {
    /// A circle, and metres around its centre in which a way is near.
    struct Entry {
        var circle: Int32
        var centre: GeocentricPoint
        var reach: Double
    }

    private struct Box {
        private var low, high: (x: Double, y: Double, z: Double)

        /// A cube.
        init(around point: GeocentricPoint, reach: Double) {
            low = (point.x - reach, point.y - reach, point.z - reach)
            high = (point.x + reach, point.y + reach, point.z + reach)
        }

        mutating func widen(to other: Box) {
            low = (min(low.x, other.low.x), min(low.y, other.low.y), min(low.z, other.low.z))
            high = (max(high.x, other.high.x), max(high.y, other.high.y), max(high.z, other.high.z))
        }

        func meets(_ other: Box) -> Bool {
            low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y
                && low.z <= other.high.z && other.low.z <= high.z
        }
    }

    private static let fanOut = 8
    /// Metres to which the neighbourhood grows and shrinks.
    private static let neighbourhood = 50.0...50_000
    /// Circles in the neighbourhood at which it stays as it is.
    private static let neighbours = 5...15

    /// Along the curve.
    private let entries: [Entry]
    /// Boxes of eight entries each, then of eight each of the level before; the last level is one box.
    private let levels: [[Box]]
    private var middle: GeocentricPoint?
    private var reach = 1_000.0
    private var near: [Entry] = []

    init(_ circles: [Entry]) {
        let keys = circles.map { Self.placeOnCurve($0.centre) }
        entries = circles.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { circles[$0] }
        var levels = [Self.join(entries.map { Box(around: $0.centre, reach: $0.reach) })]
        while levels[levels.count - 1].count > 1 { levels.append(Self.join(levels[levels.count - 1])) }
        self.levels = levels
    }

    private static func join(_ boxes: [Box]) -> [Box] {
        stride(from: 0, to: boxes.count, by: fanOut).map { first in
            boxes[first..<min(first + fanOut, boxes.count)].dropFirst().reduce(into: boxes[first]) { $0.widen(to: $1) }
        }
    }

    /// Calls `body` with each circle within whose reach the straight line between two places comes, in no order, and
    /// its distance from the line in metres.
    ///
    /// - Parameter margin: Metres by which the way may leave the line.
    mutating func forEach(
        nearLineFrom start: GeocentricPoint, to end: GeocentricPoint, margin: Double, _ body: (Int, Double) -> Void
    ) {
        let isAround = middle.map { max($0.distance(to: start), $0.distance(to: end)) + margin <= reach } ?? false
        if !isAround { look(around: end, atLeast: end.distance(to: start) + margin) }
        for entry in near {
            let distance = entry.centre.distance(toLineFrom: start, to: end)
            if distance <= entry.reach + margin { body(Int(entry.circle), distance) }
        }
    }

    private mutating func look(around place: GeocentricPoint, atLeast radius: Double) {
        if near.count > Self.neighbours.upperBound { reach /= 2 }
        if near.count < Self.neighbours.lowerBound { reach *= 2 }
        reach = max(min(max(reach, Self.neighbourhood.lowerBound), Self.neighbourhood.upperBound), radius)
        middle = place
        near.removeAll(keepingCapacity: true)
        visit(levels.count - 1, levels[levels.count - 1].indices, Box(around: place, reach: reach))
    }

    private mutating func visit(_ level: Int, _ range: Range<Int>, _ surroundings: Box) {
        for number in range where levels[level][number].meets(surroundings) {
            let (first, end) = (number * Self.fanOut, (number + 1) * Self.fanOut)
            if level > 0 {
                visit(level - 1, first..<min(end, levels[level - 1].count), surroundings)
            } else {
                near += entries[first..<min(end, entries.count)].filter {
                    Box(around: $0.centre, reach: $0.reach).meets(surroundings)
                }
            }
        }
    }

    /// The bits of the three coordinates in turn, 21 of each: steps of eight metres.
    private static func placeOnCurve(_ point: GeocentricPoint) -> UInt64 {
        spread(point.x) | spread(point.y) << 1 | spread(point.z) << 2
    }

    /// Puts two zero bits before each bit of a coordinate.
    private static func spread(_ coordinate: Double) -> UInt64 {
        var bits = UInt64(coordinate / 8 + 1_048_576) & 0x1F_FFFF
        bits = (bits | bits << 32) & 0x001F_0000_0000_FFFF
        bits = (bits | bits << 16) & 0x001F_0000_FF00_00FF
        bits = (bits | bits << 8) & 0x100F_00F0_0F00_F00F
        bits = (bits | bits << 4) & 0x10C3_0C30_C30C_30C3
        return (bits | bits << 2) & 0x1249_2492_4924_9249
    }
}
