import Testing

@testable import SkerryCore

/// Logs of receivers merged with captures: one clock, one bus.
@Suite struct LocationReplayTests {
    private static let day = 86_400.0
    /// 1,024 weeks, seconds.
    private static let era = 619_315_200.0

    private func capture(_ packets: [Timed] = [(0, Packet.iBeacon()), (10, Packet.iBeacon())]) -> CaptureStream {
        BTSnoopFile(packets).stream()
    }

    /// Exits that are due, the fix, ranging; and the fix before the records of later names.
    @Test func atOneInstantThingsHaveTheirOrder() throws {
        let log = GPSLines.log([GPSLines.fix(30, 47, 8), GPSLines.fix(31, 47, 8)], name: "a.json")
        let door = BeaconRegion(name: "door", uuid: Packet.office)!
        let playback = try Playback(
            [capture([(0, Packet.iBeacon()), (30, Packet.iBeacon()), (40, Packet.other)])], logs: [log],
            regions: [door])
        let trace = playback.trace(.location, .region, .ranging, .advertisement).filter { $0.hasPrefix("30") }
        #expect(
            trace == ["30.0 exit door", "30.0 at 47.0 8.0", "30.0 heard -59", "30.0 enter door", "30.0 door 1/1=near"])
    }

    @Test func theOrderOfTheInputsDoesNotMatter() throws {
        let captures = [
            capture([(0, Packet.iBeacon()), (1, Packet.iBeacon(minor: 2)), (60, Packet.other)]),
            BTSnoopFile([(0.5, Packet.iBeacon(minor: 3)), (45, Packet.iBeacon())]).stream(name: "b"),
        ]
        let texts = [(0, 1.0), (1, 2), (1.5, 3), (59, 4), (70, 5)].map { GPSLines.fix($0, $1, $1) }
        let other = [GPSLines.fix(1, 9, 9), GPSLines.compass(1, 7), GPSLines.fix(30, 9, 8), GPSLines.fix(61, 9, 9)]
        func lines(_ captures: [CaptureStream], _ isReversed: Bool) throws -> [String] {
            let logs = [GPSLines.log(texts), GPSLines.log(other, name: "c.json")]
            var location = LocationSettings()
            location.geotags = true
            return try Playback(captures, logs: isReversed ? logs.reversed() : logs, location: location).lines()
        }
        let expected = try lines(captures, false)
        #expect(expected.count { $0.hasPrefix("{\"event\":\"location\"") } == 8)
        #expect(try lines(captures.reversed(), true) == expected)
        #expect(try lines(captures, true) == expected)
        var last = ""
        for line in expected {
            let time = String(line.split(separator: "\"")[7])
            #expect(time >= last, "\(line)")
            last = time
        }
    }

    @Test func logsAlonePlay() throws {
        let playback = try Playback([], logs: [GPSLines.log([GPSLines.fix(0, 47, 8), GPSLines.fix(2, 47, 9)])])
        #expect(
            playback.trace(.start, .location, .error, .scanner, .statistics) == [
                "0.0 start", "0.0 at 47.0 8.0", "2.0 at 47.0 9.0", "2.0 statistics",
            ])
        #expect(playback.statistics.files == 1 && playback.statistics.records == 0)
        let empty = try Playback([], logs: [GPSLines.log([])])
        #expect(empty.events.map(\.kind) == [.start, .statistics])
    }

    @Test func anOffsetShiftsTheLog() throws {
        let log = GPSLines.log([
            GPSLines.fix(3600, 47, 8), GPSLines.compass(3600.5, 7), GPSLines.noFix(3601), GPSLines.noFix(3650),
        ])
        let playback = try Playback([capture()], logs: [log], offset: -3595 * .second)
        #expect(
            playback.trace(.location, .heading, .error)
                == ["5.0 at 47.0 8.0", "5.5 heads 10.3 7.0", "16.0 error locationUnknown"].map {
                    // The declination is the model's own matter.
                    $0.replacing("10.3", with: "\(playback.headings[0].trueHeading!)")
                })
    }

    /// A log that goes on when the captures have ended goes on; one whose clock goes back waits for nothing.
    @Test func theClockNeverGoesBack() throws {
        let log = GPSLines.log([
            GPSLines.fix(5, 1, 1), GPSLines.fix(-90_000, 2, 2), GPSLines.fix(-89_999, 3, 3), GPSLines.fix(20, 4, 4),
        ])
        let playback = try Playback([capture()], logs: [log])
        #expect(
            playback.trace(.location) == [
                "5.0 at 1.0 1.0", "-90000.0 at 2.0 2.0", "-89999.0 at 3.0 3.0", "20.0 at 4.0 4.0",
            ])
        #expect(playback.statistics.gps?.clockCorrections == 2)
        #expect(playback.trace(.scanner).last == "10.0 ended")
    }

    @Test(
        arguments: [
            (0.0, 5.0, nil), (-86_000, -85_000, nil), (10 + 86_000, 10 + 86_100, nil), (-3 * day, 5, nil),
            (-3 * day, -2 * day, "its times lie 2 days before those of the captures"),
            (20 * day + 11, 21 * day, "its times lie 20 days after those of the captures"),
            (
                era + 3, era + 4,
                """
                its times lie 7168 days after those of the captures, by 1 x 1024 weeks, as when the week number of GPS was \
                mistaken; an offset of -619315200 s brings them together
                """
            ),
            (
                -2 * era - 3600, -2 * era + 4,
                """
                its times lie 14336 days before those of the captures, by 2 x 1024 weeks, as when the week number of GPS \
                was mistaken; an offset of 1238630400 s brings them together
                """
            ),
        ] as [(Double, Double, String?)])
    func aLogOfAnotherTimeIsTold(first: Double, last: Double, message: String?) throws {
        let log = GPSLines.log([GPSLines.fix(first, 47, 8), GPSLines.fix(last, 47, 9)])
        let playback = try Playback([capture()], logs: [log])
        #expect(playback.errors.map(\.message) == (message.map { ["log.json: " + $0] } ?? []))
        #expect(playback.errors.allSatisfy { $0.domain == .gps && $0.name == .clockMismatch && $0.isRecoverable })
        #expect(playback.trace(.location).count == 2 && playback.advertisements.count == 2)
    }

    /// It is told before anything is played, or when the log has passed the captures by.
    @Test func aMismatchIsToldInTime() throws {
        func trace(_ seconds: Double) throws -> [String] {
            let log = GPSLines.log([GPSLines.fix(seconds, 47, 8)])
            return try Playback([capture()], logs: [log]).trace(.start, .error, .location, .advertisement)
                .map { String($0.split(separator: " ")[1]) }
        }
        #expect(try trace(Self.era) == ["start", "error", "heard", "heard", "at"])
        #expect(try trace(-5 * Self.day) == ["start", "at", "error", "heard", "heard"])
        #expect(try trace(5 * Self.day) == ["start", "heard", "heard", "error", "at"])
    }

    @Test func whatCannotBeReadIsToldAndCounted() throws {
        let bad = "{\"class\":\"TPV\",\"mode\":"
        let log = GPSLines.log([
            bad, bad, GPSLines.fix(1, 47, 8, ",\"eph\":\"x\""), "$GPRMC,1*00", String(repeating: "x", count: 70_000),
            GPSLines.fix(2, 47, 9),
        ])
        let playback = try Playback([capture()], logs: [log])
        #expect(
            playback.errors.map(\.message) == [
                "log.json: before byte 139: 2 lines can't be read, 1 member of the wrong kind",
                "log.json: before byte 70235: 1 line longer than 65536 bytes",
            ])
        #expect(playback.errors.allSatisfy { $0.domain == .gps && $0.name == .damaged && $0.isRecoverable })
        #expect(playback.statistics.gps?.errors == 4 && playback.statistics.containerErrors == 0)
        #expect(playback.trace(.location).count == 2)
        #expect(playback.sources.first == "log.json")
        let many = GPSLines.log((0..<1000).flatMap { [bad, GPSLines.fix(Double($0), 47, Double($0) / 10)] })
        let flooded = try Playback([], logs: [many])
        #expect(flooded.errors.count == 16 && flooded.statistics.gps?.errors == 1000)
        #expect(flooded.trace(.location).count == 1000)
    }

    @Test(arguments: [1, 7, 100])
    func howALogIsReadDoesNotShow(size: Int) {
        let lines = ["{\"class\"", "{\"class\":1}", GPSLines.fix(1, 47, 8), "{}", GPSLines.fix(2, 47, 9), "{\"class"]
        let bytes = Array(lines.joined(separator: "\n").utf8)
        var rest = bytes[...]
        var log = GPSLog(name: "log", stream: GPSDStream())
        var words: [String] = []
        loop: while true {
            switch log.next() {
            case .output(let output): words.append("\(Playback.seconds(output.time!))")
            case .damaged(let what): words.append(what)
            case .needsBytes:
                log.supply { room in
                    let piece = rest.prefix(size)
                    room.copyBytes(from: piece)
                    rest = rest.dropFirst(piece.count)
                    return piece.count
                }
            case .ended(let fault):
                words.append(fault?.message ?? "")
                break loop
            }
        }
        #expect(
            words == [
                "before byte 104: 2 lines can't be read", "before byte 190: 1 line can't be read", "1.0", "2.0",
                "the last line is cut",
            ])
    }

    @Test func aCutLogIsTold() throws {
        let bytes = Array((GPSLines.fix(1, 47, 8) + "\n{\"class\":\"TPV\"").utf8)
        let playback = try Playback([], logs: [GPSLog(name: "cut", stream: GPSDStream(bytes: bytes))])
        #expect(playback.errors.map(\.name) == [.cut] && playback.errors[0].message == "cut: the last line is cut")
        #expect(playback.statistics.gps?.errors == 1 && playback.statistics.gps?.fixes == 1)
    }

    /// A log that fails still plays what it had.
    @Test func aLogThatFailsEnds() throws {
        let engine = Engine(
            settings: ProximitySettings(profile: .apple), regions: [Playback.everything], wanted: Playback.allEvents,
            seed: 1)
        var replay = Replay(engine: engine, version: "1", command: "replay", seed: 1)
        var stream = GPSDStream()
        let text = Array((GPSLines.fix(1, 47, 8) + "\n").utf8)
        stream.supply { room in
            room.copyBytes(from: text)
            return text.count
        }
        let number = replay.add(GPSLog(name: "log", stream: stream))
        #expect(replay.run() == .needsBytes(input: number))
        replay.fail(input: number, "gpsdecode ended with status 4")
        #expect(replay.run() == .finished)
        #expect(replay.engine.events.map(\.kind) == [.start, .error, .location, .statistics])
        #expect(replay.statistics.gps?.errors == 1)
    }

    /// Headings that come before any time have no place among the events.
    @Test func withoutATimeNothingIsPlayed() throws {
        let log = GPSLines.log([
            GPSLines.compass(nil, 7), GPSLines.fix(1, 47, 8), GPSLines.compass(nil, 9), GPSLines.fix(2, 47, 8),
        ])
        let playback = try Playback([], logs: [log])
        #expect(playback.trace(.heading).count == 1 && playback.statistics.gps?.headingsWithoutTime == 1)
    }

    /// What a compass says without any receiver has the time of its arrival live, and none in a log.
    @Test func aLogWithoutAnyTimeSaysWhyNothingIsPlayed() throws {
        let fix = "{\"class\":\"TPV\",\"mode\":3,\"lat\":47,\"lon\":8}"
        let why = "log.json: it tells no time at all, so its "
        let help = " can't be played; record it with a receiver beside, whose reports do"
        for (lines, what) in [
            (["{\"class\":\"TPV\",\"mode\":0}", GPSLines.compass(nil, 7)], "1 heading"),
            ([fix, GPSLines.compass(nil, 7), GPSLines.compass(nil, 8)], "1 fix and 2 headings"),
        ] {
            for captures in [[], [capture()]] {
                let playback = try Playback(captures, logs: [GPSLines.log(lines)])
                #expect(playback.errors.map(\.message) == [why + what + help])
                #expect(playback.errors.allSatisfy { $0.domain == .gps && $0.name == .timeUnknown && $0.isRecoverable })
                #expect(playback.trace(.heading, .location).isEmpty)
            }
        }
        #expect(try Playback([], logs: [GPSLines.log([GPSLines.noFix(1)])]).errors.isEmpty)
        #expect(
            try Playback([], logs: [GPSLines.log([GPSLines.compass(nil, 7), GPSLines.fix(1, 1, 1)])]).errors.isEmpty)
    }

    /// Zeros of a sensor that is not aligned are no heading, of events and of geotags alike.
    @Test func aSensorThatIsNotAlignedHasNoHeading() throws {
        let zeros = "{\"class\":\"ATT\",\"heading\":0,\"pitch\":0,\"roll\":0}"
        let aligned = "{\"class\":\"ATT\",\"heading\":0,\"pitch\":0.5,\"roll\":0}"
        let log = GPSLines.log([
            GPSLines.fix(1, 47, 8), zeros, GPSLines.fix(2, 47, 8), zeros, GPSLines.fix(6, 47, 8), aligned,
        ])
        let door = BeaconRegion(name: "door", uuid: Packet.office)!
        let playback = try Playback(
            [capture([(4, Packet.iBeacon()), (10, Packet.other)])], logs: [log], regions: [door])
        #expect(
            playback.headings.map(\.trueHeading) == [0] && playback.trace(.heading).first?.hasPrefix("6.0 ") == true)
        #expect(playback.errors.map(\.name) == [.calibrationNeeded])
        guard case .region(let enter)? = playback.events.first(where: { $0.kind == .region })?.content else {
            Issue.record("no transition")
            return
        }
        #expect(enter.geotag?.location != nil && enter.geotag?.heading == nil)
        #expect(playback.statistics.gps?.headings == 3 && playback.statistics.gps?.headingsRejected == 2)
        #expect(playback.lines(EventKinds(.statistics))[0].contains(#""gpsErrors":0,"headingsRejected":2,"#))
    }

    /// Filters say what is told, and nothing else.
    @Test func filtersLimitEventsOnly() throws {
        func metres(_ second: Int) -> Double { 47 + Double(second) * 10 / 111_195 }
        let lines = (0..<100).map { GPSLines.fix(Double($0), metres($0), 8) }
        var location = LocationSettings()
        location.distanceFilter = 95
        location.geotags = true
        let door = BeaconRegion(name: "door", uuid: Packet.office)!
        let playback = try Playback(
            [capture([(55.5, Packet.iBeacon())])], logs: [GPSLines.log(lines)], location: location, regions: [door])
        #expect(playback.trace(.location).count == 10)
        guard case .region(let transition)? = playback.events.first(where: { $0.kind == .region })?.content else {
            Issue.record("no transition")
            return
        }
        #expect(transition.geotag?.location?.fix.coordinate.latitude == metres(55))
        #expect(transition.geotag?.location?.age == 500_000)
        location.isSignificantOnly = true
        let significant = (0..<1000).map { GPSLines.fix(Double($0), metres($0), 8) }
        // Every 5 minutes, though 500 m are gone in 50 s.
        #expect(try Playback([], logs: [GPSLines.log(significant)], location: location).trace(.location).count == 4)
    }

    /// Nothing is computed for events that nobody wants; in those that are wanted it does not show.
    @Test func whatIsWantedBesidesDoesNotShow() throws {
        var location = LocationSettings()
        location.geotags = true
        location.destination = Coordinate(latitude: 47.001, longitude: 8)
        let lines = (0..<40).flatMap {
            [GPSLines.fix(Double($0), 47 + Double($0) / 40_000, 8), GPSLines.compass(nil, Double($0 * 5 % 360))]
        }
        let door = BeaconRegion(name: "door", uuid: Packet.office)!
        func play(_ wanted: EventKinds) throws -> Playback {
            try Playback(
                [capture([(3, Packet.iBeacon()), (45, Packet.other)])],
                logs: [GPSLines.log(lines + [GPSLines.noFix(50), GPSLines.noFix(70)])], location: location,
                regions: [door], settings: ProximitySettings(profile: .apple), wanted: wanted)
        }
        let whole = try play(Playback.allEvents)
        for kind in EventKind.allCases.map(EventKinds.init) {
            let lines = whole.lines(kind)
            #expect(!lines.isEmpty)
            #expect(try play(kind).lines(kind) == lines)
        }
    }

    @Test func theFirstFixMayBeTooOld() throws {
        var location = LocationSettings()
        location.oldestFirstFix = 15 * .second
        let engine = Engine(
            settings: ProximitySettings(profile: .apple), regions: [], location: location, wanted: Playback.allEvents,
            seed: 1)
        var live = engine
        let source = live.addLocationSource(name: "gpsd")
        live.advance(to: BTSnoopFile.begin)
        guard case .fix(var fix) = readFix(GPSLines.fix(0, 47, 8)) else {
            Issue.record("no fix")
            return
        }
        for age in [16.0, 17, 20] {
            fix.time = BTSnoopFile.begin + Int64(-age * 1e6)
            live.observe(fix, from: source, at: fix.time!)
        }
        // Two in a row: it is a clock that is wrong.
        #expect(live.events.map { Playback.seconds($0.time!) } == [-17, -20])
    }

    private func readFix(_ line: String) -> FixReading? {
        if case .position(let tpv)? = readLine(line)?.report { FixReading(tpv) } else { nil }
    }

    /// The table of beacons and the exits do not know of logs.
    @Test func beaconsAreAsWithoutALog() throws {
        let packets: [Timed] = [
            (0, Packet.iBeacon()), (1, Packet.iBeacon(minor: 2)), (2, Packet.scan(false)), (50, Packet.scan(true)),
            (52, Packet.iBeacon(minor: 2)), (130, Packet.other),
        ]
        let kinds = Playback.allEvents.subtracting([
            EventKinds(.start), EventKinds(.statistics), EventKinds(.location), EventKinds(.region),
        ])
        let regions = [BeaconRegion(name: "one", uuid: Packet.office, major: 1, minor: 1)!, Playback.everything]
        let without = try Playback([capture(packets)], regions: regions)
        let log = GPSLines.log((0..<130).map { GPSLines.fix(Double($0), 47, 8) })
        let with = try Playback([capture(packets)], logs: [log], regions: regions)
        #expect(with.lines(kinds) == without.lines(kinds))
        #expect(with.trace(.region) == without.trace(.region))
    }

    /// Logs that end anywhere, with lines and bytes changed, doubled and lost, and times from anywhere.
    @Test func anyDamageToALogEndsInStatistics() throws {
        var generator = SeededGenerator(seed: 5)
        let whole = (0..<40).map { number in
            let second = Double(number) * (number % 13 == 0 ? -4e8 : 1)
            return number % 3 == 0
                ? GPSLines.compass(second, Double(number), ",\"mag_x\":9e99,\"mag_y\":1,\"mag_z\":-1e300")
                : GPSLines.fix(
                    second, Double(number), 179.99, ",\"altMSL\":1e30,\"speed\":7,\"track\":359.9999,\"epv\":9e9")
        }
        var location = LocationSettings()
        location.geotags = true
        location.compass.fieldFactor = 1e6
        location.destination = Coordinate(latitude: -39, longitude: 0)
        for _ in 0..<300 {
            var lines = whole
            lines.shuffle(using: &generator)
            var bytes = Array(lines.joined(separator: "\n").utf8)
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            for _ in 0..<Int.random(in: 0..<20, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &generator)
                bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            let log = GPSLog(name: "x", stream: GPSDStream(bytes: bytes))
            let playback = try Playback([capture()], logs: [log], location: location)
            #expect(playback.events.last?.kind == .statistics)
            #expect(playback.events.count { $0.kind == .advertisement } == 2)
            for line in playback.lines() { #expect(JSONText(line) != nil, "\(line)") }
        }
    }
}
