import SkerryCore
import Testing

@testable import skerry

@Suite struct LocationOptionsTests {
    private static let table = OptionTable<LocationOptions>(options: LocationOptions.table(\.self))

    private func parse(_ words: String...) throws -> LocationOptions {
        var options = LocationOptions()
        _ = try Self.table.parse(words, into: &options)
        return options
    }

    @Test func theCommandLineIsRead() throws {
        #expect(try parse("--distance-filter", "12.5").settings.distanceFilter == 12.5)
        #expect(try parse("--significant").settings.isSignificantOnly)
        #expect(try parse("--heading-filter=0").settings.compass.headingFilter == 0)
        #expect(try parse("--geotag").settings.geotags)
        let place = try parse("--destination", "-33.85, 151.2").settings.destination
        #expect(place == Coordinate(latitude: -33.85, longitude: 151.2))
    }

    @Test func withoutOptionsTheDefaultsHold() {
        let settings = LocationOptions().settings
        #expect(settings.distanceFilter == 0 && !settings.isSignificantOnly && !settings.geotags)
        #expect(settings.compass.headingFilter == 1 && settings.compass.accuracy == 10)
        #expect(settings.compass.mounting == 0 && settings.compass.fieldFactor == nil)
        #expect(settings.destination == nil && settings.arrivalRadius == 500 && settings.oldestFirstFix == nil)
    }

    @Test func theFileIsReadAndTheCommandLineWins() throws {
        let file = try Configuration.read(
            """
            [settings]
            gps-offset = -619315200
            distance-filter = 25
            significant = yes
            heading-filter = 5.5
            heading-accuracy = 20
            mounting = landscapeLeft
            field-factor = 0.15
            field-offset = 12, -3.5,0
            geotag = on
            destination = 47.05,8.3
            arrival-radius = 30
            """, path: "a.conf"
        ).location
        var options = try parse("--distance-filter", "7", "--heading-filter", "2")
        options.complete(from: file)
        let settings = options.settings
        #expect(options.gpsOffset == -619_315_200 && settings.distanceFilter == 7 && settings.isSignificantOnly)
        #expect(settings.compass.headingFilter == 2 && settings.compass.accuracy == 20)
        #expect(settings.compass.mounting == 90 && settings.compass.fieldFactor == 0.15)
        #expect(settings.compass.fieldOffset == [12, -3.5, 0] && settings.geotags)
        #expect(settings.destination == Coordinate(latitude: 47.05, longitude: 8.3) && settings.arrivalRadius == 30)
    }

    @Test(arguments: [
        ("portrait", 0.0), ("upsideDown", 180), ("landscapeLeft", 90), ("landscapeRight", -90), ("45.5", 45.5),
        ("-360", -360),
    ])
    func mountings(text: String, degrees: Double) throws { #expect(try LocationOptions.mounting(text) == degrees) }

    @Test(arguments: [
        (["--distance-filter", "-1"], "distance-filter '-1' is not a number from 0 to 20000000 (m)"),
        (["--heading-filter", "181"], "heading-filter '181' is not a number from 0 to 180 (degrees)"),
        (["--significant=yes"], "--significant takes no value"),
        (["--destination", "47.05"], "'47.05' is not LAT,LON in degrees, south and west negative"),
        (["--destination", "91,8"], "'91,8' is not LAT,LON in degrees, south and west negative"),
        (["--destination", "47,8,"], "'47,8,' is not LAT,LON in degrees, south and west negative"),
        (["--destination", "nan,8"], "'nan,8' is not LAT,LON in degrees, south and west negative"),
    ])
    func whatIsWrongSaysWhatWouldBeRight(words: [String], message: String) {
        var options = LocationOptions()
        #expect(throws: UsageError(message)) { try Self.table.parse(words, into: &options) }
    }

    @Test(arguments: [
        (
            "gps-offset = 1e11",
            "gps-offset '1e11' is not a time from -10000000000 to 10000000000 s (90, 90s, 5m, 2h, 1d)"
        ),
        ("significant = maybe", "significant 'maybe' is neither yes nor no (nor true, false, on, off, 1, 0)"),
        (
            "mounting = sideways",
            """
            mounting 'sideways' is none of portrait, upsideDown, landscapeLeft, landscapeRight, and no number from \
            -360 to 360 (degrees)
            """
        ),
        ("field-factor = 0", "field-factor '0' is not a number above 0 to 1000000 (microtesla a unit)"),
        ("field-offset = 1,2", "field-offset '1,2' is not X,Y,Z in the compass's own unit"),
        ("field-offset = 1,2,inf", "field-offset '1,2,inf' is not X,Y,Z in the compass's own unit"),
        ("arrival-radius = 0", "arrival-radius '0' is not a number from 1 to 1000000 (m)"),
        ("heading-accuracy = x", "heading-accuracy 'x' is not a number from 0 to 180 (degrees)"),
    ])
    func errorsOfTheFileNameFileAndLine(line: String, message: String) {
        #expect(throws: UsageError("a.conf:2: " + message)) {
            try Configuration.read("[settings]\n\(line)\n", path: "a.conf")
        }
    }
}
