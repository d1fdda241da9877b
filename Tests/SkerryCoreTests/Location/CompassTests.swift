import Testing

@testable import SkerryCore

@Suite("Compass") struct CompassTests {
    static let zurich = Coordinate(latitude: 47.4, longitude: 8.5)!
    static let nearThePole = Coordinate(latitude: 85.8, longitude: 139)!
    static let now = Timestamp(seconds: 1_795_478_400, microseconds: 0)  // 2026-11-24

    /// Without a position: the rows are headings in, told or not.
    @Test func headingFilterIsOnTheCircleAgainstTheLastTold() {
        var compass = Compass()
        let rows: [(Double, Bool)] = [
            (359, true), (359.9, false), (0, true), (0.5, false), (1, true), (359.5, true), (0.4, false), (0.5, true),
            (180.5, true), (179.6, false),
        ]
        for (degrees, isTold) in rows {
            let heading = compass.observe(.init(magneticHeading: degrees), at: Self.now, position: nil).heading
            #expect((heading != nil) == isTold, "\(degrees)")
            if isTold { #expect(heading == Heading(magneticHeading: degrees, headingAccuracy: 10)) }
        }
    }

    @Test(arguments: [(0.0, 5), (1, 3), (90, 2), (180, 1), (360, 1)])
    func headingFilters(filter: Double, told: Int) {
        var settings = CompassSettings()
        settings.headingFilter = filter
        var compass = Compass(settings)
        let headings = [10.0, 10, 11, 120, 120.5].compactMap {
            compass.observe(.init(magneticHeading: $0), at: Self.now, position: nil).heading
        }
        #expect(headings.count == told)
    }

    @Test func aDegreeOfTenTenthsIsADegree() {
        var compass = Compass()
        // 0.1 + 0.2 + … as binary fractions miss the degree by a hair now and then.
        var misses = 0
        for tenth in 0..<3_590 {
            compass = Compass()
            _ = compass.observe(.init(magneticHeading: Double(tenth) / 10), at: Self.now, position: nil)
            let next = CompassReading(magneticHeading: Double(tenth + 10) / 10)
            if compass.observe(next, at: Self.now, position: nil).heading == nil { misses += 1 }
        }
        #expect(misses == 0)
    }

    @Test func trueFromMagneticNeedsAPosition() throws {
        var compass = Compass()
        let reading = CompassReading(magneticHeading: 358)
        let without = try #require(compass.observe(reading, at: Self.now, position: nil).heading)
        #expect(without.trueHeading == nil && without.declination == nil && without.headingAccuracy == 10)
        // That north becomes known is told, though nothing turned.
        let with = try #require(compass.observe(reading, at: Self.now, position: Self.zurich).heading)
        let declination = try #require(with.declination)
        #expect(abs(declination - 3.7) < 0.1)
        #expect(with.magneticHeading == 358)
        #expect(abs(try #require(with.trueHeading) - (declination - 2)) < 1e-9)
        // √(10² + 0.26² + (5417/21,500)²)
        #expect(abs(try #require(with.headingAccuracy) - 10.006_6) < 0.000_3)
        #expect(compass.observe(reading, at: Self.now, position: Self.zurich).heading == nil)
    }

    @Test func magneticFromTrueLikewise() throws {
        var compass = Compass()
        let reading = CompassReading(trueHeading: 1, isDualAntenna: true)
        let without = try #require(compass.observe(reading, at: Self.now, position: nil).heading)
        #expect(without == Heading(trueHeading: 1, headingAccuracy: 1))
        let with = try #require(compass.observe(reading, at: Self.now, position: Self.zurich).heading)
        #expect(with.magneticHeading == (1 - (try #require(with.declination))).direction)
        #expect(with.trueHeading == 1 && with.headingAccuracy == 1)
    }

    @Test func whatTheDeviceGivesIsKept() throws {
        var compass = Compass()
        let reading = CompassReading(trueHeading: 10, magneticHeading: 20)
        let heading = try #require(compass.observe(reading, at: Self.now, position: Self.zurich).heading)
        #expect(heading.trueHeading == 10 && heading.magneticHeading == 20)
    }

    @Test(arguments: [(5.0, 15.0), (-5, 5), (0, 10), (180, 190), (-180, 190)])
    func gpsdsDeclinationIsAFallback(declination: Double, expected: Double) throws {
        var compass = Compass()
        let reading = CompassReading(magneticHeading: 10)
        let heading = try #require(
            compass.observe(reading, at: Self.now, position: nil, declination: declination).heading)
        #expect(heading.trueHeading == expected && heading.declination == declination)
        #expect(abs(try #require(heading.headingAccuracy) - 10.770_3) < 1e-4)
        // A position wins.
        let other = try #require(
            compass.observe(reading, at: Self.now, position: Self.zurich, declination: 77).heading)
        #expect(abs(try #require(other.declination) - 3.7) < 0.1)
    }

    @Test(arguments: [999.9, -180.1, .nan, .infinity, -.infinity]) func whatCanBeNoDeclination(_ number: Double) {
        var compass = Compass()
        let reading = CompassReading(magneticHeading: 10)
        let heading = compass.observe(reading, at: Self.now, position: nil, declination: number).heading
        #expect(heading == Heading(magneticHeading: 10, headingAccuracy: 10))
    }

    @Test func declinationIsComputedAnewAfterAKilometreOrADay() throws {
        var settings = CompassSettings()
        settings.headingFilter = 0
        var compass = Compass(settings)
        func declination(_ place: Coordinate, _ time: Timestamp) throws -> Double {
            let reading = CompassReading(magneticHeading: 0)
            return try #require(compass.observe(reading, at: time, position: place).heading?.declination)
        }
        let first = try declination(Self.zurich, Self.now)
        let (near, far) = (
            try #require(Self.zurich.destination(bearing: 90, distance: 999)),
            try #require(Self.zurich.destination(bearing: 90, distance: 1_001))
        )
        #expect(try declination(near, Self.now) == first)
        #expect(try declination(Self.zurich, Self.now + 86_400 * .second) == first)
        let tomorrow = try declination(Self.zurich, Self.now + (86_400 * .second + 1))
        #expect(tomorrow != first && abs(tomorrow - first) < 0.01)
        // A clock that goes back counts as well.
        #expect(try declination(Self.zurich, Self.now) == first)
        #expect(try declination(far, Self.now) != first)
    }

    @Test func inABlackoutZoneNoCompassIsValid() throws {
        var compass = Compass()
        let magnetic = try #require(
            compass.observe(.init(magneticHeading: 10), at: Self.now, position: Self.nearThePole).heading)
        #expect(magnetic == Heading(magneticHeading: 10))
        // Antennas are.
        let reading = CompassReading(trueHeading: 20, isDualAntenna: true)
        let geographic = try #require(compass.observe(reading, at: Self.now, position: Self.nearThePole).heading)
        #expect(geographic == Heading(trueHeading: 20, headingAccuracy: 1))
    }

    @Test func datesOutsideOfTheModelAreFlagged() throws {
        var compass = Compass()
        for (seconds, isClamped) in [(1_400_000_000, true), (1_795_478_400, false), (2_000_000_000, true)] {
            let reading = CompassReading(magneticHeading: Double(seconds % 360))
            let time = Timestamp(seconds: Int64(seconds), microseconds: 0)
            let heading = try #require(compass.observe(reading, at: time, position: Self.zurich).heading)
            #expect(heading.isDateClamped == isClamped)
            #expect(abs(try #require(heading.declination) - 3.7) < 0.6)
        }
    }

    @Test func mounting() throws {
        for (orientation, expected) in zip(HeadingOrientation.allCases, [350.0, 170, 80, 260]) {
            var settings = CompassSettings()
            settings.mounting = orientation.degrees
            var compass = Compass(settings)
            let reading = CompassReading(trueHeading: 350, magneticHeading: 350)
            let heading = try #require(compass.observe(reading, at: Self.now, position: nil).heading)
            #expect(heading.trueHeading == expected && heading.magneticHeading == expected)
        }
        var settings = CompassSettings()
        settings.mounting = 10
        var compass = Compass(settings)
        let heading = compass.observe(.init(magneticHeading: 350), at: Self.now, position: nil).heading
        // Exactly north is a heading.
        #expect(heading?.magneticHeading == 0)
    }

    @Test(arguments: [
        (CompassReading(magneticHeading: 1, accuracy: 3), 3.0),
        (CompassReading(magneticHeading: 1, isWarned: true), 20),
        (CompassReading(magneticHeading: 1, accuracy: 0), 0), (CompassReading(magneticHeading: 1, accuracy: 500), 180),
        (CompassReading(magneticHeading: 1, accuracy: .nan), 180),
        (CompassReading(magneticHeading: 1, accuracy: -1), nil),
        (CompassReading(magneticHeading: 1, isInvalid: true), nil),
        (CompassReading(trueHeading: 0, pitch: 0, roll: 0), 10),
        (CompassReading(trueHeading: 0), 10), (CompassReading(trueHeading: 1, isDualAntenna: true), 1),
        (CompassReading(trueHeading: 1, isInvalid: true, isDualAntenna: true), nil),
    ])
    func accuracies(reading: CompassReading, expected: Double?) {
        var compass = Compass()
        let outcome = compass.observe(reading, at: Self.now, position: nil)
        #expect(outcome.heading != nil && outcome.heading?.headingAccuracy == expected)
        #expect(outcome.calibration == (expected == nil ? .invalidHeading : nil))
    }

    @Test func calibrationIsToldOnceASpell() {
        var settings = CompassSettings()
        settings.fieldFactor = 0.5
        settings.fieldOffset = SIMD3(10, 0, -10)
        var compass = Compass(settings)
        func cause(_ reading: CompassReading) -> Compass.CalibrationCause? {
            compass.observe(reading, at: Self.now, position: nil).calibration
        }
        let fine = CompassReading(magneticHeading: 1)
        let invalid = CompassReading(magneticHeading: 1, isInvalid: true)
        // (50 - 10)/2, 0, (70 + 10)/2 are 20 and 40 microtesla; 210 makes 100.
        let earth = CompassReading(magneticX: 50, magneticY: 0, magneticZ: 70)
        let magnet = CompassReading(magneticX: 210, magneticY: 0, magneticZ: -10)
        #expect(cause(fine) == nil)
        #expect(cause(invalid) == .invalidHeading)
        #expect(cause(invalid) == nil)
        #expect(cause(earth) == nil)
        #expect(cause(fine) == nil)
        #expect(cause(magnet) == .implausibleField(100))
        // Headings in between say nothing about the field.
        #expect(cause(fine) == nil)
        #expect(cause(magnet) == nil)
        #expect(cause(invalid) == nil)
        #expect(cause(earth) == nil)
        #expect(cause(magnet) == nil)
        #expect(cause(fine) == nil)
        #expect(cause(earth) == nil)
        #expect(cause(invalid) == .invalidHeading)
    }

    @Test func fieldsAreToldInMicroteslaWhereTheyCanBeTheEarths() throws {
        var settings = CompassSettings()
        settings.headingFilter = 0
        settings.fieldFactor = 0.5
        settings.fieldOffset = SIMD3(10, 0, -10)
        var compass = Compass(settings)
        let earth = CompassReading(magneticHeading: 1, magneticX: 50, magneticY: 4, magneticZ: 70)
        let heading = try #require(compass.observe(earth, at: Self.now, position: nil).heading)
        #expect((heading.x, heading.y, heading.z) == (20, 2, 40) && heading.headingAccuracy == 10)
        let magnet = CompassReading(magneticHeading: 1, magneticX: 210, magneticY: 4, magneticZ: 70)
        let disturbed = try #require(compass.observe(magnet, at: Self.now, position: nil).heading)
        #expect(disturbed == Heading(magneticHeading: 1))
        // Antennas don't care.
        let antennas = CompassReading(trueHeading: 1, isDualAntenna: true)
        #expect(compass.observe(antennas, at: Self.now, position: nil).heading?.headingAccuracy == 1)
        var unknown = Compass()
        let outcome = unknown.observe(magnet, at: Self.now, position: nil)
        #expect(outcome.heading == Heading(magneticHeading: 1, headingAccuracy: 10) && outcome.calibration == nil)
    }

    /// The filter says what is told, not what is known.
    @Test func whatIsNotToldIsKnown() {
        var compass = Compass()
        for degrees in [10, 10.5, 10.9, 11] {
            let outcome = compass.observe(.init(magneticHeading: degrees), at: Self.now, position: nil)
            #expect(outcome.latest?.magneticHeading == degrees)
            #expect((outcome.heading != nil) == (degrees == 10 || degrees == 11))
        }
    }

    @Test func whatIsNoHeadingIsNotTold() {
        var compass = Compass()
        for reading in [CompassReading(), .init(magneticX: 1), .init(trueHeading: .nan), .init(trueHeading: .infinity)]
        {
            #expect(compass.observe(reading, at: Self.now, position: Self.zurich) == .init())
        }
    }

    @Test(arguments: 0..<20) func headingsAreNumbersOnTheCircleWhateverIsRead(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let numbers = [
            0, -0.0, 359.999_999_999_999_94, 360, 14_223, -1, 1e300, -1e300, .nan, .infinity, -.infinity, 45,
        ]
        func any() -> Double? { Bool.random(using: &random) ? numbers.randomElement(using: &random) : nil }
        let places = [(90, 0), (-90, 180), (0, 180), (0, -180), (47, 8), (85.8, 139)].map {
            Coordinate(latitude: $0.0, longitude: $0.1)
        }
        for _ in 0..<50 {
            var settings = CompassSettings()
            settings.headingFilter = 0
            settings.mounting = any() ?? 0
            settings.accuracy = any() ?? 10
            settings.fieldFactor = any()
            settings.fieldOffset = SIMD3(any() ?? 0, any() ?? 0, any() ?? 0)
            var compass = Compass(settings)
            for _ in 0..<20 {
                let reading = CompassReading(
                    trueHeading: any(), magneticHeading: any(), accuracy: any(), isWarned: .random(using: &random),
                    isInvalid: .random(using: &random), magneticX: any(), magneticY: any(), magneticZ: any(),
                    pitch: any(), roll: any(), isDualAntenna: .random(using: &random))
                let time = Timestamp(microseconds: .random(in: .min ... .max, using: &random))
                let outcome = compass.observe(
                    reading, at: time, position: places.randomElement(using: &random)!, altitude: any(),
                    declination: any())
                if case .implausibleField(let field) = outcome.calibration { #expect(0...1e6 ~= field) }
                guard let heading = outcome.heading else { continue }
                #expect(heading.trueHeading != nil || heading.magneticHeading != nil)
                for degrees in [heading.trueHeading, heading.magneticHeading].compactMap(\.self) {
                    #expect(0..<360 ~= degrees && degrees.sign == .plus)
                }
                #expect(heading.headingAccuracy.map { 0...180 ~= $0 } ?? true)
                for number in [heading.declination, heading.x, heading.y, heading.z].compactMap(\.self) {
                    #expect(number.isFinite)
                }
            }
        }
    }
}
