import Testing

@testable import SkerryCore

@Suite struct CalibrationTests {
    private static func levels(_ samples: [Int8], every seconds: Double = 1) -> Calibration.Levels {
        var levels = Calibration.Levels()
        for (number, rssi) in samples.enumerated() {
            levels.add(rssi, at: BTSnoopFile.begin + Int64(Double(number) * seconds * 1e6))
        }
        return levels
    }

    @Test func aTenthIsDroppedAtEachEnd() throws {
        // Two of twenty at each end: what lies there does not show.
        let middle: [Int8] = [-60, -61, -62, -63, -60, -61, -62, -63, -60, -61, -62, -63, -60, -61, -62, -63]
        let calibration = try Calibration(Self.levels([-75, -70] + middle + [-50, -52]))
        #expect(calibration.measuredPower == -61.5)
        #expect(calibration.samples == 20 && calibration.span == 19)
        #expect(calibration.deviation > 4 && calibration.deviation < 6)
    }

    @Test func whatCannotBeTrustedIsRefused() {
        #expect(throws: Calibration.Refusal.tooFewSamples(0)) { try Calibration(Calibration.Levels()) }
        #expect(throws: Calibration.Refusal.tooFewSamples(19)) {
            try Calibration(Self.levels([Int8](repeating: -60, count: 19)))
        }
        #expect(throws: Calibration.Refusal.tooShort(9.5)) {
            try Calibration(Self.levels([Int8](repeating: -60, count: 20), every: 0.5))
        }
        // Pauses and jumps of the clock are no time in which it was heard.
        var jumps = Self.levels([Int8](repeating: -60, count: 19), every: 0.1)
        for seconds in [1e6, 0, 2e6] as [Double] { jumps.add(-60, at: BTSnoopFile.begin + Int64(seconds * 1e6)) }
        #expect(throws: Calibration.Refusal.tooShort(1.8)) { try Calibration(jumps) }
        #expect(throws: Calibration.Refusal.tooMuchSpread(10)) {
            try Calibration(Self.levels((0..<20).map { $0 % 2 == 0 ? -60 : -80 }))
        }
    }
}
