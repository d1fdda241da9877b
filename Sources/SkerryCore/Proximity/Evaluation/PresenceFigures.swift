private import Glibc

/// How often a beacon that is present is taken for gone, and how long one that vanishes is taken for present.
public struct PresenceFigures: Equatable, Sendable {
    /// What is lost of the adverts that were recorded.
    public enum Loss: Int, CaseIterable, Sendable {
        /// Nothing.
        case clean
        /// 30 %, at random.
        case loss30
        /// 60 %, at random.
        case loss60
        /// 90 %, at random.
        case loss90
        /// All for about 8 s, about every 60 s.
        case bursts
        /// 60 % at random, and all for about 12 s, about every 40 s.
        case heavy
        /// Nothing, and from the middle on 90 % at random.
        case onset
    }

    /// What was lost.
    public let loss: Loss
    /// Exits while the beacon was present.
    public private(set) var falseExits = 0
    /// Hours that were watched.
    public private(set) var hours = 0.0
    /// Seconds from a beacon's end, tried every 7 s, to its exit.
    private var delays: [Double] = []

    /// Exits in an hour while the beacon was present.
    public var falseExitsPerHour: Double { Double(falseExits) / hours }
    /// Seconds.
    public var medianDelay: Double? { delays.median }
    /// Seconds within which nine of ten have exited.
    public var p90Delay: Double? { delays.quantile(0.9) }

    /// Figures for each kind of loss that the recordings know; empty where none is of a beacon that was present.
    static func all(_ recordings: [Recording], profile: Profile) -> [PresenceFigures] {
        let present = recordings.filter { $0.samples[0].label == .present }
        let known = present.contains { !$0.hasLosses } ? [.clean] : Loss.allCases
        return known.compactMap { PresenceFigures(present, $0, profile) }
    }

    private init?(_ recordings: [Recording], _ loss: Loss, _ profile: Profile) {
        self.loss = loss
        for recording in recordings { watch(recording, profile) }
        guard hours > 0 else { return nil }
    }

    private mutating func watch(_ recording: Recording, _ profile: Profile) {
        let times = heard(recording)
        guard times.count >= 3 else { return }
        let timeouts = Self.timeouts(times, profile)
        falseExits += times.indices.dropLast().count { times[$0 + 1] - times[$0] > timeouts[$0] }
        hours += recording.length / 3600
        let start = recording.samples[0].seconds
        let end = recording.samples.last!.seconds
        let first = start + min(60, recording.length / 3)
        // Rounded as the reference does it, so that an end at the very moment of an advert counts the same there.
        let step = first + 7 - first
        var last = -1
        for number in 0..<Int(max(0, ((end - first) / 7).rounded(.up))) {
            let vanished = first + step * Double(number)
            while last + 1 < times.count, times[last + 1] <= vanished { last += 1 }
            guard last >= 0 else { continue }
            let delay = times[last] + timeouts[last] - vanished
            // Below zero it had been taken for gone before.
            if delay >= 0 { delays.append(delay) }
        }
    }

    /// When an advert gets through, in seconds.
    private func heard(_ recording: Recording) -> [Double] {
        let samples = recording.samples
        let middle = (samples[0].seconds + samples.last!.seconds) / 2
        return samples.filter { sample in
            switch loss {
            case .clean: true
            case .onset: sample.seconds < middle || sample.losses >> 2 & 1 == 0
            default: sample.losses >> (loss.rawValue - 1) & 1 == 0
            }
        }.map(\.seconds)
    }

    /// After each advert the silence that is waited for, in seconds.
    private static func timeouts(_ times: [Double], _ profile: Profile) -> [Double] {
        let settings = ProximitySettings(profile: profile)
        var presence = Presence()
        return times.indices.map { index in
            if index > 0 {
                presence.sight(after: Float(times[index] - times[index - 1]))
            } else {
                presence.sight()
            }
            return settings.timeout(presence).seconds
        }
    }
}
