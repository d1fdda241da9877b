import Testing

@testable import SkerryCore

/// How long a scanner has listened, and since when the silence of a beacon counts.
@Suite struct ScannerClockTests {
    private static let begin = BTSnoopFile.begin

    private static func at(_ seconds: Int64) -> Timestamp { begin + seconds * .second }

    @Test func onlyTimeInWhichItListensCounts() {
        var clock = ScannerClock(listeningSince: Self.begin)
        #expect(clock.listened(at: Self.at(10)) == 10 * .second)
        clock.set(listening: false, filtersDuplicates: false, at: Self.at(10))
        #expect(clock.listened(at: Self.at(100)) == 10 * .second)
        clock.set(listening: false, filtersDuplicates: false, at: Self.at(50))
        clock.set(listening: true, filtersDuplicates: false, at: Self.at(100))
        #expect(clock.listened(at: Self.at(105)) == 15 * .second)
        clock.set(listening: true, filtersDuplicates: false, at: Self.at(105))
        #expect(clock.listened(at: Self.at(107)) == 17 * .second)
    }

    @Test func withoutAFilterSilenceBeginsWhenLastHeard() {
        var clock = ScannerClock(listeningSince: Self.begin)
        #expect(clock.silenceBegins(heard: 3, scan: clock.scan) == 3)
        clock.set(listening: false, filtersDuplicates: false, at: Self.at(10))
        clock.set(listening: true, filtersDuplicates: false, at: Self.at(20))
        #expect(clock.silenceBegins(heard: 3, scan: 0) == 3)
    }

    @Test func silenceInAScanThatFiltersDuplicatesSaysNothing() {
        var clock = ScannerClock(listeningSince: Self.begin)
        clock.set(listening: true, filtersDuplicates: true, at: Self.at(10))
        #expect(clock.filtersDuplicates)
        #expect(clock.silenceBegins(heard: 12 * .second, scan: clock.scan) == nil)
        // Not reported in this scan yet: it would be, if it were there.
        #expect(clock.silenceBegins(heard: 9 * .second, scan: clock.scan - 1) == 9 * .second)
    }

    @Test func silenceBeginsAtTheEndOfTheScanThatFiltered() {
        var clock = ScannerClock(listeningSince: Self.begin)
        clock.set(listening: true, filtersDuplicates: true, at: Self.at(10))
        let scan = clock.scan
        clock.set(listening: false, filtersDuplicates: false, at: Self.at(40))
        clock.set(listening: true, filtersDuplicates: true, at: Self.at(50))
        #expect(clock.silenceBegins(heard: 12 * .second, scan: scan) == 40 * .second)
        #expect(clock.silenceBegins(heard: 41 * .second, scan: clock.scan) == nil)
        clock.set(listening: false, filtersDuplicates: true, at: Self.at(60))
        #expect(!clock.filtersDuplicates)
    }

    /// A host that scans in bursts: what was heard in a burst long ago keeps a silence that has begun.
    @Test func manyScansLaterTheSilenceHasBegun() {
        var clock = ScannerClock(listeningSince: Self.begin)
        var heard: [(scan: UInt32, listened: Int64)] = []
        for burst in 0..<20 as Range<Int64> {
            clock.set(listening: true, filtersDuplicates: true, at: Self.at(burst * 10))
            heard.append((clock.scan, clock.listened(at: Self.at(burst * 10 + 1))))
            clock.set(listening: false, filtersDuplicates: false, at: Self.at(burst * 10 + 5))
        }
        clock.set(listening: true, filtersDuplicates: true, at: Self.at(200))
        let now = clock.listened(at: Self.at(200))
        for entry in heard {
            let begins = clock.silenceBegins(heard: entry.listened, scan: entry.scan)
            #expect(begins.map { $0 >= entry.listened && $0 <= now } == true)
        }
    }
}
