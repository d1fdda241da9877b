import Testing

@testable import SkerryCore

/// Counts are kept in arrays of fixed size; a case more needs a place more.
@Test func everyCaseHasItsPlaceInTheCounts() {
    #expect(Malformation.allCases.map(\.rawValue) == Array(0..<11))
    #expect(EventKind.allCases.map(\.number) == Array(0..<7))
    #expect(Beacon.formatNames.count == 7)
}
