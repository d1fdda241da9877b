import Testing

@testable import SkerryCore

/// Step by step the same as the implementation that the figures come from.
@Suite(.enabled(if: SharedData.isThere, "../shared/datasets is not there"))
struct ReferenceTests {
    @Test func levelsDistancesAndZonesAreTheReferences() throws {
        var files: [Substring: [Recording]] = [:]
        var key = ""
        var rest: ArraySlice<Estimate> = []
        for row in try SharedData.rows("reference_two_scale") {
            if key != row[0] + row[1] {
                #expect(rest.isEmpty)
                key = String(row[0] + row[1])
                let file = try files[row[0]] ?? SharedData.recordings(String(row[0]))
                files[row[0]] = file
                let recording = try #require(file.first { $0.session == row[1] })
                rest = EstimateSeries(recording, profile: .adaptive).estimates[...]
            }
            let next = rest.popFirst()
            let estimate = try #require(next)
            let (level, distance) = (try #require(Double(row[3])), try #require(Double(row[4])))
            #expect(abs(estimate.level - level) <= 1e-4, "\(row)")
            #expect(abs(estimate.distance - distance) <= 1e-4, "\(row)")
            #expect("\(estimate.proximity.rawValue)" == row[5], "\(row)")
        }
        #expect(rest.isEmpty && !key.isEmpty)
    }

    @Test func timeoutsAreTheReferences() throws {
        var key = ""
        var presence = Presence()
        var last = 0.0
        for row in try SharedData.rows("reference_survival") {
            let (time, timeout) = (try #require(Double(row[3])), try #require(Double(row[4])))
            if key == row[0] + row[1] + row[2] {
                presence.sight(after: Float(time - last))
            } else {
                key = String(row[0] + row[1] + row[2])
                presence = Presence()
                presence.sight()
            }
            last = time
            #expect(abs(ProximitySettings(profile: .adaptive).timeout(presence).seconds - timeout) <= 1e-4, "\(row)")
        }
        #expect(!key.isEmpty)
    }
}
