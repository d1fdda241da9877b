import Foundation
import Testing

@testable import SkerryCore

@Suite("Hard iron") struct HardIronTests {
    /// Evenly over the sphere (a Fibonacci lattice), then stretched, moved and made noisy.
    private func sphere(
        count: Int = 300, radius: Double = 450, offset: SIMD3<Double> = SIMD3(120, -340, 75),
        stretch: SIMD3<Double> = SIMD3(1, 1, 1), noise: Double = 0, heights: ClosedRange<Double> = -1...1
    ) -> [CompassReading] {
        var random = SeededGenerator(seed: 1)
        return (0..<count).compactMap { index in
            let z = 1 - 2 * (Double(index) + 0.5) / Double(count)
            guard heights.contains(z) else { return nil }
            let angle = Double(index) * .pi * (3 - 5.0.squareRoot())
            let direction = SIMD3((1 - z * z).squareRoot() * cos(angle), (1 - z * z).squareRoot() * sin(angle), z)
            func jitter() -> Double { noise > 0 ? .random(in: -noise...noise, using: &random) : 0 }
            let point = direction * radius * stretch + offset + SIMD3(jitter(), jitter(), jitter())
            return CompassReading(magneticX: point.x, magneticY: point.y, magneticZ: point.z)
        }
    }

    /// Once around at a dip, by so many degrees.
    private func circle(
        count: Int = 100, degrees: Double = 360, radius: Double = 20, offset: SIMD3<Double> = SIMD3(3, -7, 40),
        noise: Double = 0
    ) -> [CompassReading] {
        var random = SeededGenerator(seed: 2)
        return (0..<count).map { index in
            let angle = Double(index) / Double(count) * degrees * .pi / 180
            func jitter() -> Double { noise > 0 ? .random(in: -noise...noise, using: &random) : 0 }
            return CompassReading(
                magneticX: offset.x + radius * cos(angle) + jitter(),
                magneticY: offset.y + radius * sin(angle) + jitter(), magneticZ: offset.z + jitter())
        }
    }

    @Test func findsTheMiddleOfASphere() throws {
        let iron = try HardIron(sphere(), turned: .allRound)
        #expect(distance(iron.offset, SIMD3(120, -340, 75)) < 1e-9)
        #expect(abs(iron.radius - 450) < 1e-9 && iron.residual < 1e-12 && iron.coverage == 1 && iron.count == 300)
    }

    /// Whatever the unit is.
    @Test(arguments: [1e-9, 1e-3, 1, 1e6]) func findsItInAnyUnit(unit: Double) throws {
        let iron = try HardIron(
            sphere(radius: 450 * unit, offset: SIMD3(120, -340, 75) * unit), turned: .allRound)
        #expect(distance(iron.offset, SIMD3(120, -340, 75) * unit) < 1e-9 * unit)
    }

    @Test func findsItInNoise() throws {
        // ±9 in each axis: 5.2 is a standard deviation, 0.012 of the radius.
        let iron = try HardIron(sphere(noise: 9), turned: .allRound)
        #expect(distance(iron.offset, SIMD3(120, -340, 75)) < 2)
        #expect(abs(iron.residual - 0.0115) < 0.002)
    }

    @Test func findsTheMiddleOfACircle() throws {
        let iron = try HardIron(circle(noise: 0.5), turned: .level)
        #expect(distance(iron.offset, SIMD3(3, -7, 0)) < 0.2 && iron.offset.z == 0)
        #expect(abs(iron.radius - 20) < 0.1 && iron.coverage == 1)
    }

    @Test func needsNoThirdAxisToTurnLevel() throws {
        let readings = circle().map { CompassReading(magneticX: $0.magneticX, magneticY: $0.magneticY) }
        #expect(try HardIron(readings, turned: .level).coverage == 1)
        #expect(throws: HardIron.Refusal.tooFewReadings(0)) { try HardIron(readings, turned: .allRound) }
    }

