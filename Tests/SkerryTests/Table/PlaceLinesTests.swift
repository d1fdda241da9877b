import Testing

@testable import SkerryCore
@testable import skerry

@Suite struct PlaceLinesTests {
    private static func at(_ seconds: Double, _ latitude: Double, _ longitude: Double, speed: Double?) -> Event {
        var fix = Fix(
            coordinate: Coordinate(latitude: latitude, longitude: longitude)!, horizontalAccuracy: 4.4,
            accuracySource: .eph, isThreeDimensional: true, isSimulated: false)
        (fix.speed, fix.course) = (speed, speed.map { _ in 359.7 })
        return Event(time: TableScene.moment(seconds), .location(fix))
    }

    @Test func placeAndWay() {
        let start = [TableScene.start([]), TableScene.scanner(0, 0, .listening)]
        var heading = Heading(magneticHeading: 87, trueHeading: 89.6, headingAccuracy: 10)
        let way = Guidance.Step(distance: 1_240, bearing: 2.4, relativeAngle: -87.2, arrow: .left)
        var view = TableScene.view(
            start + [
                Self.at(0, 47.05, -0.000_004, speed: 1.44), Event(time: TableScene.moment(2), .heading(heading)),
                Event(time: TableScene.moment(5), .guidance(way)),
            ])
        let rest = """


            BEACON  MAJ/MIN  PROXIMITY                       DISTANCE      RSSI     AGE
            none in range
            """
        TableScene.expect(
            view, 80, 24,
            """
            2020-06-10 19:42:05 CEST  walk.btsnoop listening
            47.05000, 0.00000  ±4.4 m  1.4 m/s  course 0°  5 s ago  heading 90° true
            destination 1.2 km, bearing 2°, left 87°
            """ + rest)
        heading = Heading(magneticHeading: 359.6, headingAccuracy: 10)
        let there = Guidance.Step(distance: 12, isArrival: true, hasArrived: true)
        for event in [
            Self.at(6, -47.05, -8.300_01, speed: nil), Event(time: TableScene.moment(6), .heading(heading)),
            Event(time: TableScene.moment(6), .guidance(there)),
            Event(
                time: TableScene.moment(17),
                .error(Fault(domain: .location, name: .locationUnknown, message: "", isRecoverable: true))),
        ] {
            view.take(event)
        }
        TableScene.expect(
            view, 80, 24,
            """
            2020-06-10 19:42:17 CEST  walk.btsnoop listening
            -47.05000, -8.30001  ±4.4 m  11 s ago  no fix  heading 0° magnetic
            destination 12 m, arrived
            """ + rest)
        view = TableScene.view(start + [Event(time: TableScene.moment(1), .heading(Heading(magneticHeading: 1)))])
        #expect(view.lines(width: 80, height: 3, isColoured: false)[1] == "heading invalid")
    }
}
