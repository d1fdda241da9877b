import Testing

@testable import SkerryCore

/// What is believed of a report.
@Suite("Fixes and headings from reports")
struct FixReadingTests {
    private func fix(_ members: String, mode: Int = 3) throws -> Fix {
        let line = #"{"class":"TPV","mode":\#(mode),"lat":47,"lon":8,\#(members)}"#
        guard case .position(let tpv) = readLine(line)?.report, case .fix(let fix) = FixReading(tpv) else {
            throw NotAFix()
        }
        return fix
    }

    private struct NotAFix: Error {}

    @Test(
        "where there is a place",
        arguments: [
            (#""mode":3,"lat":47,"lon":8"#, "fix"), (#""mode":2,"lat":-90,"lon":-180"#, "fix"),
            (#""mode":2,"lat":0,"lon":8"#, "fix"),
            (#""mode":3,"lat":0.000000001,"lon":0"#, "fix"), (#""mode":3,"lat":0,"lon":0"#, "null-island"),
            (#""mode":3,"lat":-0.0,"lon":0"#, "null-island"),
            (#""mode":3,"lat":90.1,"lon":0"#, "out-of-range"), (#""mode":3,"lat":0,"lon":181"#, "out-of-range"),
            (#""mode":3,"lat":1e308,"lon":0"#, "out-of-range"),
            (#""mode":1,"lat":47,"lon":8"#, "no fix"), (#""mode":0,"lat":47,"lon":8"#, "no fix"),
            (#""lat":47,"lon":8"#, "no fix"),
            (#""mode":3,"lat":47"#, "no fix"), (#""mode":3,"lon":8"#, "no fix"),
            (#""mode":3,"lat":nan,"lon":8"#, "no fix"),
        ])
    func places(members: String, expected: String) throws {
        guard case .position(let tpv) = readLine("{\"class\":\"TPV\",\(members)}")?.report else { throw NotAFix() }
        let found =
            switch FixReading(tpv) {
            case .fix: "fix"
            case .noFix: "no fix"
            case .rejected(let why): why.rawValue
            }
        #expect(found == expected)
    }

    @Test(
        "horizontal accuracy",
        arguments: [
            (#""eph":5.5,"epx":3,"epy":4"#, 5.5, .eph), (#""epx":3,"epy":4"#, 5, .epxEpy),
            (#""eph":0,"epx":3,"epy":4"#, 5, .epxEpy),
            (#""eph":0,"epx":0,"epy":0"#, 100, .fallback), (#""epx":3"#, 100, .fallback),
            (#""eph":-1"#, 100, .fallback), (#""sep":3"#, 100, .fallback),
            (#""eph":1e300,"epx":1e300,"epy":1e300"#, 100, .fallback), (#""eph":20040000"#, 20_040_000, .eph),
        ] as [(String, Double, Fix.AccuracySource)])
    func horizontalAccuracy(members: String, accuracy: Double, source: Fix.AccuracySource) throws {
        let fix = try fix(members)
        #expect(fix.horizontalAccuracy == accuracy && fix.accuracySource == source)
    }

    @Test(
        "altitudes",
        arguments: [
            (3, #""altMSL":500,"altHAE":548,"alt":500,"epv":27,"eph":10"#, [500, 548, 27]),
            (3, #""altHAE":548,"alt":548,"epv":27,"eph":10"#, [nil, 548, 27]),
            (3, #""alt":500,"eph":10"#, [500, nil, 15]), (3, #""altMSL":500,"epv":0,"eph":10"#, [500, nil, 15]),
            (3, #""epv":27,"eph":10"#, [nil, nil, nil]),
            (2, #""altMSL":500,"altHAE":548,"alt":500,"epv":27,"eph":10"#, [nil, nil, nil]),
            (3, #""altMSL":1e9,"alt":5,"epv":27,"eph":10"#, [nil, nil, nil]),
            (3, #""altMSL":-218.5"#, [-218.5, nil, 150]),
        ] as [(Int, String, [Double?])])
    func altitudes(mode: Int, members: String, expected: [Double?]) throws {
        let fix = try fix(members, mode: mode)
        #expect([fix.altitude, fix.ellipsoidalAltitude, fix.verticalAccuracy] == expected)
        #expect(fix.isThreeDimensional == (mode == 3))
    }

    @Test(
        "speed and course",
        arguments: [
            (#""speed":5,"track":45,"eps":1,"epd":2"#, [5, 1, 45, 2]),
            (#""speed":0.5,"track":360"#, [0.5, nil, 0, nil]),
            (#""speed":0.499,"track":45,"epd":2"#, [0.499, nil, nil, nil]),
            (#""track":45,"epd":2"#, [nil, nil, nil, nil]),
            (#""speed":5,"epd":2"#, [5, nil, nil, nil]), (#""speed":5,"track":360.001,"epd":2"#, [5, nil, nil, nil]),
            (#""speed":5,"track":-1"#, [5, nil, nil, nil]),
            (#""speed":5,"track":0,"eps":0,"epd":180.1"#, [5, nil, 0, nil]),
            (#""speed":-1,"track":45,"eps":-1"#, [nil, nil, nil, nil]),
            (#""speed":1e300,"track":45,"eps":1e300"#, [nil, nil, nil, nil]), (#""speed":0"#, [0, nil, nil, nil]),
            (#""speed":5,"magtrack":45"#, [5, nil, nil, nil]),
        ] as [(String, [Double?])])
    func motion(members: String, expected: [Double?]) throws {
        let fix = try fix(members)
        #expect([fix.speed, fix.speedAccuracy, fix.course, fix.courseAccuracy] == expected)
    }

    @Test("a simulated fix", arguments: [(8, true), (7, false), (2, false)])
    func simulated(status: Int, isSimulated: Bool) throws {
        #expect(try fix("\"status\":\(status)").isSimulated == isSimulated)
    }

    @Test(
        "headings",
        arguments: [
            (#""heading":359.5"#, nil, 359.5, nil), (#""heading":360"#, nil, 0, nil), (#""heading":0"#, nil, 0, nil),
            (#""mheading":218.634"#, nil, nil, 218.634),
            (#""heading":10,"mheading":5"#, nil, 10, 5), (#""heading":14223,"mheading":5"#, nil, nil, 5),
            (#""heading":14223"#, .outOfRange, nil, nil),
            (#""heading":-0.1"#, .outOfRange, nil, nil), (#""pitch":1"#, .noHeading, nil, nil),
            (#""heading":0,"pitch":0,"roll":0"#, .uninitialised, nil, nil),
            (#""heading":0.000,"mheading":346,"pitch":-0.0,"roll":0"#, .uninitialised, nil, nil),
            (#""mheading":0,"pitch":0,"roll":0"#, .uninitialised, nil, nil),
            (#""heading":0,"pitch":0,"roll":0.1"#, nil, 0, nil), (#""heading":0,"pitch":0"#, nil, 0, nil),
            // A compass that lies level and points north.
            (#""heading":0,"pitch":0,"roll":0,"mag_st":"N""#, nil, 0, nil),
            (#""mheading":0,"pitch":0,"roll":0,"mag_x":21"#, nil, nil, 0),
            (#""heading":0,"pitch":0,"roll":0,"mag_x":0,"mag_y":0,"mag_z":0"#, .uninitialised, nil, nil),
            (#""heading":7,"mag_st":"C""#, .magnetometerAlarm, 7, nil),
            (#""heading":7,"mag_st":"L""#, .magnetometerAlarm, 7, nil),
            (#""heading":7,"mag_st":"P""#, .magnetometerAlarm, 7, nil),
            (#""heading":7,"mag_st":"V""#, .magnetometerAlarm, 7, nil), (#""heading":7,"mag_st":"N""#, nil, 7, nil),
            (#""heading":7,"mag_st":"M""#, nil, 7, nil),
        ] as [(String, HeadingRejection?, Double?, Double?)])
    func headings(members: String, rejection: HeadingRejection?, trueHeading: Double?, magneticHeading: Double?) throws
    {
        guard case .attitude(let att) = readLine("{\"class\":\"ATT\",\(members)}")?.report else { throw NotAFix() }
        let compass = att.compass
        #expect(att.rejection == rejection)
        #expect(compass.trueHeading == trueHeading && compass.magneticHeading == magneticHeading)
        #expect(compass.isInvalid == (rejection != nil && rejection != .noHeading))
        #expect(compass.isWarned == members.contains("\"M\""))
    }

    @Test("the rest of an attitude")
    func attitude() throws {
        let line =
            #"{"class":"ATT","heading":244.28,"mag_st":"O","pitch":-1.5,"roll":2,"mag_x":21.5,"mag_y":-3,"mag_z":40,"baseS":3}"#
        guard case .attitude(let att) = readLine(line)?.report else { throw NotAFix() }
        #expect(
            att.compass
                == CompassReading(
                    trueHeading: 244.28, isWarned: true, magneticX: 21.5, magneticY: -3, magneticZ: 40, pitch: -1.5,
                    roll: 2,
                    isDualAntenna: true))
    }
}
