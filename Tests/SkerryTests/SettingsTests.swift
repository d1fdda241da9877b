import SkerryCore
import SkerryIO
import Testing

@testable import skerry

@Suite struct SettingsTests {
    private static let office = ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")

    @Test(
        arguments: [
            ("a=E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "a", true, nil, nil),
            ("a=e2c56db5dffb48d2b060d0f5a71096e0", "a", true, nil, nil),
            ("a=e2c56db5dffb48d2b060d0f5a71096e0/0", "a", true, 0, nil),
            ("a=e2c56db5dffb48d2b060d0f5a71096e0/65535/0", "a", true, 65_535, 0),
            ("front door=*", "front door", false, nil, nil),
            ("a=", "a", false, nil, nil),
            ("**=*", "**", false, nil, nil),
        ] as [(String, String, Bool, UInt16?, UInt16?)])
    func regionsAreRead(text: String, name: String, hasUUID: Bool, major: UInt16?, minor: UInt16?) throws {
        let region = try Settings.region(text)
        #expect(region == BeaconRegion(name: name, uuid: hasUUID ? Self.office : nil, major: major, minor: minor))
        #expect(region.isMonitored)
    }

    @Test(
        arguments: [
            ("", "region '' is not NAME=UUID[/MAJOR[/MINOR]]"),
            ("office", "region 'office' is not NAME=UUID[/MAJOR[/MINOR]]"),
            ("=*", "a region needs a name"),
            ("*=*", "the name * is taken by the region of every iBeacon"),
            ("a=12", "'12' is not a UUID (32 hexadecimal digits, with or without dashes)"),
            ("a=e2c56db5dffb48d2b060d0f5a71096e0/", "major '' is not a number from 0 to 65535"),
            ("a=e2c56db5dffb48d2b060d0f5a71096e0/65536", "major '65536' is not a number from 0 to 65535"),
            ("a=e2c56db5dffb48d2b060d0f5a71096e0/1/-1", "minor '-1' is not a number from 0 to 65535"),
            (
                "a=e2c56db5dffb48d2b060d0f5a71096e0/1/2/3",
                "'e2c56db5dffb48d2b060d0f5a71096e0/1/2/3' is not UUID[/MAJOR[/MINOR]]"
            ),
            ("a=*/1", "region a has a major without a UUID"),
        ] as [(String, String)])
    func whatIsNoRegionSaysWhy(text: String, message: String) {
        #expect(throws: UsageError(message)) { try Settings.region(text) }
    }

    @Test func kindsOfEventsAreRead() throws {
        #expect(try Settings.events("ranging,region") == [EventKinds(.ranging), EventKinds(.region)])
        #expect(try Settings.events("ranging,ranging") == EventKinds(.ranging))
        for text in ["", "ranging,", ",", "ranging, region", "Ranging", "all"] {
            #expect(throws: UsageError.self) { try Settings.events(text) }
        }
        #expect(
            throws: UsageError(
                """
                unknown event 'zone'; there are start, advertisement, ranging, region, location, heading, guidance, \
                scanner, error, statistics
                """)
        ) { try Settings.events("ranging,zone") }
    }

