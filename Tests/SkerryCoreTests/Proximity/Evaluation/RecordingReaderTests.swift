import Testing

@testable import SkerryCore

@Suite struct RecordingReaderTests {
    @Test func recordingsAreRead() throws {
        let recordings = try RecordingReader.read(
            """
            session,timestamp_s,beacon_id,rssi_dbm,measured_power_dbm,true_distance_m,true_zone,drop_mask
            a,0,b1,-60,-59,1.25,near,5
            a,0.25,b1,-61,-59,,,0
            b,1700000000.5,b1,42,-61.5,,present,31

            """)
        #expect(recordings.map(\.session) == ["a", "b"])
        #expect(recordings.map(\.measuredPower) == [-59, -61.5])
        #expect(recordings.map(\.samples.count) == [2, 1])
        let samples = recordings.flatMap(\.samples)
        #expect(samples.map(\.time.microseconds) == [0, 250_000, 1_700_000_000_500_000])
        #expect(samples.map(\.rssi) == [-60, -61, 42])
        #expect(samples.map(\.distance) == [1.25, nil, nil])
        #expect(samples.map(\.label) == [.near, nil, .present])
        #expect(samples.map(\.losses) == [5, 0, 31])
        #expect(recordings[0].hasLosses)
    }

    @Test func columnsMayStandInAnyOrderAndSomeMayBeMissing() throws {
        let text =
            "measured_power_dbm,note,rssi_dbm,session,timestamp_s\r\n-59,\"a, \"\"b\"\"\",-60,\"desk, left\",1\r\n"
        let recordings = try RecordingReader.read(text)
        #expect(recordings.map(\.session) == ["desk, left"])
        #expect(!recordings[0].hasLosses)
        #expect(recordings[0].samples.map(\.rssi) == [-60])
        #expect(recordings[0].samples[0].distance == nil && recordings[0].samples[0].label == nil)
    }

    @Test(arguments: [
        ("", 1, "no line that names the columns"),
        ("session,timestamp_s,rssi_dbm\n", 1, "no column measured_power_dbm"),
        ("HEAD\n", 1, "no advert follows"),
        ("HEAD\na,0,-60,-59,1\n", 2, "5 fields, not the 6"),
        ("HEAD\na,0,-60,-59,1,near\na,x,-60,-59,1,near\n", 3, "timestamp_s 'x' is not a number"),
        ("HEAD\na,nan,-60,-59,1,near\n", 2, "timestamp_s 'nan'"),
        ("HEAD\na,0,127,-59,1,near\n", 2, "rssi_dbm '127' is not a whole number"),
        ("HEAD\na,0,-60.5,-59,1,near\n", 2, "rssi_dbm '-60.5'"),
        ("HEAD\na,0,-60,0,1,near\n", 2, "measured_power_dbm '0' is not a number from -128 to -1"),
        ("HEAD\na,0,-60,-59,0,near\n", 2, "true_distance_m '0' is not a number from 0.001 to 100000"),
        ("HEAD\na,0,-60,-59,1,here\n", 2, "true_zone 'here' is none of immediate, near"),
        ("HEAD\na,1,-60,-59,1,near\n\na,0.9,-60,-59,1,near\n", 4, "timestamp_s goes back within session a"),
        ("HEAD\na,0,-60,-59,1,near\na,604801,-60,-59,1,near\n", 3, "longer than a week"),
        ("HEAD\n\"a,0,-60,-59,1,near\n", 2, "a quote that is not closed"),
    ])
    func anErrorSaysWhereAndWhy(_ text: String, line: Int, reason: String) throws {
        let head = "session,timestamp_s,rssi_dbm,measured_power_dbm,true_distance_m,true_zone"
        let failure = #expect(throws: RecordingReader.Failure.self) {
            try RecordingReader.read(text.replacing("HEAD", with: head))
        }
        #expect(failure?.line == line)
        #expect(failure?.reason.contains(reason) == true, "\(failure?.reason ?? "")")
    }

    @Test func anyBytesAreReadOrRefused() {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array("0123456789-.,\"\n\re session,timestamp_s,rssi_dbm,measured_power_dbm\n".utf8)
        for _ in 0..<300 {
            let bytes = generator.bytes(200).map { alphabet[Int($0) % alphabet.count] }
            let head = "session,timestamp_s,rssi_dbm,measured_power_dbm\n"
            _ = try? RecordingReader.read(head + String(decoding: bytes, as: UTF8.self))
        }
    }
}
