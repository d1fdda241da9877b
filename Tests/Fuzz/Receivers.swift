/// What gpsd says, good lines and bad ones.
enum Receivers {
    /// Whole and in pieces, as a log and live.
    static func gpsd(_ bytes: [UInt8]) {
        let whole = GPSDStream(bytes: bytes)
        _ = try? whole.recognise()
        let words = play(whole, bytes[...])
        guard words == play(GPSDStream(), bytes[...]) else { fatalError("pieces say something else") }
        live(bytes)
    }

    /// What comes of a log, with the counts of lines at the end.
    private static func play(_ stream: GPSDStream, _ bytes: ArraySlice<UInt8>) -> [String] {
        var log = GPSLog(name: "fuzz", stream: stream)
        var rest = bytes
        var size = 7
        var words: [String] = []
        while true {
            switch log.next() {
            case .output(let output): words.append(text(output))
            case .damaged(let what): words.append(what)
            case .needsBytes:
                log.supply { room in
                    size = size * 3 % 251  // another length each time
                    let piece = rest.prefix(min(size, room.count))
                    room.copyBytes(from: piece)
                    rest = rest.dropFirst(piece.count)
                    return piece.count
                }
            case .ended(let fault):
                guard log.position == UInt64(bytes.count) else { fatalError("bytes left") }
                return words + [fault?.message ?? "", "\(log.lineCounts)", "\(log.counts)"]
            }
        }
    }

    /// An engine's clock goes on by a little with each report.
    private static func live(_ bytes: [UInt8]) {
        var stream = GPSDStream(bytes: bytes)
        var source = LocationSource()
        var connection = GPSDConnection()
        var now: Int64 = 1_700_000_000_000_000
        _ = connection.advance(to: now)
        _ = connection.opened(at: now)
        while case .report(let report) = stream.next() {
            now += 70_000
            source.observe(report, now: Timestamp(microseconds: now))
            _ = connection.received(report, at: now)
        }
        source.disconnect(now: Timestamp(microseconds: now))
        while let due = source.due { source.advance(to: due) }
        for output in source.takeOutputs() {
            guard output.time != nil else { fatalError("live, every output has a time") }
            _ = text(output)
        }
    }

    /// As an output would write it: every number must be one that JSON has a place for.
    private static func text(_ output: LocationSource.Output) -> String {
        var line = JSONLine(capacity: 64)
        func decimal(_ value: Double?, _ decimals: Int) {
            if let value { line.decimal(value, decimals: decimals) }
            line.byte(0x20)
        }
        if let time = output.time { line.time(time) }
        switch output {
        case .fix(let fix, let device):
            line.string(device ?? "")
            decimal(fix.coordinate.latitude, 9)
            decimal(fix.coordinate.longitude, 9)
            for value in [fix.horizontalAccuracy, fix.altitude, fix.ellipsoidalAltitude, fix.verticalAccuracy] {
                decimal(value, 3)
            }
            for value in [fix.speed, fix.speedAccuracy, fix.course, fix.courseAccuracy] { decimal(value, 3) }
            guard fix.horizontalAccuracy > 0, fix.course.map({ 0..<360 ~= $0 }) ?? true else { fatalError("a bad fix") }
        case .compass(let reading, _, let device, _):
            line.string(device ?? "")
            for heading in [reading.trueHeading, reading.magneticHeading] {
                decimal(heading, 3)
                guard heading.map({ 0..<360 ~= $0 }) ?? true else { fatalError("a bad heading") }
            }
        case .locationUnknown: line.literal("unknown")
        }
        return line.takeString()
    }
}
