/// A labelled recording: what one receiver heard of one beacon, and where the beacon really was.
public struct Recording: Sendable {
    /// Where a beacon really was, in the words of the `true_zone` column.
    public enum Label: String, CaseIterable, Sendable {
        /// A zone; nearer than 0.5 m, nearer than 3 m, and beyond.
        case immediate, near, far
        /// A side of a doorway.
        case inside, outside
        /// Within reach all the time.
        case present
    }

    /// One advert that was heard.
    public struct Sample: Sendable {
        /// On the clock of the recording.
        public var time: Timestamp
        /// dBm.
        public var rssi: Int8
        /// Metres; `nil` where it was not measured.
        public var distance: Double?
        /// `nil` where the recording does not say.
        public var label: Label?
        /// Bit k set: the advert is lost in loss scenario k.
        public var losses: UInt8

        /// Seconds.
        var seconds: Double { Double(time.microseconds) / 1e6 }
    }

    /// Its name in the file.
    public let session: String
    /// dBm at 1 m.
    public let measuredPower: Double
    /// Whether its samples say in which loss scenarios they are lost.
    public let hasLosses: Bool
    /// In order of time; never empty.
    public internal(set) var samples: [Sample]

    /// The first sample's time.
    var start: Timestamp { samples[0].time }
    /// Seconds from the first sample to the last.
    var length: Double { samples.last!.seconds - samples[0].seconds }

    /// When an estimate is read: once a second, from one second after the first advert to the last advert.
    var ticks: [Timestamp] {
        let count = (samples.last!.time - start) / .second
        return (0..<count).map { start + ($0 + 1) * .second }
    }

    /// For each tick the last sample at or before it.
    var heard: [Int] {
        var next = 0
        return ticks.map { tick in
            while next < samples.count, samples[next].time <= tick { next += 1 }
            return next - 1
        }
    }

    // MARK: Distance

    /// Whether every sample has a distance.
    var hasDistances: Bool { !samples.contains { $0.distance == nil } }

    /// Samples whose distance is not that of the sample before.
    var moves: [Int] { samples.indices.dropFirst().filter { samples[$0].distance != samples[$0 - 1].distance } }

    /// Whether the distance was walked, not held for a while at each place.
    ///
    /// Who walks is somewhere else at every advert: most changes follow another directly. Who stops at each place is
    /// heard there more than once.
    var isWalked: Bool {
        let moves = moves
        let consecutive = zip(moves, moves.dropFirst()).count { $0 + 1 == $1 }
        return consecutive > 0 && 2 * consecutive >= moves.count
    }

    /// The true distance at each tick, metres: interpolated where it was walked, else the last one.
    var distances: [Double] {
        let isWalked = isWalked
        return zip(ticks, heard).map { tick, index in
            let here = samples[index].distance!
            guard isWalked, index + 1 < samples.count else { return here }
            let slope = (samples[index + 1].distance! - here) / (samples[index + 1].seconds - samples[index].seconds)
            return here + slope * (Double(tick.microseconds) / 1e6 - samples[index].seconds)
        }
    }
}
