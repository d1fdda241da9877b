import SkerryCore
import SkerryIO
import Testing

@testable import skerry

@Suite struct ConfigurationTests {
    private static let example = """
        # What is monitored in the office.
        [settings]
        profile = apple
        events=start,region
        format = json
        speed = 2.5
        measured-power = -62

        ; the whole floor
        [region office]
        uuid = e2c56db5dffb48d2b060d0f5a71096e0

        [region  front door ]
          uuid = E2C56DB5-DFFB-48D2-B060-D0F5A71096E0
        \tmajor=0
          minor = 65535
        [region any]
        """

    @Test func sectionsAndKeysAreRead() throws {
        let settings = try Configuration.read(Self.example, path: "a.conf")
        #expect(settings.profile == .apple && settings.format == .json)
        #expect(settings.speed == .times(2.5) && settings.measuredPower == -62)
        #expect(settings.events == [EventKinds(.start), EventKinds(.region)])
        let uuid = ProximityUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
        #expect(
            settings.regions == [
                BeaconRegion(name: "office", uuid: uuid)!,
                BeaconRegion(name: "front door", uuid: uuid, major: 0, minor: 65_535)!, BeaconRegion(name: "any")!,
            ])
    }

    @Test func howFencesAreMonitoredIsRead() throws {
        let text = """
            [fence park]
            latitude = 47
            longitude = 8
            radius = 500
            [settings]
            state = /var/lib/skerry/state.json
            fence-confirmations = 3
            fence-dwell = 20.5
            fence-maximum-radius = 500
            fence-staleness = 600
            """
        let settings = try Configuration.read(text, path: "a.conf")
        var expected = CircleSettings()
        expected.confirmations = 3
        expected.dwell = 20.5
        expected.maximumRadius = 500
        expected.staleness = 600
        #expect(try settings.circleSettings() == expected)
        #expect(settings.statePath == "/var/lib/skerry/state.json")
        #expect(try Settings().circleSettings() == CircleSettings())
        // Options of the command line keep to the file's settings too.
        var options = Settings()
        options.statePath = "mine.json"
        try options.add(try Settings.fence("large=47,8,500.5"))
        try options.complete(from: settings)
        #expect(options.statePath == "mine.json")
        #expect(
            throws: UsageError("fence large: the radius (500.5 m) is above fence-maximum-radius (500.0 m, a.conf:9)")
        ) { try options.circleSettings() }
    }

    @Test func whatASiteSetsIsRead() throws {
        let settings = try Configuration.read(
            """
            [settings]
            receiver-gain = -2.5
            path-loss-exponent = 2.8
            zone-near = -4
            zone-far = 9
            exit-time-min = 5
            exit-time-max = 60
            [region door]
            exit-time = 3
            """, path: "a.conf")
        var expected = ProximitySettings(profile: .adaptive)
        expected.receiverGain = -2.5
        expected.pathLossExponent = 2.8
        expected.zoneBorders = ZoneBorders(near: -4, far: 9)!
        expected.exitTimes = 5...60
        #expect(try settings.proximity() == expected)
        #expect(settings.regions.map(\.exitTime) == [3])
    }

    @Test func aFileWithNothingInItSetsNothing() throws {
        for text in ["", "\n\n", "# only\n; comments\n", "[settings]\n"] {
            let settings = try Configuration.read(text, path: "a.conf")
            #expect(settings.regions.isEmpty && settings.profile == nil && settings.events == nil)
        }
    }

    @Test func linesMayEndAsOnWindows() throws {
        let settings = try Configuration.read(Self.example.replacing("\n", with: "\r\n"), path: "a.conf")
        #expect(settings.regions.map(\.name) == ["office", "front door", "any"])
        #expect(throws: UsageError("a.conf:2: unknown key \"x\" in [settings]")) {
            try Configuration.read("[settings]\r\nx = 1\r\n", path: "a.conf")
        }
    }

    /// Nothing else ends one: what an editor shows as part of a comment stays there.
    @Test func onlyLineFeedsEndLines() throws {
        for other in ["\u{0B}", "\u{0C}", "\u{85}", "\u{2028}"] {
            let settings = try Configuration.read("[settings]\n# comment\(other) profile = zz\n", path: "a.conf")
            #expect(settings.profile == Settings().profile)
        }
    }

    @Test func namesAreForPeople() {
        for name in ["\u{1B}[31mred", "a\u{0}b"] {
            #expect(throws: UsageError("a.conf:1: a region's name holds a control character")) {
                try Configuration.read("[region \(name)]\n", path: "a.conf")
            }
        }
    }

    @Test func eachSectionHasItsOwnKeys() throws {
        let uuid = "uuid = e2c56db5dffb48d2b060d0f5a71096e0\n"
        let settings = try Configuration.read("[region a]\n\(uuid)[region b]\n\(uuid)[region c]", path: "a.conf")
        #expect(settings.regions.map { $0.uuid != nil } == [true, true, false])
        #expect(throws: UsageError("a.conf:3: a region or fence a is on line 1 too; a name is given once")) {
            try Configuration.read("[region a]\n\(uuid)[region a]\n\(uuid)", path: "a.conf")
        }
    }

    /// File, line and reason.
    @Test(
        arguments: [
            ("[region office]\nuiid = 1", "a.conf:2: unknown key \"uiid\" in [region office]; did you mean uuid?"),
            ("[settings]\n\n# x\nuuid = 1", "a.conf:4: unknown key \"uuid\" in [settings]"),
            ("profile = apple", "a.conf:1: 'profile' stands before any [section]"),
            ("[settings]\nprofile", "a.conf:2: neither a [section] nor key = value"),
            ("[settings", "a.conf:1: a section needs a closing ], and nothing but a comment behind it"),
            ("[setings]", "a.conf:1: unknown section [setings]; there are [settings], [region NAME] and [fence NAME]"),
            ("[region]", "a.conf:1: unknown section [region]; there are [settings], [region NAME] and [fence NAME]"),
            ("[region ]", "a.conf:1: a region needs a name"),
            ("[region *]", "a.conf:1: the name * is taken by the region of every iBeacon"),
            ("[fence home]\nlatitude = 1", "a.conf:1: [fence home] needs latitude, longitude and radius"),
            (
                "[region a]\n[region b]\nuuid =",
                "a.conf:3: '' is not a UUID (32 hexadecimal digits, with or without dashes)"
            ),
            (
                "[region a]\n[region b]\n[region a]\n\n",
                "a.conf:3: a region or fence a is on line 1 too; a name is given once"
            ),
            (
                "[fence a]\nlatitude = 1\nlongitude = 1\nradius = 9\n[region a]",
                "a.conf:5: a region or fence a is on line 1 too; a name is given once"
            ),
            (
                "[settings]\n[region a]\nmajor = 1",
                "a.conf:3: major without a uuid in [region a], which begins on line 2"
            ),
            (
                "[region a]\n\nminor = 1\n[settings]",
                "a.conf:3: minor without a major in [region a], which begins on line 1"
            ),
            ("[settings]\nprofil = apple", "a.conf:2: unknown key \"profil\" in [settings]; did you mean profile?"),
            ("[settings] x", "a.conf:1: a section needs a closing ], and nothing but a comment behind it"),
            ("[settings]\nprofile = \"apple", "a.conf:2: a value that begins with \" ends with it"),
            ("[settings]\nprofile = 'apple' x", "a.conf:2: nothing but a comment can stand behind the closing '"),
            (
                "[settings]\nprofile = apple#pie",
                "a.conf:2: profile 'apple#pie' is not built in; there is adaptive, apple, altbeacon"
            ),
            (
                "[settings]\nprofile = # none",
                "a.conf:2: profile '' is not built in; there is adaptive, apple, altbeacon"
            ),
            (
                "[settings]\nfence-maximum-radius = 100\n[fence a]\nlatitude = 1\nlongitude = 1\nradius = 101",
                "a.conf:3: fence a: the radius (101.0 m) is above fence-maximum-radius (100.0 m, a.conf:2)"
            ),
            (
                "[settings]\nactive = yes\nbackend = monitor",
                "active (a.conf:2) is not for backend monitor (a.conf:3); others scan there as they like"
            ),
            ("[region a]\nmajor = 65536", "a.conf:2: major '65536' is not a number from 0 to 65535"),
            ("[region a]\nminor = x = y", "a.conf:2: minor 'x = y' is not a number from 0 to 65535"),
            ("[settings]\nspeed = 0", "a.conf:2: speed '0' is neither a number above 0 nor max"),
            (
                "[settings]\nprofile = iphone",
                "a.conf:2: profile 'iphone' is not built in; there is adaptive, apple, altbeacon"
            ),
            ("[settings]\nmeasured-power = 59", "a.conf:2: measured power '59' is not a number from -128 to -20 (dBm)"),
            ("[settings]\nreceiver-gain = 41", "a.conf:2: receiver-gain '41' is not a number from -40 to 40 (dB)"),
            ("[settings]\npath-loss-exponent = x", "a.conf:2: path-loss-exponent 'x' is not a number from 1 to 10"),
            (
                "[settings]\nexit-time-min = 0.9",
                "a.conf:2: exit-time-min '0.9' is not a time from 1 to 86400 s (90, 90s, 5m, 2h, 1d)"
            ),
            (
                "[settings]\nfence-confirmations = 0",
                "a.conf:2: fence-confirmations '0' is not a whole number from 1 to 1000 (fixes)"
            ),
            (
                "[settings]\nfence-confirmations = 2.5",
                "a.conf:2: fence-confirmations '2.5' is not a whole number from 1 to 1000 (fixes)"
            ),
            (
                "[settings]\nfence-dwell = -1",
                "a.conf:2: fence-dwell '-1' is not a time from 0 to 86400 s (90, 90s, 5m, 2h, 1d)"
            ),
            (
                "[settings]\nfence-maximum-radius = 0",
                "a.conf:2: fence-maximum-radius '0' is not a number from 1 to 20003931 (m)"
            ),
            (
                "[settings]\nfence-staleness = 0",
                "a.conf:2: fence-staleness '0' is not a time from 1 to 86400 s (90, 90s, 5m, 2h, 1d)"
            ),
            ("[settings]\nstate = -", "a.conf:2: state '-' is no file"),
            (
                "[settings]\nadapter = usb0",
                "a.conf:2: 'usb0' is no name of an adapter (hci0 and the like), no address, and not 'all'"
            ),
            (
                "[settings]\n\nbackend = usb",
                "a.conf:3: backend 'usb' is none of auto, hci, monitor, bluez, h4:DEVICE[,BAUD] and h4:tcp:HOST:PORT"
            ),
            (
                "[settings]\ngps = walk.json",
                "a.conf:2: 'walk.json' is not gpsd://HOST:PORT; skerry replay plays files"
            ),
            (
                "[settings]\nadapter = hci0\nbackend = h4:tcp:localhost:1",
                "backend h4 (a.conf:3) brings its own controller, and takes no adapter (a.conf:2)"
            ),
            (
                "[region a]\nexit-time = nan",
                "a.conf:2: exit-time 'nan' is not a time from 1 to 86400 s (90, 90s, 5m, 2h, 1d)"
            ),
            ("[settings]\nreceiver-gain = 0x10", "a.conf:2: receiver-gain '0x10' is not a number from -40 to 40 (dB)"),
            ("[settings]\nspeed = 0x1p4", "a.conf:2: speed '0x1p4' is neither a number above 0 nor max"),
            (
                "[region a]\n# x\nmajor = 1\nmajor = 1",
                "a.conf:4: key \"major\" given twice in [region a]; first on line 3"
            ),
            (
                "[settings]\nspeed = 1\n[region a]\n[settings]\nspeed = 2",
                "a.conf:5: key \"speed\" given twice in [settings]; first on line 2"
            ),
            (
                "[fence a]\nradius = 1\nradius = 2\nlatitude = 1\nlongitude = 1",
                "a.conf:3: key \"radius\" given twice in [fence a]; first on line 2"
            ),
            ("[settings]\n = 1", "a.conf:2: unknown key \"\" in [settings]"),
        ] as [(String, String)])
    func errorsNameFileLineAndReason(text: String, message: String) {
        #expect(throws: UsageError(message)) { try Configuration.read(text, path: "a.conf") }
    }

    /// What stands in one key depends on another one.
    @Test(
        arguments: [
            (
                "zone-near = 9\n\nzone-far = 4.5",
                "zone-near (9.0 dB, a.conf:2) must be below zone-far (4.5 dB, a.conf:4)"
            ),
            ("zone-near = 9", "zone-near (9.0 dB, a.conf:2) must be below zone-far (7.5 dB, the default)"),
            (
                "exit-time-min = 2m\nexit-time-max = 1m",
                "exit-time-min (120.0 s, a.conf:2) must not be above exit-time-max (60.0 s, a.conf:3)"
            ),
            (
                "zone-near = 1\nprofile = apple",
                "zone-near (a.conf:2) is a setting of profile adaptive, not of profile apple (a.conf:3)"
            ),
        ] as [(String, String)])
    func errorsOfTwoKeysNameBoth(text: String, message: String) throws {
        let settings = try Configuration.read("[settings]\n" + text, path: "a.conf")
        #expect(throws: UsageError(message)) { try settings.proximity() }
    }

    @Test func anOptionInTheKeysPlaceHasNoLine() throws {
        var settings = Settings()
        settings.profile = .altbeacon
        try settings.complete(from: Configuration.read("[settings]\nzone-near = 1\nprofile = apple", path: "a.conf"))
        let message = "zone-near (a.conf:2) is a setting of profile adaptive, not of profile altbeacon"
        #expect(throws: UsageError(message)) { try settings.proximity() }
    }

    @Test func quotesAndCommentsAreNoPartOfValues() throws {
        let text = """
            [settings] # for all
            profile = "apple" ; as there
            state = '/var/lib/a #1'# no comment
            """
        #expect(throws: UsageError("a.conf:3: nothing but a comment can stand behind the closing '")) {
            try Configuration.read(text, path: "a.conf")
        }
        let settings = try Configuration.read(
            text.replacing("'#", with: "'\t#") + "\nevents = region,ranging\t; two\n[region a #1] # [b]\n[region c]d]",
            path: "a.conf")
        #expect(settings.profile == .apple && settings.statePath == "/var/lib/a #1")
        #expect(settings.events == [EventKinds(.region), EventKinds(.ranging)])
        #expect(settings.regions.map(\.name) == ["a #1", "c]d"])
    }

    @Test func timesHaveUnits() throws {
        let settings = try Configuration.read(
            """
            [settings]
            gps-offset = -1.5h
            fence-dwell = 90s
            fence-staleness = 5 m
            exit-time-max = 1d
            [region a]
            exit-time = 1m
            """, path: "a.conf")
        #expect(settings.location.gpsOffset == -5400 && settings.longestExitTime == 86_400)
        #expect(settings.circles.dwell == 90 && settings.circles.staleness == 300)
        #expect(settings.regions.map(\.exitTime) == [60])
    }

    @Test func bytesThatAreNotUTF8NameTheirLine() throws {
        let head = Array("[settings]\r\nprofile = apple\r\n# ".utf8)
        #expect(throws: UsageError("a.conf:3: a character that is not UTF-8; save the file in this encoding")) {
            try Configuration.read(head + [0xE4, 0x0A], path: "a.conf")
        }
        #expect(try Configuration.read(head + Array("ä\n".utf8), path: "a.conf").profile == .apple)
    }
}
