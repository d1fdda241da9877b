import Testing

@testable import SkerryCore

/// Counts are kept in arrays of fixed size; a case more needs a place more.
@Test func everyCaseHasItsPlaceInTheCounts() {
    #expect(Malformation.allCases.map(\.rawValue) == Array(0..<11))
    #expect(EventKind.allCases.map(\.number) == Array(0..<10))
    #expect(Beacon.formatNames.count == 7)
}

/// A million beacons may be known: what is kept of one has its size.
@Test func aBeaconCostsSoManyBytes() {
    #expect(MemoryLayout<Track>.stride == 80)
    #expect(MemoryLayout<LevelFilter>.stride == 28)
    #expect(MemoryLayout<Presence>.stride == 12)
    #expect(Estimators.bytes == 36)
    #expect(MemoryLayout<ExitQueue.Entry>.stride == 16)
}