    @Test func speedsAreRead() throws {
        #expect(try Settings.speed("max") == .maximum)
        #expect(try Settings.speed("1") == .times(1))
        #expect(try Settings.speed("0.25") == .times(0.25))
        #expect(try Settings.speed("1e6") == .times(1e6))
        for text in ["0", "-1", "fast", "", "inf", "nan", "1x", "0x10", "0X1P4", "1e999"] {
            #expect(throws: UsageError("speed '\(text)' is neither a number above 0 nor max")) {
                try Settings.speed(text)
            }
        }
    }

    @Test func formatsProfilesAndPowersAreRead() throws {
        #expect(try Settings.format("json") == .json && Settings.format("table") == .table)
        #expect(throws: UsageError("format 'JSON' is none of json, table and geojson")) { try Settings.format("JSON") }
        #expect(try Settings.profile("apple") == .apple)
        #expect(throws: UsageError("profile 'iphone' is not built in; there is adaptive, apple, altbeacon")) {
            try Settings.profile("iphone")
        }
        #expect(try Settings.measuredPower("-20") == -20 && Settings.measuredPower("-128") == -128)
        for text in ["-19", "0", "-129", "", "-59.5"] {
            #expect(throws: UsageError("measured power '\(text)' is not a number from -128 to -20 (dBm)")) {
                try Settings.measuredPower(text)
            }
        }
    }

    @Test func aNameIsGivenOnce() throws {
        var settings = Settings()
        try settings.add(try Settings.region("a=*"))
        try settings.add(try Settings.region("A=*"))
        #expect(throws: UsageError("region a is given twice")) { try settings.add(try Settings.region("a=*")) }
        #expect(settings.regions.map(\.name) == ["a", "A"])
    }

    /// The file's order, its regions taken over by those of the same name, then those that only the command line has.
    @Test func theCommandLineWinsOverTheFile() throws {
        var settings = Settings()
        for text in ["new=*", "b=e2c56db5dffb48d2b060d0f5a71096e0/7"] { try settings.add(try Settings.region(text)) }
        settings.events = EventKinds(.region)
        var file = Settings()
        for text in ["a=*", "b=*", "c=*"] { try file.add(try Settings.region(text)) }
        (file.events, file.format, file.speed, file.measuredPower) = (EventKinds(.ranging), .table, .times(2), -65)
        try settings.complete(from: file)
        #expect(settings.regions.map(\.name) == ["a", "b", "c", "new"])
        #expect(settings.regions[1].major == 7)
        #expect(settings.events == EventKinds(.region))
        // Who asks for events wants to see them, whatever the file shows.
        #expect(settings.format == .json && settings.speed == .times(2) && settings.measuredPower == -65)
        #expect(settings.profile == nil)
    }

    @Test func aProfileHasWhatWasSetOfIt() throws {
        var settings = Settings()
        #expect(try settings.proximity() == ProximitySettings(profile: .adaptive))
        settings.receiverGain = -4.5
        settings.profile = .apple
        #expect(try settings.proximity().receiverGain == -4.5)
        settings.zoneFar = 9
        #expect(throws: UsageError("zone-far is a setting of profile adaptive, not of profile apple")) {
            try settings.proximity()
        }
        settings.profile = nil
        settings.shortestExitTime = 200
        let proximity = try settings.proximity()
        #expect(proximity.exitTimes == 200...200 && proximity.zoneBorders == ZoneBorders(near: -6, far: 9))
        settings.longestExitTime = 100
        settings.places = ["exit-time-min": "a.conf:7", "exit-time-max": "a.conf:8", "zone-near": "a.conf:9"]
        #expect(
            throws: UsageError("exit-time-min (200.0 s, a.conf:7) must not be above exit-time-max (100.0 s, a.conf:8)")
        ) { try settings.proximity() }
        settings.longestExitTime = nil
        settings.zoneNear = 9
        settings.places["zone-far"] = "a.conf:10"
        #expect(throws: UsageError("zone-near (9.0 dB, a.conf:9) must be below zone-far (9.0 dB, a.conf:10)")) {
            try settings.proximity()
        }
    }

    @Test func regionsHaveFewDifferentExitTimes() throws {
        var settings = Settings()
        for number in 1...7 { try settings.add(BeaconRegion(name: "\(number)", exitTime: Double(number))!) }
        try settings.add(BeaconRegion(name: "again", exitTime: 7)!)
        #expect(throws: UsageError("regions can have at most 7 different exit times")) {
            try settings.add(BeaconRegion(name: "more", exitTime: 8)!)
        }
    }

    @Test func fencesAreRead() throws {
        let fence = try Settings.fence("home=59.33,-18.07,150.5")
        #expect(fence.name == "home" && fence.radius == 150.5 && fence.notifyOnEntry && fence.notifyOnExit)
        #expect(fence.centre == Coordinate(latitude: 59.33, longitude: -18.07))
        for (text, message) in [
            ("home", "fence 'home' is not NAME=LAT,LON,RADIUS"),
            ("home=1,2", "fence 'home=1,2' is not NAME=LAT,LON,RADIUS"),
            ("home=1,2,x", "fence 'home=1,2,x' is not NAME=LAT,LON,RADIUS"),
            ("*=1,2,3", "the name * is taken by the region of every iBeacon"),
            ("a=91,0,1", "fence a: the latitude is not from -90 to 90, or the longitude not from -180 to 180"),
            ("a=0,nan,1", "fence 'a=0,nan,1' is not NAME=LAT,LON,RADIUS"),
            ("a=0,0,0x10", "fence 'a=0,0,0x10' is not NAME=LAT,LON,RADIUS"),
            ("a=0,0,0", "fence a: the radius is not above 0 and at most 20003931 m"),
            ("a=0,0,1e9", "fence a: the radius is not above 0 and at most 20003931 m"),
        ] {
            #expect(throws: UsageError(message)) { try Settings.fence(text) }
        }
        var settings = Settings()
        try settings.add(fence)
        #expect(throws: UsageError("fence home is given twice")) { try settings.add(fence) }
        #expect(throws: UsageError("home is the name of a region and of a fence")) {
            try settings.add(try Settings.region("home=*"))
        }
    }

    @Test(arguments: [
        ("65536", 65_536), ("64k", 65_536), ("64K", 65_536), ("1.5 M", 1_572_864), ("1G", 1_073_741_824),
        ("1e5", 100_000),
    ])
    func sizes(text: String, bytes: Int) throws {
        #expect(try Settings.size(text, "rotate", 1...2_000_000_000) == bytes)
    }

    @Test(
        arguments: [
            ("90", 90), ("90s", 90), ("1.5m", 90), ("5 m", 300), ("2h", 7200), ("1d", 86_400), ("-1h", -3600), ("0", 0),
        ] as [(String, Double)])
    func times(text: String, seconds: Double) throws {
        #expect(try Settings.duration(text, "for", -86_400...86_400) == seconds)
    }

    @Test(arguments: ["", "m", "5 minutes", "5M", "1h30m", "5  m", "nan", "infd", "0x10s", "86401", "-2d"])
    func whatIsNoTimeSaysWhatIs(text: String) {
        let message = "for '\(text)' is not a time from -86400 to 86400 s (90, 90s, 5m, 2h, 1d)"
        #expect(throws: UsageError(message)) { try Settings.duration(text, "for", -86_400...86_400) }
    }

    @Test(arguments: ["", "k", "10MB", "1kk", "0.5k", "100m", "3T"]) func whatIsNoSizeSaysWhatIs(text: String) {
        let message = "rotate '\(text)' is not a size from 1000 to 1000000000 bytes (65536, 64k, 10M, 1G)"
        #expect(throws: UsageError(message)) { try Settings.size(text, "rotate", 1000...1_000_000_000) }
    }
}
