import Testing

@testable import SkerryCore

@Suite("Fixes in sequence")
struct LocationSourceTests {
    private static let begin = Timestamp(iso8601: "2024-06-01T12:00:00Z")!

    /// What comes of reports: each at a second of the present, and what it says. Live, or as a log.
    private func play(isLive: Bool, _ reports: [(at: Double, line: String)], until end: Double? = nil) -> [String] {
        var source = LocationSource()
        var trace: [String] = []
        func take(_ source: inout LocationSource) { trace += source.takeOutputs().map(describe) }
        func moment(_ seconds: Double) -> Timestamp { Self.begin + Int64((seconds * 1e6).rounded()) }
        for (at, line) in reports {
            while isLive, let due = source.due, due <= moment(at) {
                source.advance(to: due)
                take(&source)
            }
            source.observe(readLine(line)!.report, now: isLive ? moment(at) : nil)
            take(&source)
        }
        if let end {
            source.advance(to: moment(end))
        } else {
            source.disconnect(now: isLive ? moment(reports.last!.at) : nil)
        }
        take(&source)
        return trace
    }

    private func describe(_ output: LocationSource.Output) -> String {
        func seconds(_ time: Timestamp?) -> String { time.map { "\(Double($0 - Self.begin) / 1e6)" } ?? "-" }
        switch output {
        case .fix(let fix, let device):
            return "\(device ?? "")\(seconds(fix.time)) at \(fix.coordinate.latitude)"
        case .compass(let reading, _, let device, let time):
            return "\(device ?? "")\(seconds(time)) heads \(reading.trueHeading ?? -1)"
        case .locationUnknown(let time): return "\(seconds(time)) unknown"
        }
    }

    /// A TPV report with a time in seconds.
    private func tpv(_ seconds: Double?, _ latitude: Double?, mode: Int = 3, device: String = "") -> String {
        let time = seconds.map { ",\"time\":\"\((Self.begin + Int64(($0 * 1e6).rounded())).text)\"" } ?? ""
        let place = latitude.map { ",\"lat\":\($0),\"lon\":8" } ?? ""
        let path = device.isEmpty ? "" : ",\"device\":\"\(device)\""
        return "{\"class\":\"TPV\"\(path),\"mode\":\(latitude == nil ? 1 : mode)\(time)\(place)}"
    }

    @Test("an epoch is delivered once, with its last report", arguments: [false, true])
    func epochs(isLive: Bool) {
        let reports = [
            (0.00, tpv(0, 1, mode: 2)), (0.01, tpv(0, 2)), (0.02, tpv(0, 3)), (1.00, tpv(1, 4)), (1.05, tpv(1, nil)),
            (2.00, tpv(2, 5)), (2.01, tpv(2.1, 6)),
        ]
        #expect(play(isLive: isLive, reports) == ["0.0 at 3.0", "2.0 at 5.0", "2.1 at 6.0"])
    }

    @Test("live, an epoch ends after 150 ms of silence, and what comes later of it is dropped")
    func silenceEndsAnEpoch() {
        let reports = [(0.0, tpv(0, 1)), (0.1, tpv(0, 2))]
        #expect(play(isLive: true, reports, until: 0.249) == [])
        #expect(play(isLive: true, reports, until: 0.25) == ["0.0 at 2.0"])
        #expect(play(isLive: true, reports + [(0.3, tpv(0, 3)), (1, tpv(1, 4))]) == ["0.0 at 2.0", "1.0 at 4.0"])
        // In a log, silence can't be told from a pause of the recording.
        #expect(play(isLive: false, reports, until: 9) == [])
    }