    @Test func refusesFewReadings() {
        #expect(throws: HardIron.Refusal.tooFewReadings(49)) { try HardIron(sphere(count: 49), turned: .allRound) }
        #expect(throws: HardIron.Refusal.tooFewReadings(0)) { try HardIron([], turned: .level) }
        let empty = [CompassReading](repeating: CompassReading(magneticHeading: 1), count: 100)
        #expect(throws: HardIron.Refusal.tooFewReadings(0)) { try HardIron(empty, turned: .level) }
    }

    @Test func refusesLittleRotation() {
        // A device that lay still.
        let still = [CompassReading](
            repeating: CompassReading(magneticX: 1, magneticY: 2, magneticZ: 3), count: 100)
        #expect(throws: HardIron.Refusal.tooLittleRotation(coverage: 0)) { try HardIron(still, turned: .level) }
        #expect(throws: HardIron.Refusal.tooLittleRotation(coverage: 0)) { try HardIron(still, turned: .allRound) }
        // A flat circle is no sphere; with noise it seems to be one, seen from one side.
        #expect(throws: HardIron.Refusal.tooLittleRotation(coverage: 0)) { try HardIron(circle(), turned: .allRound) }
        expectLittleRotation(circle(noise: 0.5), .allRound, below: 0.6)
        // A quarter turn, a half turn.
        expectLittleRotation(circle(degrees: 90), .level, below: 0.4)
        expectLittleRotation(circle(degrees: 180, noise: 0.1), .level, below: 0.6)
        // Half of a sphere.
        expectLittleRotation(sphere(count: 600, noise: 1, heights: 0...1), .allRound, below: 0.6)
    }

    @Test func refusesWhatIsNoSphere() {
        #expect(throws: HardIron.Refusal.self) { try HardIron(sphere(noise: 200), turned: .allRound) }
        do {
            _ = try HardIron(sphere(stretch: SIMD3(1, 1, 1.5)), turned: .allRound)
            Issue.record("an egg is no sphere")
        } catch {
            guard case .tooMuchResidual(let residual) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(0.1..<0.3 ~= residual)
        }
    }

    @Test func readingsThatAreNoNumbersAreLeftOut() throws {
        let odd = [Double.nan, .infinity, -.infinity, 1e300].map {
            CompassReading(magneticX: 1, magneticY: $0, magneticZ: 2)
        }
        let iron = try HardIron(odd + sphere() + odd, turned: .allRound)
        #expect(iron.count == 300 && distance(iron.offset, SIMD3(120, -340, 75)) < 1e-9)
    }

    @Test(arguments: 0..<20) func aResultIsMadeOfNumbersWhateverIsRead(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let scales = [1e-300, 1e-9, 1, 1e9, 1e29]
        let readings = (0..<100).map { _ in
            func any() -> Double { .random(in: -1...1, using: &random) * scales.randomElement(using: &random)! }
            return CompassReading(magneticX: any(), magneticY: any(), magneticZ: any())
        }
        for turning in [HardIron.Turning.allRound, .level] {
            switch Result(catching: { () throws(HardIron.Refusal) in try HardIron(readings, turned: turning) }) {
            case .success(let iron):
                #expect(iron.radius.isFinite && iron.offset.sum().isFinite && iron.residual <= 0.1)
            case .failure(.tooLittleRotation(let coverage)): #expect(0..<0.75 ~= coverage)
            case .failure(.tooMuchResidual(let residual)): #expect(residual > 0.1)
            case .failure(.tooFewReadings(let count)): #expect(0..<50 ~= count)
            }
        }
    }

    private func expectLittleRotation(
        _ readings: [CompassReading], _ turning: HardIron.Turning, below limit: Double
    ) {
        do {
            let iron = try HardIron(readings, turned: turning)
            Issue.record("accepted \(iron)")
        } catch {
            guard case .tooLittleRotation(let coverage) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(coverage < limit)
        }
    }

    private func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        ((a - b) * (a - b)).sum().squareRoot()
    }
}
