import Testing

@testable import SkerryCore

/// Events of places and directions as the lines that other programs read, whole.
@Suite struct LocationLineTests {
    private static let door = BeaconRegion(name: "door", uuid: Packet.office, major: 1)!
    private static let fix = GPSLines.fix(
        0, 47.123_456_789_4, -8.5,
        """
        ,"status":8,"altMSL":512.345,"altHAE":560.4,"eph":4.256,"epv":7.5,"speed":1.40049,"eps":0.5,"track":359.99968,\
        "epd":12.34567
        """)

    private func lines(_ kind: EventKind, _ playback: Playback) -> [String] { playback.lines(EventKinds(kind)) }

    /// To three decimals, a course of 359.99968 is 0.
    @Test func location() throws {
        let playback = try Playback(
            [], logs: [GPSLines.log([Self.fix, GPSLines.fix(1.5, -1e-9, 180, ",\"eph\":0.002")])])
        #expect(
            lines(.location, playback) == [
                """
                {"event":"location","time":"2023-11-14T22:13:20.000000Z","seq":1,"source":"log.json",\
                "latitude":47.123456789,"longitude":-8.5,"horizontalAccuracy":4.26,"altitude":512.35,\
                "ellipsoidalAltitude":560.4,"verticalAccuracy":7.5,"speed":1.4,"speedAccuracy":0.5,"course":0,\
                "courseAccuracy":12.346,"simulated":true}
                """,
                """
                {"event":"location","time":"2023-11-14T22:13:21.500000Z","seq":2,"source":"log.json",\
                "latitude":-0.000000001,"longitude":180,"horizontalAccuracy":0.01}
                """,
            ])
    }

    /// Before the model's first year its first declination holds, which is said.
    @Test func heading() throws {
        var location = LocationSettings()
        location.compass.fieldFactor = 0.1
        let field = ",\"mag_x\":200,\"mag_y\":-50.5,\"mag_z\":400"
        let log = GPSLines.log([
            GPSLines.compass(0, 359.9996, field), GPSLines.fix(0, 47, 8), GPSLines.fix(1, 47, 8),
            GPSLines.compass(1.25, 90), GPSLines.fix(2, 47, 8),
        ])
        #expect(
            lines(.heading, try Playback([], logs: [log], location: location)) == [
                """
                {"event":"heading","time":"2023-11-14T22:13:20.000000Z","seq":1,"source":"log.json",\
                "magneticHeading":0,"headingAccuracy":10,"x":20,"y":-5.05,"z":40}
                """,
                """
                {"event":"heading","time":"2023-11-14T22:13:21.250000Z","seq":2,"source":"log.json",\
                "magneticHeading":90,"trueHeading":93.284,"headingAccuracy":10.006,"declination":3.284,\
                "flags":["declinationDateClamped"]}
                """,
            ])
    }

    @Test func errors() throws {
        let playback = try Playback(
            [],
            logs: [
                GPSLines.log([
                    GPSLines.fix(0, 47, 8), GPSLines.noFix(1), GPSLines.compass(1, 10, ",\"mag_st\":\"C\""),
                    GPSLines.noFix(20),
                ])
            ])
        #expect(
            lines(.error, playback) == [
                """
                {"event":"error","time":"2023-11-14T22:13:21.000000Z","seq":1,"source":"log.json",\
                "domain":"heading","name":"calibrationNeeded",\
                "message":"the compass says that its headings are not to be used; turn it about to calibrate it, \
                or move until it is aligned",\
                "recoverable":true}
                """,
                """
                {"event":"error","time":"2023-11-14T22:13:31.000000Z","seq":2,"source":"log.json",\
                "domain":"location","code":0,"name":"locationUnknown",\
                "message":"no receiver knows the place at the moment","recoverable":true}
                """,
            ])
        let disturbed = Fault(.implausibleField(123.4))
        #expect(disturbed.code == 3 && disturbed.name == .headingFailure && disturbed.domain == .heading)
    }

    @Test func guidance() throws {
        var location = LocationSettings()
        location.destination = Coordinate(latitude: 47, longitude: 8.01)
        location.arrivalRadius = 100
        let log = GPSLines.log([
            GPSLines.fix(0, 47, 8), GPSLines.compass(0.5, 0), GPSLines.fix(1, 47, 8.009_999), GPSLines.fix(2, 47, 8.01),
        ])
        let start = #"{"event":"guidance","time":"2023-11-14T22:13:2"#
        #expect(
            lines(.guidance, try Playback([], logs: [log], location: location)) == [
                start + #"0.000000Z","seq":1,"distance":760.56,"bearing":89.996,"arrived":false}"#,
                start
                    + #"0.500000Z","seq":2,"distance":760.56,"bearing":89.996,"relativeAngle":86.712,"arrow":"right","arrived":false}"#,
                start + #"1.000000Z","seq":3,"distance":0.08,"arrived":true}"#,
                start + #"2.000000Z","seq":4,"distance":0,"arrived":true}"#,
            ])
    }

    private static let log = [fix, GPSLines.fix(1.2, 47, 8), GPSLines.compass(1.2, 90), GPSLines.fix(3, 47, 8)]

    private func play(_ location: LocationSettings = LocationSettings(), log: [String] = log) throws -> Playback {
        let capture = BTSnoopFile([(1, Packet.iBeacon(rssi: -65)), (2.5, Packet.iBeacon(rssi: -65))]).stream()
        return try Playback([capture], logs: [GPSLines.log(log)], location: location, regions: [Self.door])
    }

    /// Each with what is known of it, and how old that is.
    @Test func regionsCarryThePlace() throws {
        let line = try #require(lines(.region, try play()).first)
        #expect(
            line.hasSuffix(
                """
                ,"samples":1,"listening":1},"location":{"age":1,"latitude":47.123456789,"longitude":-8.5,\
                "horizontalAccuracy":4.26,"altitude":512.35,"ellipsoidalAltitude":560.4,"verticalAccuracy":7.5,\
                "speed":1.4,"speedAccuracy":0.5,"course":0,"courseAccuracy":12.346,"simulated":true}}
                """), "\(line)")
        let compass = try #require(lines(.region, try play(log: [GPSLines.compass(0.25, 7)])).first)
        #expect(compass.hasSuffix(#""listening":1},"heading":{"age":0.75,"magneticHeading":7,"headingAccuracy":10}}"#))
        #expect(try lines(.region, play(log: [GPSLines.fix(2, 1, 1)])).first?.hasSuffix(#""listening":1}}"#) == true)
    }

    @Test func advertisementsAndRangingCarryItIfAsked() throws {
        let plain = try play()
        for kind in [EventKind.advertisement, .ranging] {
            #expect(lines(kind, plain).allSatisfy { !$0.contains("latitude") && !$0.contains("Heading") })
        }
        var location = LocationSettings()
        location.geotags = true
        let tagged = try play(location)
        let second = try #require(lines(.advertisement, tagged).last)
        #expect(
            second.hasSuffix(
                """
                "measuredPower":-59},"location":{"age":1.3,"latitude":47,"longitude":8,"horizontalAccuracy":100},\
                "heading":{"age":1.3,"magneticHeading":90,"trueHeading":93.284,"headingAccuracy":10.006,\
                "declination":3.284,"flags":["declinationDateClamped"]}}
                """), "\(second)")
        #expect(lines(.advertisement, tagged).first?.contains(#""location":{"age":1,"latitude":47.123456789,"#) == true)
        #expect(lines(.ranging, tagged).first?.contains(#"}],"location":{"age":1,"#) == true)
        // The place is all that is added.
        let lengths = [plain, tagged].map { $0.events.map(\.kind) }
        #expect(lengths[0] == lengths[1])
    }

    @Test func statistics() throws {
        let line = try #require(lines(.statistics, try play()).first)
        #expect(
            line.contains(#""files":2,"records":2,"#)
                && line.contains(#""dropped":0,"fixes":3,"headings":1,"gpsLines":4,"gpsErrors":0,"first":"#), "\(line)")
        let damaged = try play(log: Self.log + ["{\"class\":\"TPV\"", GPSLines.fix(4, 0, 0), GPSLines.fix(1, 47, 8)])
        #expect(
            lines(.statistics, damaged).first?.contains(
                #""fixes":3,"headings":1,"gpsLines":6,"gpsErrors":1,"fixesRejected":1,"fixesOvertaken":1,"first":"#)
                == true)
    }

    @Test func start() throws {
        let logs = [
            GPSLines.log([]), GPSLog(name: "a.nmea", kind: .receiver, stream: GPSDStream(bytes: [])),
        ]
        let capture = BTSnoopFile([(1, Packet.other)]).stream()
        let line = try #require(lines(.start, try Playback([capture], logs: logs)).first)
        #expect(
            line.contains(
                """
                "sources":[{"name":"a.nmea","kind":"receiver"},{"name":"capture","kind":"btsnoop"},\
                {"name":"log.json","kind":"gpsd"}]
                """))
    }
}
