import Testing

@testable import SkerryCore

/// A circle of 100 m and fixes that claim 10 m, but where a test says otherwise: up to 90 m is inside, from 110 m on
/// outside.
@Suite("Circles") struct CircleMonitorTests {
    private static func monitor(
        _ circles: CircularRegion..., settings change: (inout CircleSettings) -> Void = { _ in }
    ) -> CircleMonitor {
        var settings = CircleSettings()
        change(&settings)
        return CircleMonitor(circles.isEmpty ? [FixTrack.circle()] : circles, settings: settings)
    }

    /// One fix a second, at these distances; too near each other for a line between them.
    private static func walk(_ metres: [Double]) -> [Fix] {
        metres.enumerated().map { FixTrack.fix(Double($0), $1, speed: 0) }
    }

    @Test(
        arguments: [
            // The first fix that says something determines, and is no entry.
            ([50], ["0.0 inside home"]), ([150], ["0.0 outside home"]), ([100, 109, 91, 90.5], []),
            ([100, 50], ["1.0 inside home"]), ([100, 111], ["1.0 outside home"]),
            // Two in a row change.
            ([150, 50, 50], ["0.0 outside home", "2.0 enter home"]),
            ([50, 150, 150], ["0.0 inside home", "2.0 exit home"]),
            ([150, 50, 150, 50, 150], ["0.0 outside home"]), ([50, 150, 50, 150, 50], ["0.0 inside home"]),
            // A fix that says nothing is no confirmation and ends a row.
            ([150, 50, 100, 50, 100], ["0.0 outside home"]), ([50, 150, 95, 150, 95], ["0.0 inside home"]),
            ([50, 95, 105, 109, 95, 50], ["0.0 inside home"]),
            ([150, 50, 100, 50, 50], ["0.0 outside home", "4.0 enter home"]),
            (
                [150, 50, 50, 150, 150, 50, 50],
                ["0.0 outside home", "2.0 enter home", "4.0 exit home", "6.0 enter home"]
            ),
            // The border belongs to the circle, and the whole accuracy must lie on one side.
            ([150, 89.999_999, 89.999_999], ["0.0 outside home", "2.0 enter home"]),
            ([150, 90.001, 90.001], ["0.0 outside home"]),
            ([50, 110.001, 110.001], ["0.0 inside home", "2.0 exit home"]),
            ([50, 109.999, 109.999], ["0.0 inside home"]),
        ] as [([Double], [String])])
    func rule(metres: [Double], events: [String]) {
        var monitor = Self.monitor()
        #expect(monitor.trace(Self.walk(metres)) == events)
    }

    @Test(arguments: [(1, ["1.0 enter home"]), (2, ["2.0 enter home"]), (5, ["5.0 enter home"])])
    func confirmations(_ count: Int, events: [String]) {
        var monitor = Self.monitor { $0.confirmations = count }
        #expect(monitor.trace(Self.walk([150, 50, 50, 50, 50, 50, 50])) == ["0.0 outside home"] + events)
    }

    /// The row must have lasted, by the times of its fixes.
    @Test func dwell() {
        var monitor = Self.monitor { $0.dwell = 20 }
        let inside = [1, 10, 20.999, 21, 22].map { FixTrack.fix($0, 50) }
        #expect(monitor.trace([FixTrack.fix(0, 150)] + inside) == ["0.0 outside home", "21.0 enter home"])
        let out = [30, 45, 46, 47, 70].map { FixTrack.fix($0, $0 == 46 ? 50 : 150) }
        #expect(monitor.trace(out) == ["70.0 exit home"])
    }

