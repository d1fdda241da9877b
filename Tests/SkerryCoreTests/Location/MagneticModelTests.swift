import Glibc
import Testing

@testable import SkerryCore

@Suite("The magnetic model") struct MagneticModelTests {
    struct Row: Sendable {
        /// Decimal year, kilometres, degrees.
        let year, height, latitude, longitude: Double
        /// Nanotesla, degrees.
        let x, y, z, h, f, inclination, declination: Double
    }

    /// From the table of test values in the WMM2025 technical report.
    static let report: [Row] = [
        Row(
            year: 2025, height: 0, latitude: 80, longitude: 0, x: 6521.6, y: 145.9, z: 54791.5, h: 6523.2, f: 55178.5,
            inclination: 83.21, declination: 1.28),
        Row(
            year: 2025, height: 0, latitude: 0, longitude: 120, x: 39677.8, y: -109.6, z: -10580.2, h: 39677.9,
            f: 41064.3, inclination: -14.93, declination: -0.16),
        Row(
            year: 2027.5, height: 100, latitude: -80, longitude: -120, x: 5984.0, y: 14760.1, z: -49317.7, h: 15927.0,
            f: 51825.7, inclination: -72.10, declination: 67.93),
    ]

    @Test(arguments: report) func theReportsValues(_ row: Row) throws { try check(row) }

    @Test(.enabled(if: ReferenceTable.isThere, "../shared/gpsd is not there"))
    func all12RowsOfTheReport() throws {
        let rows = try ReferenceTable("wmm/WMM2025_TEST_VALUE_TABLE.txt").numbers()
        #expect(rows.count == 12)
        for row in rows {
            try check(
                Row(
                    year: row[0], height: row[1], latitude: row[2], longitude: row[3] > 180 ? row[3] - 360 : row[3],
                    x: row[4], y: row[5], z: row[6], h: row[7], f: row[8], inclination: row[9], declination: row[10]))
        }
    }

    @Test(.enabled(if: ReferenceTable.isThere, "../shared/gpsd is not there"))
    func all100PreciseRows() throws {
        let rows = try ReferenceTable("wmm/WMM2025_TestValues_100.txt").numbers()
        #expect(rows.count == 100)
        for row in rows {
            try check(
                Row(
                    year: row[0], height: row[1], latitude: row[2], longitude: row[3], x: row[7], y: row[8], z: row[9],
                    h: row[6], f: row[10], inclination: row[5], declination: row[4]), within: 0.001)
        }
    }