    @Test("reports without a time stand alone and get that of the receipt, or the last one known")
    func untimed() {
        let reports = [(0.5, tpv(nil, 1)), (1.5, tpv(nil, 2)), (2.5, tpv(0, 3)), (3.5, tpv(nil, 4)), (4.5, tpv(1, 5))]
        #expect(
            play(isLive: true, reports) == ["0.5 at 1.0", "1.5 at 2.0", "0.0 at 3.0", "3.5 at 4.0", "1.0 at 5.0"])
        #expect(play(isLive: false, reports) == ["- at 1.0", "- at 2.0", "0.0 at 3.0", "0.0 at 4.0", "1.0 at 5.0"])
    }

    /// A gpsd that was just started learns the date from the last sentences of an epoch.
    @Test("live, an epoch whose time is told late is one fix")
    func lateTime() {
        let reports = [(5.0, tpv(nil, 1)), (5.05, tpv(4.9, 1)), (6, tpv(5.9, 2)), (6.05, tpv(5.9, 3))]
        #expect(play(isLive: true, reports) == ["4.9 at 1.0", "5.9 at 3.0"])
        #expect(play(isLive: true, [(5, tpv(nil, 1)), (5.2, tpv(5.2, 2))]) == ["5.0 at 1.0", "5.2 at 2.0"])
    }

    @Test("live, reports without a time that come without a pause belong together")
    func untimedEpoch() {
        let reports = [(0.0, tpv(nil, 1)), (0.1, tpv(nil, 2)), (1.0, tpv(nil, 3)), (1.1, tpv(1, 4))]
        #expect(play(isLive: true, reports) == ["0.1 at 2.0", "1.0 at 4.0"])
        #expect(play(isLive: false, reports) == ["- at 1.0", "- at 2.0", "- at 3.0", "1.0 at 4.0"])
    }

    @Test("fixes that are not newer are dropped; a receiver that corrects its clock is followed")
    func order() {
        let day = 86_400.0
        func run(_ times: [Double]) -> ([String], LocationSource.Counts) {
            var source = LocationSource()
            for (number, time) in times.enumerated() {
                source.observe(readLine(tpv(time, Double(number)))!.report)
            }
            source.disconnect()
            return (source.takeOutputs().map(describe), source.counts)
        }
        var (fixes, counts) = run([10, 11, 9, 10.5, 11, 12])
        #expect(fixes == ["10.0 at 0.0", "11.0 at 1.0", "12.0 at 5.0"])
        #expect(counts.overtaken == 3 && counts.clockCorrections == 0 && counts.fixes == 3)
        // Ten years ahead and back.
        (fixes, counts) = run([0, 1, 3650 * day, 3650 * day + 1, 2, 3])
        #expect(fixes.count == 6 && counts.clockCorrections == 2 && counts.overtaken == 0)
        // Half a day back: nine are dropped, the tenth is believed.
        (fixes, counts) = run([day / 2] + (0..<12).map(Double.init))
        #expect(fixes == ["43200.0 at 0.0", "9.0 at 10.0", "10.0 at 11.0", "11.0 at 12.0"])
        #expect(counts.overtaken == 9 && counts.clockCorrections == 1)
        // A receiver that repeats what it said does not count.
        (fixes, counts) = run([day / 2] + (0..<40).map { Double($0 % 4) })
        #expect(fixes.count == 1 && counts.overtaken == 40)
    }

    @Test("each receiver has its own sequence", arguments: [false, true])
    func receivers(isLive: Bool) {
        let reports = [
            (0.00, tpv(0, 1, device: "a")), (0.01, tpv(-5, 11, device: "b")), (0.02, tpv(0, 2, device: "a")),
            (1.00, tpv(1, 3, device: "a")), (1.01, tpv(-4, 12, device: "b")),
        ]
        let trace = play(isLive: isLive, reports)
        #expect(trace.sorted() == ["a0.0 at 2.0", "a1.0 at 3.0", "b-4.0 at 12.0", "b-5.0 at 11.0"])
    }

    @Test("receivers are bounded")
    func manyReceivers() {
        var source = LocationSource()
        for number in 0..<10_000 {
            source.observe(readLine(tpv(Double(number), 1, device: "/dev/\(number)"))!.report, now: Self.begin)
        }
        source.disconnect(now: Self.begin)
        #expect(source.takeOutputs().count == 10_000)
    }

    @Test("the place is lost once, ten seconds after the fix")
    func lost() {
        func lines(_ from: Int, _ to: Int, _ latitude: Double?) -> [(Double, String)] {
            (from..<to).map { (Double($0), tpv(Double($0), latitude)) }
        }
        // Never had one: nothing is lost.
        #expect(play(isLive: false, lines(0, 40, nil)) == [])
        // Back within the grace.
        #expect(
            play(isLive: false, lines(0, 1, 1) + lines(1, 10, nil) + lines(10, 11, 2)) == ["0.0 at 1.0", "10.0 at 2.0"])
        let twice = lines(0, 1, 1) + lines(1, 30, nil) + lines(30, 31, 2) + lines(31, 50, nil)
        let expected = ["0.0 at 1.0", "11.0 unknown", "30.0 at 2.0", "41.0 unknown"]
        #expect(play(isLive: false, twice) == expected)
        #expect(play(isLive: true, twice).map { $0.replacing("11.15", with: "11.0") } == expected)
    }

    @Test("another receiver's fixes keep the place known")
    func lostByOne() {
        var reports: [(at: Double, line: String)] = []
        for second in 0..<30 {
            let at = Double(second)
            reports.append((at, tpv(at, second == 0 ? 1 : nil, device: "a")))
            reports.append((at, tpv(at, 2, device: "b")))
        }
        for isLive in [false, true] {
            #expect(!play(isLive: isLive, reports).contains { $0.hasSuffix("unknown") })
        }
    }

    @Test("a device that goes, a connection that breaks and long silence lose the place")
    func silence() {
        let fix = (0.0, tpv(0, 1, device: "a"))
        let gone = #"{"class":"DEVICE","path":"a","activated":0}"#
        #expect(play(isLive: true, [fix, (0.1, gone)], until: 10) == ["a0.0 at 1.0"])
        #expect(play(isLive: true, [fix, (0.1, gone)], until: 10.1) == ["a0.0 at 1.0", "10.1 unknown"])
        #expect(play(isLive: true, [fix], until: 59.9) == ["a0.0 at 1.0"])
        #expect(play(isLive: true, [fix], until: 60) == ["a0.0 at 1.0", "60.0 unknown"])
        var source = LocationSource()
        source.observe(readLine(fix.1)!.report, now: Self.begin)
        source.disconnect(now: Self.begin + 1)
        #expect(source.due == Self.begin + 10_000_001)
        source.advance(to: source.due!)
        #expect(source.takeOutputs().map(describe) == ["a0.0 at 1.0", "10.000001 unknown"])
        #expect(source.due == nil)
    }

    @Test("an attitude without a time has that of the receipt, in a log that of the last report")
    func attitudes() {
        let att = #"{"class":"ATT","heading":7}"#
        let timed = #"{"class":"ATT","time":"2024-06-01T12:00:03.000Z","heading":8}"#
        let reports = [(0.5, att), (1.0, tpv(1, 1)), (1.1, att), (3.0, timed)]
        #expect(play(isLive: false, reports) == ["- heads 7.0", "1.0 at 1.0", "1.0 heads 7.0", "3.0 heads 8.0"])
        #expect(play(isLive: true, reports) == ["0.5 heads 7.0", "1.1 heads 7.0", "1.0 at 1.0", "3.0 heads 8.0"])
    }
}