    /// The accuracy counts up to half the radius, else a poor fix could never enter.
    @Test func poorFixes() {
        var monitor = Self.monitor()
        let fixes = [(0.0, 151.0), (1, 49), (2, 49), (3, 149), (4, 149), (5, 151), (6, 151)]
        #expect(
            monitor.trace(fixes.map { FixTrack.fix($0, $1, accuracy: 500) })
                == ["0.0 outside home", "2.0 enter home", "6.0 exit home"])
    }

    /// What says nothing about a circle does not end a row either.
    @Test func fixesThatAreNotTaken() {
        var monitor = Self.monitor()
        _ = monitor.trace([FixTrack.fix(0, 150), FixTrack.fix(1, 50)])
        for accuracy in [-1, .nan, .infinity, -.infinity, 500.001] {
            #expect(monitor.trace([FixTrack.fix(2, 150, accuracy: accuracy)]).isEmpty)
        }
        var timeless = FixTrack.fix(2, 150)
        timeless.time = nil
        #expect(monitor.observe(timeless, at: FixTrack.begin).isEmpty)
        // As old as the last, which was poor but did count as one.
        #expect(monitor.trace([FixTrack.fix(2, 50), FixTrack.fix(0.5, 150)]).isEmpty)
        #expect(monitor.trace([FixTrack.fix(3, 50)]) == ["3.0 enter home"])
        // Twice the radius is good enough for a large circle.
        var large = Self.monitor(FixTrack.circle(radius: 1000))
        #expect(
            large.trace([FixTrack.fix(0, 0, accuracy: 2001), FixTrack.fix(1, 0, accuracy: 2000)]) == ["1.0 inside home"]
        )
    }

    @Test func flagsFilterEventsButNotTheState() {
        var monitor = Self.monitor(
            FixTrack.circle("in", notifyOnExit: false), FixTrack.circle("out", notifyOnEntry: false),
            FixTrack.circle("none", notifyOnEntry: false, notifyOnExit: false))
        let events = monitor.trace(Self.walk([150, 50, 50]))
        #expect(events == ["0.0 outside in", "0.0 outside out", "0.0 outside none", "2.0 enter in"])
        #expect(monitor.states == ["in": .inside, "out": .inside, "none": .inside])
        #expect(monitor.trace([FixTrack.fix(3, 150, speed: 0), FixTrack.fix(4, 150, speed: 0)]) == ["4.0 exit out"])
    }

    @Test func evidence() throws {
        var monitor = Self.monitor()
        let first = try #require(monitor.observe(FixTrack.fix(0, 150), at: FixTrack.begin).first)
        #expect(first.transition == .determined && first.from == .unknown && first.reason == .location)
        let determined = try #require(first.circleEvidence)
        #expect(abs(determined.distance! - 150) < 1e-6 && determined.horizontalAccuracy == 10)
        #expect(determined.confirmations == 1 && determined.crossedAt == nil)

        // 150 m, 50 m: in the middle of the two seconds it was 100 m.
        _ = monitor.trace([FixTrack.fix(2, 50)])
        let entry = try #require(monitor.observe(FixTrack.fix(3, 40, accuracy: 7), at: FixTrack.begin).first)
        #expect(entry.transition == .enter && entry.state == .inside && entry.from == .outside)
        let entered = try #require(entry.circleEvidence)
        #expect(abs(entered.distance! - 40) < 1e-6 && entered.horizontalAccuracy == 7 && entered.confirmations == 2)
        #expect(abs(entered.crossedAt! - FixTrack.begin - .second) <= 2)

        // Who lingers at the border has crossed it nobody knows when.
        let out = [(4.0, 95.0), (70, 150), (71, 150)].map { FixTrack.fix($0, $1) }
        let exit = try #require(out.flatMap { monitor.observe($0, at: FixTrack.begin) }.first)
        #expect(exit.transition == .exit && exit.circleEvidence?.crossedAt == nil)
    }

    @Test func changesComeInTheOrderOfTheCircles() {
        let places = [0.0, 300, 0, 300].map { FixTrack.place.destination(bearing: 0, distance: $0)! }
        var monitor = CircleMonitor(places.enumerated().map { FixTrack.circle("\($0)", at: $1) })
        #expect(monitor.trace([FixTrack.fix(0, 100)]) == ["0.0 outside 1", "0.0 outside 3"])
        #expect(
            monitor.trace([FixTrack.fix(1, 300, speed: 0), FixTrack.fix(2, 300, speed: 0)])
                == ["1.0 outside 0", "1.0 outside 2", "2.0 enter 1", "2.0 enter 3"])
        #expect(
            monitor.trace([FixTrack.fix(3, 0, speed: 0), FixTrack.fix(4, 0, speed: 0)])
                == ["4.0 enter 0", "4.0 exit 1", "4.0 enter 2", "4.0 exit 3"])
    }

    // MARK: States

    @Test func restoredStatesAreNoEvents() {
        let circles = (0..<4).map { FixTrack.circle("\($0)") }
        var monitor = CircleMonitor(circles)
        #expect(monitor.states == ["0": .unknown, "1": .unknown, "2": .unknown, "3": .unknown])
        monitor.states = ["0": .inside, "1": .outside, "2": .unknown, "gone": .inside]
        #expect((0..<4).map { monitor.state(of: $0) } == [.inside, .outside, .unknown, .unknown])
        var after = monitor
        #expect(after.trace(Self.walk([50, 50])) == ["0.0 inside 2", "0.0 inside 3", "1.0 enter 1"])
        #expect(monitor.trace(Self.walk([150, 150])) == ["0.0 outside 2", "0.0 outside 3", "1.0 exit 0"])
        let states = monitor.states
        monitor.states = states
        #expect(monitor.states == states)
    }

    @Test func staleness() throws {
        var monitor = Self.monitor(
            FixTrack.circle("near"), FixTrack.circle("border", radius: 50), FixTrack.circle("far", radius: 5)
        ) { $0.staleness = 600 }
        #expect(monitor.due == nil)
        _ = monitor.trace([FixTrack.fix(0, 50), FixTrack.fix(10, 50)])
        let due = FixTrack.begin + 610 * .second
        #expect(monitor.due == due)
        #expect(monitor.advance(to: FixTrack.begin + 609 * .second).isEmpty)
        let changes = monitor.advance(to: due)
        #expect(changes.map(\.region) == [0, 2] && changes.map(\.from) == [.inside, .outside])
        for change in changes {
            #expect(change.transition == .determined && change.state == .unknown && change.reason == .silence)
            #expect(change.circleEvidence?.distance == nil && change.circleEvidence?.confirmations == 0)
        }
        #expect(monitor.due == nil && monitor.advance(to: .latest).isEmpty)
        #expect(Set(monitor.states.values) == [.unknown])
        #expect(monitor.trace([FixTrack.fix(700, 50)]) == ["700.0 inside near", "700.0 outside far"])
        // A fix after the silence finds that it was one.
        #expect(monitor.observe(FixTrack.fix(2000, 50), at: FixTrack.begin + 2000 * .second).count == 4)
        var patient = Self.monitor()
        _ = patient.trace([FixTrack.fix(0, 50)])
        #expect(patient.due == nil && patient.advance(to: .latest).isEmpty)
    }

    @Test func noCircles() {
        var monitor = CircleMonitor([])
        #expect(monitor.trace(Self.walk([0, 1, 2])).isEmpty && monitor.states.isEmpty)
    }

    @Test func settingsBoundTheRadius() {
        var settings = CircleSettings()
        #expect(settings.allows(FixTrack.circle(radius: CircularRegion.greatestRadius)))
        settings.maximumRadius = 1000
        #expect(settings.allows(FixTrack.circle(radius: 1000)) && !settings.allows(FixTrack.circle(radius: 1000.001)))
    }

    // MARK: Time

    /// In whatever order fixes come, it is as if only those had come that are newer than all before.
    @Test(arguments: 0..<50 as Range<UInt64>) func timeNeverGoesBack(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let walk = (0..<200).map { FixTrack.fix(Double($0) * 7, .random(in: 0...200, using: &random)) }
        // Ten that are late but rise in a row would be a clock that was set.
        var order = walk.indices.map { ($0 + Int.random(in: 0...12, using: &random), $0) }
        order.sort { $0 < $1 }
        let shuffled = order.map { walk[$0.1] }
        var newest = Timestamp.earliest
        let rising = shuffled.filter { fix in
            defer { newest = max(newest, fix.time!) }
            return fix.time! > newest
        }
        var (one, other) = (Self.monitor(), Self.monitor())
        #expect(one.trace(shuffled) == other.trace(rising))
        #expect(rising.count < shuffled.count)
    }

    @Test func aCorrectedClockLeavesNoConfirmations() {
        var monitor = Self.monitor()
        let years = -20 * 365.25 * 86_400
        let fixes = [FixTrack.fix(0, 150), FixTrack.fix(1, 50), FixTrack.fix(years, 50), FixTrack.fix(years + 1, 50)]
        #expect(monitor.trace(fixes) == ["0.0 outside home", "\(years + 1) enter home"])
        // No line leads from before to after.
        var far = Self.monitor()
        #expect(
            far.trace([FixTrack.fix(0, -150), FixTrack.fix(90_000, 150), FixTrack.fix(90_001, 150)])
                == ["0.0 outside home"])
    }

    // MARK: Everywhere

    /// Around poles and across the antimeridian, walking through the middle under every longitude's name.
    @Test(arguments: [
        (90.0, 0.0), (90, 123), (-90, -77), (89.9999, 180), (0, 180), (0, -180), (-17, 179.999_99), (60, -180),
    ])
    func everywhere(latitude: Double, longitude: Double) throws {
        let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
        for bearing in stride(from: 0.0, to: 360, by: 45) {
            for (interval, step) in [(1.0, 10.0), (5, 350)] {
                var monitor = CircleMonitor([FixTrack.circle(at: place)])
                var events: [RegionTransition] = []
                for (number, metres) in stride(from: -350.0, through: 350, by: step).enumerated() {
                    let aside = try #require(place.destination(bearing: bearing, distance: metres + step / 2))
                    var fix = FixTrack.fix(Double(number) * interval, 0)
                    fix.coordinate = aside
                    events += monitor.observe(fix, at: fix.time!)
                }
                #expect(events.map(\.transition) == [.determined, .enter, .exit], "\(bearing) \(step)")
                #expect(events.allSatisfy { $0.circleEvidence!.distance!.isFinite })
            }
        }
    }

    @Test func theWholeEarth() {
        var monitor = Self.monitor(FixTrack.circle(radius: CircularRegion.greatestRadius))
        let antipode = Coordinate(latitude: -47, longitude: -172)!
        var fix = FixTrack.fix(0, 0)
        fix.coordinate = antipode
        #expect(monitor.trace([FixTrack.fix(-1, 0)]) == ["-1.0 inside home"])
        #expect(monitor.trace([fix, FixTrack.fix(1, 0)]).isEmpty)
    }
}
