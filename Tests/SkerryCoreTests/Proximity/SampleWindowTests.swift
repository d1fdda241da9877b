import Testing

@testable import SkerryCore

@Suite struct SampleWindowTests {
    private static func at(_ seconds: Double) -> Timestamp { BTSnoopFile.begin + Int64(seconds * 1e6) }

    @Test func theMeanIsOfWhatIsYoungerThanTheWindow() {
        var window = SampleWindow()
        #expect(window.mean(of: 10 * .second, at: Self.at(0)) == nil)
        window.add(-60, at: Self.at(0))
        window.add(-70, at: Self.at(5))
        #expect(window.mean(of: 10 * .second, at: Self.at(9.999_999)) == -65)
        #expect(window.mean(of: 10 * .second, at: Self.at(10)) == -70)
        #expect(window.mean(of: 10 * .second, at: Self.at(15)) == nil)
        window.add(-80, at: Self.at(16))
        #expect(window.mean(of: 10 * .second, at: Self.at(16)) == -80)
    }

    @Test func beyondItsBoundTheOldestGoes() {
        var window = SampleWindow()
        for _ in 0..<1000 { window.add(-10, at: Self.at(0)) }
        for _ in 0..<512 { window.add(-90, at: Self.at(0)) }
        #expect(window.mean(of: 10 * .second, at: Self.at(1)) == -90)
    }

    @Test func anySamplesHaveTheMeanOfThoseInTheWindow() {
        var generator = SeededGenerator(seed: 8)
        var window = SampleWindow()
        var model: [(time: Double, rssi: Int8)] = []
        var now = 0.0
        for _ in 0..<3000 {
            now += Double(Int.random(in: 0...2000, using: &generator)) / 1000
            let rssi = Int8.random(in: -127 ... -1, using: &generator)
            window.add(rssi, at: Self.at(now))
            model.append((now, rssi))
            let young = model.filter { Self.at($0.time) > Self.at(now) + -10 * .second }
            let mean = young.isEmpty ? nil : Double(young.reduce(0) { $0 + Int($1.rssi) }) / Double(young.count)
            #expect(window.mean(of: 10 * .second, at: Self.at(now)) == mean)
            model = Array(model.suffix(200))
        }
    }
}

extension SampleWindow {
    fileprivate mutating func mean(of length: Int64, at time: Timestamp) -> Double? {
        keep(length, at: time)
        return mean
    }
}