    @Test(.enabled(if: ReferenceTable.isThere, "../shared/gpsd is not there"))
    func coefficientsAreTheFiles() throws {
        let rows = try ReferenceTable("wmm/WMM2025.COF").numbers().filter { $0.count == 6 }
        #expect(
            rows
                == MagneticModel.wmm2025.coefficients.map {
                    [Double($0.n), Double($0.m), $0.g, $0.h, $0.gChange, $0.hChange]
                })
    }

    /// Places and declinations at 2026.9 to one decimal, computed with another implementation (pygeomag 1.1.0).
    @Test(arguments: [
        (51.5, -0.1, 1.3), (47.4, 8.5, 3.7), (59.3, 18.1, 7.8), (42.4, -71.1, -13.9), (44.1, -121.3, 13.9),
        (-36.8, 174.8, 20.3), (-54.8, -68.3, 11.6),
    ])
    func declinations(latitude: Double, longitude: Double, expected: Double) throws {
        let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let field = MagneticModel.wmm2025.field(at: place, time: Timestamp(seconds: 1_795_478_400, microseconds: 0))
        #expect(abs(field.declination - expected) < 0.1)
        #expect(!field.isDateClamped)
    }

    @Test func blackoutZone() throws {
        let zone = MagneticField(x: 1_999, y: 0, z: 50_000, isDateClamped: false)
        #expect(zone.declinationError == nil)
        let border = MagneticField(x: 0, y: -2_000, z: 50_000, isDateClamped: false)
        #expect(abs(try #require(border.declinationError) - 2.7209) < 1e-4)
        #expect(border.declination == -90)
        let europe = MagneticField(x: 20_000, y: 0, z: 40_000, isDateClamped: false)
        #expect(abs(try #require(europe.declinationError) - 0.3755) < 1e-4)
        // Where the needle stands on its point.
        let pole = try #require(Coordinate(latitude: 85.8, longitude: 139))
        #expect(MagneticModel.wmm2025.field(at: pole, altitude: 0, age: 1).declinationError == nil)
    }

    @Test func datesAreBroughtIntoTheValidity() throws {
        let place = try #require(Coordinate(latitude: 47, longitude: 8))
        let model = MagneticModel.wmm2025
        let (start, end) = (
            model.field(at: place, altitude: 0, age: 0), model.field(at: place, altitude: 0, age: 5)
        )
        for time in [Timestamp.earliest, Timestamp(seconds: 1_735_689_599, microseconds: 999_999)] {
            let field = model.field(at: place, time: time)
            #expect(field.isDateClamped && field.x == start.x && field.y == start.y && field.z == start.z)
        }
        for time in [Timestamp.latest, Timestamp(seconds: 1_893_456_001, microseconds: 0)] {
            let field = model.field(at: place, time: time)
            #expect(field.isDateClamped && field.x == end.x && field.y == end.y && field.z == end.z)
        }
        // 2025-01-01 and 2030-01-01 themselves.
        #expect(model.field(at: place, time: Timestamp(seconds: 1_735_689_600, microseconds: 0)) == start)
        #expect(model.field(at: place, time: Timestamp(seconds: 1_893_456_000, microseconds: 0)) == end)
        #expect(!start.isDateClamped && !end.isDateClamped)
    }

    /// The field goes on through a pole: it is one vector there, whatever the meridian, and as just beside it.
    @Test(arguments: [90.0, -90], stride(from: -180.0, through: 180, by: 30).map { $0 })
    func poles(latitude: Double, longitude: Double) throws {
        let model = MagneticModel.wmm2025
        func field(_ latitude: Double, _ longitude: Double) throws -> MagneticField {
            model.field(
                at: try #require(Coordinate(latitude: latitude, longitude: longitude)), altitude: 1_000, age: 2)
        }
        let (pole, beside) = (try field(latitude, longitude), try field(latitude * (1 - 1e-9), longitude))
        #expect(abs(pole.x - beside.x) < 1e-3 && abs(pole.y - beside.y) < 1e-3 && abs(pole.z - beside.z) < 1e-3)
        let greenwich = try field(latitude, 0)
        let turn = (latitude > 0 ? greenwich : pole).declination.turn(to: (latitude > 0 ? pole : greenwich).declination)
        #expect(abs(turn.turn(to: longitude)) < 1e-9)
        #expect(abs(pole.horizontalIntensity - greenwich.horizontalIntensity) < 1e-6)
    }

    @Test(arguments: 0..<10) func numbersWhateverTheInput(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let hostile = [0.0, -0.0, 90, -90, 180, -180, 45, 1e-300]
        for _ in 0..<200 {
            let place = try #require(
                Coordinate(
                    latitude: Bool.random(using: &random)
                        ? hostile.filter { abs($0) <= 90 }.randomElement(using: &random)!
                        : .random(in: -90...90, using: &random),
                    longitude: Bool.random(using: &random)
                        ? hostile.randomElement(using: &random)! : .random(in: -180...180, using: &random)))
            let altitude = [0, 8_848, -1e30, 1e30, .nan, .infinity, -.infinity].randomElement(using: &random)!
            let time = Timestamp(microseconds: .random(in: .min ... .max, using: &random))
            let field = MagneticModel.wmm2025.field(at: place, altitude: altitude, time: time)
            #expect(field.declination.isFinite && field.z.isFinite)
            #expect(15_000..<70_000 ~= field.totalIntensity || altitude == 1e30 || altitude == .infinity)
        }
        // The antimeridian has two names.
        let (east, west) = (Coordinate(latitude: 10, longitude: 180)!, Coordinate(latitude: 10, longitude: -180)!)
        let (a, b) = (
            MagneticModel.wmm2025.field(at: east, altitude: 0, age: 1),
            MagneticModel.wmm2025.field(at: west, altitude: 0, age: 1)
        )
        #expect(abs(a.x - b.x) + abs(a.y - b.y) + abs(a.z - b.z) < 1e-6)
    }

    private func check(_ row: Row, within tolerance: Double = 0.1) throws {
        let place = try #require(Coordinate(latitude: row.latitude, longitude: row.longitude))
        let field = MagneticModel.wmm2025.field(at: place, altitude: row.height * 1_000, age: row.year - 2025)
        for (value, expected) in [
            (field.x, row.x), (field.y, row.y), (field.z, row.z), (field.horizontalIntensity, row.h),
            (field.totalIntensity, row.f),
        ] { #expect(abs(value - expected) <= tolerance, "\(row)") }
        let inclination = atan2(field.z, field.horizontalIntensity) * 180 / .pi
        #expect(abs(inclination - row.inclination) <= 0.01, "\(row)")
        #expect(abs(field.declination.turn(to: row.declination)) <= 0.01, "\(row)")
    }
}
