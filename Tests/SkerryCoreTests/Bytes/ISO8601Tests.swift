import Testing

@testable import SkerryCore

@Suite("Reading times")
struct ISO8601Tests {
    @Test(
        "times",
        arguments: [
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"),
            ("2018-09-07T19:39:13.250Z", "2018-09-07T19:39:13.250000Z"),
            ("2024-02-29T23:59:59.9999999Z", "2024-02-29T23:59:59.999999Z"),
            ("2016-12-31T23:59:60.000Z", "2017-01-01T00:00:00.000000Z"),
            ("2000-02-29t12:00:00z", "2000-02-29T12:00:00.000000Z"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500000Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000000Z"),
            ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
        ])
    func times(text: String, expected: String) { #expect(Timestamp(iso8601: text)?.text == expected) }

    @Test(
        "no times",
        arguments: [
            "", "2018-09-07", "2018-09-07T19:39:13", "2018-09-07T19:39:13.Z", "2018-09-07T19:39Z",
            "2018-09-07T24:00:00Z",
            "2018-09-07T19:60:13Z", "2018-09-07T19:39:61Z", "2018-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2018-13-01T00:00:00Z",
            "2018-00-01T00:00:00Z", "2018-04-31T00:00:00Z", "2018-04-00T00:00:00Z", "2018-09-07T19:39:13Zx",
            "2018-09-07 19:39:13Z",
            "2018-09-07T19:39:13+01:00", "-018-09-07T19:39:13Z", "12018-09-07T19:39:13Z",
        ])
    func noTimes(text: String) { #expect(Timestamp(iso8601: text) == nil) }

    @Test("every day of ten thousand years is read as it is written")
    func roundTrip() {
        var day = Timestamp.earliest
        while day < Timestamp.latest {
            let moment = day + 45_296_789_012
            if Timestamp(iso8601: moment.text) != moment { Issue.record("\(moment.text)") }
            day = day + 13 * 86_400 * .second
        }
    }
}
