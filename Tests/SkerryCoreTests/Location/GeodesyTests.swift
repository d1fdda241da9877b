import Testing

@testable import SkerryCore

@Suite("Geodesics") struct GeodesyTests {
    struct Way: Sendable {
        let from: (Double, Double), to: (Double, Double)
        let distance: Double
        let bearing: Double?
        let tolerance: Double
    }

    /// Rounded as far as the tolerance says, in metres; bearings to 1e-5 degrees.
    static let ways: [Way] = [
        // Geoscience Australia's example, Flinders Peak to Buninyong: 54,972.271 m, 306°52'05.37".
        Way(
            from: (-37.951_033_417, 144.424_867_889), to: (-37.652_821_139, 143.926_495_528), distance: 54_972.271,
            bearing: 306.868_16, tolerance: 1e-3),
        // GeographicLib's own example, JFK to LHR.
        Way(from: (40.6, -73.8), to: (51.6, -0.5), distance: 5_551_759.400, bearing: 51.198_88, tolerance: 1e-3),
        // The semi-major axis 6,378,137 m times one degree.
        Way(from: (0, 0), to: (0, 1), distance: 111_319.490_793, bearing: 90, tolerance: 1e-6),
        // A quarter and a half of the meridian.
        Way(from: (0, 0), to: (90, 0), distance: 10_001_965.729, bearing: 0, tolerance: 1e-3),
        Way(from: (90, 0), to: (-90, 0), distance: 20_003_931.459, bearing: 180, tolerance: 1e-3),
        // Along the equator would be longer than over the pole.
        Way(from: (0, 0), to: (0, 180), distance: 20_003_931.459, bearing: 0, tolerance: 1e-3),
        // Across the antimeridian and over the pole.
        Way(from: (0, 179.9999), to: (0, -179.9999), distance: 22.2639, bearing: 90, tolerance: 1e-4),
        Way(from: (89.9999, 0), to: (89.9999, 180), distance: 22.3388, bearing: 0, tolerance: 1e-4),
        // One place under several names.
        Way(from: (47, 8), to: (47, 8), distance: 0, bearing: nil, tolerance: 0),
        Way(from: (90, 0), to: (90, 123), distance: 0, bearing: nil, tolerance: 0),
        Way(from: (10, 180), to: (10, -180), distance: 0, bearing: nil, tolerance: 0),
    ]

    @Test(arguments: ways) func distanceAndBearing(_ way: Way) throws {
        let (from, to) = (try place(way.from.0, way.from.1), try place(way.to.0, way.to.1))
        #expect(abs(from.distance(to: to) - way.distance) <= way.tolerance)
        #expect(abs(to.distance(to: from) - way.distance) <= way.tolerance)
        let bearing = from.initialBearing(to: to)
        #expect((bearing == nil) == (way.bearing == nil))
        if let bearing, let expected = way.bearing { #expect(abs(expected.turn(to: bearing)) < 1e-5) }
    }

    @Test(.enabled(if: ReferenceTable.isThere, "../shared/gpsd is not there"))
    func reference() throws {
        // latitude 1, longitude 1, azimuth 1, latitude 2, longitude 2, azimuth 2, s12, a12, m12, S12
        let rows = try ReferenceTable("geodesic/GeodTest-100.dat").numbers()
        #expect(rows.count == 100)
        for row in rows {
            let (from, to) = (try place(row[0], row[1]), try place(row[3], row[4]))
            #expect(abs(from.distance(to: to) - row[6]) < 1e-6, "\(row)")
            let end = try #require(from.destination(bearing: row[2], distance: row[6]))
            #expect(end.distance(to: to) < 1e-6, "\(row)")
            // Near the antipode and near the start a bearing hangs on how the end's coordinates are rounded: by half a
            // unit in the last place of 180 degrees, 1.6 nm, which the reduced length m12 turns into an angle.
            let reducedLength = row[8]
            guard reducedLength > 1 else { continue }
            let rounding = 1.6e-9 / reducedLength * 180 / .pi
            let bearing = try #require(from.initialBearing(to: to))
            #expect(abs(row[2].turn(to: bearing)) < 1e-9 + rounding, "\(row)")
        }
    }

    @Test(.enabled(if: ReferenceTable.isThere, "../shared/gpsd is not there"))
    func edges() throws {
        // kind, latitude 1, longitude 1, latitude 2, longitude 2, azimuth 1, azimuth 2, s12
        let table = try ReferenceTable("geodesic/edge-100.tsv")
        #expect(table.rows.count == 100)
        // What the file calls a convention: bearings at poles, to antipodes, to the place itself.
        let conventional = ["coincident", "pole", "antipodal"]
        for (kind, row) in zip(table.rows.map { String($0[0]) }, table.numbers(after: 1)) {
            let (from, to) = (try place(row[0], row[1]), try place(row[2], row[3]))
            #expect(abs(from.distance(to: to) - row[6]) < 1e-6, "\(kind) \(row)")
            guard !conventional.contains(where: kind.hasPrefix), abs(row[0]) < 90 else { continue }
            let bearing = try #require(from.initialBearing(to: to))
            #expect(abs(row[4].turn(to: bearing)) < 1e-9, "\(kind) \(row)")
        }
    }

    @Test(arguments: 0..<20) func goingAndComingBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let start = try place(.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
            let bearing = Double.random(in: 0..<360, using: &random)
            let distance = Double.random(in: 0.01...1e7, using: &random)
            let end = try #require(start.destination(bearing: bearing, distance: distance))
            #expect(abs(start.distance(to: end) - distance) < 1e-6)
            let back = try #require(start.destination(bearing: bearing + 180, distance: -distance))
            #expect(end.distance(to: back) < 1e-6)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func nowhere(_ number: Double) throws {
        let start = try place(47, 8)
        #expect(start.destination(bearing: number, distance: 1) == nil)
        #expect(start.destination(bearing: 1, distance: number) == nil)
    }

    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }
}
