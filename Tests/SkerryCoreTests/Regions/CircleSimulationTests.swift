import Testing

@testable import SkerryCore

/// How often noise changes a state, and whether a passage is missed.
@Suite("Circles under noise") struct CircleSimulationTests {
    struct Standstill: Sendable {
        let metres, sigma, claimed: Double
        /// Metres, once an hour.
        var outlier = 0.0
        /// So many events a day two confirming fixes leave in the study from which the rule comes.
        let most: Double
    }

    /// Standing still for 24 h, a fix a second, and a circle of 100 m: nothing happens there. Over ten days (seeds 0 to
    /// 9) the means are 0, 20.2, 15.9, 54.0 and 4.4 events a day. The distance alone would give 44, 3,080, 2,834, 4,808
    /// and 1,972.
    @Test(arguments: [
        Standstill(metres: 60, sigma: 5, claimed: 10, outlier: 200, most: 0),
        Standstill(metres: 95, sigma: 5, claimed: 10, most: 38),
        Standstill(metres: 105, sigma: 5, claimed: 10, most: 19),
        Standstill(metres: 95, sigma: 12, claimed: 25, most: 66),
        Standstill(metres: 60, sigma: 25, claimed: 50, most: 6),
    ])
    func standingStill(_ place: Standstill) {
        let days = 2
        var events = 0
        for seed in 0..<UInt64(days) {
            var simulation = CircleSimulation(
                radius: 100, sigma: place.sigma, claimed: place.claimed, seed: seed)
            for second in 0..<86_400 {
                let outlier = second % 3600 == 1800 ? place.outlier : 0
                simulation.observe(east: place.metres, north: 0, at: Double(second), outlier: outlier)
            }
            events += simulation.events.count
        }
        #expect(Double(events) / Double(days) <= place.most)
    }

    struct Passage: Sendable {
        let speed, radius, interval: Double
        var confirmations = 2
        /// Between two fixes.
        var isByLine = false
    }

    /// Straight through the middle, sigma 5 m, 10 m claimed. Of a thousand passages each (seeds 0 to 999), two of the
    /// 30 m circle at 30 m/s were missed, none of the others.
    @Test(arguments: [
        Passage(speed: 1.4, radius: 100, interval: 1), Passage(speed: 14, radius: 100, interval: 1),
        Passage(speed: 14, radius: 100, interval: 1, confirmations: 3),
        Passage(speed: 14, radius: 30, interval: 1), Passage(speed: 14, radius: 100, interval: 5),
        Passage(speed: 14, radius: 30, interval: 5, isByLine: true),
        Passage(speed: 30, radius: 30, interval: 5, isByLine: true),
        Passage(speed: 14, radius: 50, interval: 10, isByLine: true),
        Passage(speed: 30, radius: 100, interval: 10, isByLine: true),
    ])
    func passing(_ passage: Passage) throws {
        var errors: [Double] = []
        for seed in 0..<60 as Range<UInt64> {
            var settings = CircleSettings()
            settings.confirmations = passage.confirmations
            var simulation = CircleSimulation(
                radius: passage.radius, sigma: 5, claimed: 10, settings: settings, seed: seed)
            let step = passage.speed * passage.interval
            let start = -3 * passage.radius - 3 * step - .random(in: 0..<step, using: &simulation.random)
            for (number, east) in stride(from: start, through: -start + step, by: step).enumerated() {
                // Every other receiver tells its speed.
                simulation.observe(
                    east: east, north: 0, at: Double(number) * passage.interval,
                    speed: seed % 2 == 0 ? passage.speed : nil)
            }
            let events = simulation.events
            try #require(events.map(\.change.transition) == [.enter, .exit], "seed \(seed)")
            #expect((events[0].seconds == events[1].seconds) == passage.isByLine, "seed \(seed)")
            for (event, border) in zip(events, [-passage.radius, passage.radius]) {
                let crossed = try #require(event.change.circleEvidence?.crossedAt)
                errors.append(Double(crossed - CircleSimulation.begin) / 1e6 - (border - start) / passage.speed)
            }
        }
        // By what 5 m are off, and the mean of 120 values.
        let mean = errors.reduce(0, +) / Double(errors.count)
        #expect(abs(mean) * passage.speed < 5 * 5 / 120.0.squareRoot(), "\(mean) s")
    }
}
