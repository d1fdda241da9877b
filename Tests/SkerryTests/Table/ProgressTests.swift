import Testing

@testable import SkerryCore
@testable import skerry

@Suite struct ProgressTests {
    @Test func progress() {
        #expect(Progress.line(12_345_678, of: nil, width: 80) == "12 MB read")
        #expect(
            Progress.line(600_000_000, of: 2_400_000_000, width: 60)
                == " 25 %  ████████░░░░░░░░░░░░░░░░░░░░░░░░░░  600 MB of 2.4 GB")
        #expect(Progress.line(3_000_000, of: 2_400_000, width: 20) == "100 %")
        #expect(Progress.line(0, of: 0, width: 80) == "0 kB read")
    }
}
