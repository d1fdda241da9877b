import Testing

@testable import SkerryCore

@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
            (1_591_810_946_222_158, "2020-06-10T17:42:26.222158Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
            (4_107_542_399_999_999, "2100-02-28T23:59:59.999999Z"),
            (-2_208_988_800_000_001, "1899-12-31T23:59:59.999999Z"),
            (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
            (-62_162_035_200_000_000, "0000-03-01T00:00:00.000000Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
            (253_402_300_800_000_000, "9999-12-31T23:59:59.999999Z"),
            (.max, "9999-12-31T23:59:59.999999Z"),
            (.min, "0000-01-01T00:00:00.000000Z"),
        ] as [(Int64, String)])
    func timesAreWrittenWithSixDecimalsInUTC(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).text == text)
    }

    @Test func everyDayFollowsTheOneBefore() {
        let lengths: [UInt32] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var before = CivilDate(daysSinceEpoch: -719_529)
        #expect((before.year, before.month, before.day) == (UInt32.max, 12, 31))
        before = CivilDate(daysSinceEpoch: -719_528)
        #expect((before.year, before.month, before.day) == (0, 1, 1))
        for day in -719_527...200_000 as ClosedRange<Int64> {
            let date = CivilDate(daysSinceEpoch: day)
            let isLeap = before.year % 4 == 0 && (before.year % 100 != 0 || before.year % 400 == 0)
            let length = before.month == 2 && isLeap ? 29 : lengths[Int(before.month) - 1]
            let expected =
                before.day < length
                ? (before.year, before.month, before.day + 1)
                : before.month < 12 ? (before.year, before.month + 1, 1) : (before.year + 1, 1, 1)
            guard (date.year, date.month, date.day) == expected else {
                Issue.record("day \(day) is \(date)")
                return
            }
            before = date
        }
    }

    @Test(
        arguments: [
            (1, 500_000, 1_500_000), (-1, 0, -1_000_000), (1, 5_000_000, 6_000_000), (1, -1, 999_999),
            (.max, 0, 253_402_300_799_999_999), (.min, 0, -62_167_219_200_000_000),
            (9_223_372_036_854, .max, 253_402_300_799_999_999), (.min, .max, -62_167_219_200_000_000),
        ] as [(Int64, Int64, Int64)])
    func secondsAndMicrosecondsAreAddedWithoutOverflow(seconds: Int64, microseconds: Int64, expected: Int64) {
        #expect(Timestamp(seconds: seconds, microseconds: microseconds).microseconds == expected)
    }

    @Test func additionStaysWithinTheYearsThatCanBeWritten() {
        #expect(Timestamp.latest + .second == .latest)
        #expect(Timestamp.earliest + -1 == .earliest)
        #expect(Timestamp.latest - .earliest == 315_569_519_999_999_999)
    }
}
