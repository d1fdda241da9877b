/// Reads labelled recordings: comma-separated values, the first line names the columns, one advert a line. Where that line
/// has semicolons and no comma, semicolons separate, and numbers may have a decimal comma, as spreadsheets write it.
///
/// Columns, in any order; others are passed over:
///
///     session             recordings follow one another; a new name begins a new one
///     timestamp_s         seconds, not falling within a session
///     rssi_dbm            -128…126
///     measured_power_dbm  dBm at 1 m; the first of a session holds
///     true_distance_m     above 0, or empty; may be missing
///     true_zone           immediate near far inside outside present, or empty; may be missing
///     drop_mask           bit k set: lost in loss scenario k; may be missing
///
/// Fields may stand in double quotes (RFC 4180).
public struct RecordingReader {
    /// Why a line can't be read.
    public struct Failure: Error, Equatable {
        /// 1 is the first.
        public var line: Int
        /// What is wrong with it.
        public var reason: String
    }

    /// The longest recording, in seconds: a week.
    private static let longest = 604_800.0

    private struct Columns {
        var session, time, rssi, power: Int
        var distance, label, losses: Int?
        var count: Int
    }

    private var recordings: [Recording] = []
    private var line = 0
    private var separator = UInt8(ascii: ",")

    /// The recordings of a file.
    public static func read(_ text: String) throws(Failure) -> [Recording] {
        var reader = RecordingReader()
        var columns: Columns?
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            reader.line += 1
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.isEmpty { continue }
            if columns == nil, !line.contains(UInt8(ascii: ",")), line.contains(UInt8(ascii: ";")) {
                reader.separator = UInt8(ascii: ";")
            }
            let fields = try reader.fields(line)
            if let columns { try reader.add(fields, columns) } else { columns = try reader.columns(fields) }
        }
        guard columns != nil else { throw Failure(line: 1, reason: "no line that names the columns") }
        guard !reader.recordings.isEmpty else { throw Failure(line: 1, reason: "no advert follows") }
        return reader.recordings
    }

    private func failure(_ reason: String) -> Failure { Failure(line: line, reason: reason) }

    private func fields(_ line: Substring.UTF8View) throws(Failure) -> [Substring] {
        if !line.contains(UInt8(ascii: "\"")) {
            return line.split(separator: separator, omittingEmptySubsequences: false).map { Substring($0) }
        }
        var fields: [Substring] = []
        var field: [UInt8] = []
        var isQuoted = false
        var last: UInt8 = 0
        for byte in line {
            switch byte {
            case UInt8(ascii: "\""):
                isQuoted.toggle()
                // A pair within quotes is one quote: it ends and begins them.
                if isQuoted, last == byte { field.append(byte) }
            case separator where !isQuoted:
                fields.append(Substring(decoding: field, as: UTF8.self))
                field = []
            default: field.append(byte)
            }
            last = byte
        }
        guard !isQuoted else { throw failure("a quote that is not closed") }
        return fields + [Substring(decoding: field, as: UTF8.self)]
    }

    private func columns(_ names: [Substring]) throws(Failure) -> Columns {
        func column(_ name: String) throws(Failure) -> Int {
            guard let column = names.firstIndex(where: { $0 == name }) else { throw failure("no column \(name)") }
            return column
        }
        return Columns(
            session: try column("session"), time: try column("timestamp_s"), rssi: try column("rssi_dbm"),
            power: try column("measured_power_dbm"), distance: names.firstIndex(of: "true_distance_m"),
            label: names.firstIndex(of: "true_zone"), losses: names.firstIndex(of: "drop_mask"), count: names.count)
    }

    private mutating func add(_ fields: [Substring], _ columns: Columns) throws(Failure) {
        guard fields.count == columns.count else {
            throw failure("\(fields.count) fields, not the \(columns.count) of the first line")
        }
        let time = try number(fields[columns.time], "timestamp_s", -1e11...1e11)
        guard let rssi = Int8(fields[columns.rssi]), rssi < 127 else {
            throw failure("rssi_dbm '\(fields[columns.rssi])' is not a whole number from -128 to 126")
        }
        var sample = Recording.Sample(
            time: Timestamp(microseconds: Int64((time * 1e6).rounded())), rssi: rssi, distance: nil, label: nil,
            losses: 0)
        if let column = columns.distance, !fields[column].isEmpty {
            sample.distance = try number(fields[column], "true_distance_m", 0.001...100_000)
        }
        if let column = columns.label, !fields[column].isEmpty {
            guard let label = Recording.Label(rawValue: String(fields[column])) else {
                let known = Recording.Label.allCases.map(\.rawValue).joined(separator: ", ")
                throw failure("true_zone '\(fields[column])' is none of \(known)")
            }
            sample.label = label
        }
        if let column = columns.losses {
            guard let losses = UInt8(fields[column]) else {
                throw failure("drop_mask '\(fields[column])' is not a whole number from 0 to 255")
            }
            sample.losses = losses
        }
        let session = fields[columns.session]
        guard let last = recordings.indices.last, recordings[last].session == session else {
            let power = try number(fields[columns.power], "measured_power_dbm", -128 ... -1)
            return recordings.append(
                Recording(
                    session: String(session), measuredPower: power, hasLosses: columns.losses != nil,
                    samples: [sample]))
        }
        guard sample.time >= recordings[last].samples.last!.time else {
            throw failure("timestamp_s goes back within session \(session)")
        }
        guard sample.seconds - recordings[last].samples[0].seconds <= Self.longest else {
            throw failure("session \(session) lasts longer than a week")
        }
        recordings[last].samples.append(sample)
    }

    private func number(
        _ field: Substring, _ name: String, _ range: ClosedRange<Double>
    ) throws(Failure) -> Double {
        let text = separator == UInt8(ascii: ",") ? String(field) : String(field.map { $0 == "," ? "." : $0 })
        guard let value = Double(text), range.contains(value) else {
            func text(_ bound: Double) -> String { bound == bound.rounded() ? "\(Int(bound))" : "\(bound)" }
            let bounds = "\(text(range.lowerBound)) to \(text(range.upperBound))"
            throw failure("\(name) '\(field)' is not a number from \(bounds)")
        }
        return value
    }
}
