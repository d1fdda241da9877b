/// What a log of a receiver is, told by content, never by name.
public enum GPSLogKind: String, Sendable {
    /// gpsd's JSON, with or without the receiver's own sentences between its lines.
    case gpsd
    /// What a receiver sent, NMEA sentences or a binary protocol; gpsdecode makes gpsd's JSON of it.
    case receiver

    /// Tells what a log is.
    ///
    /// `gpsd`, where a line stands that only gpsd writes, or nothing but JSON. A header of gpsd alone does not say it:
    /// `gpspipe -R` writes one before the receiver's own bytes.
    ///
    /// - Parameters:
    ///   - beginning: The first bytes of the log.
    ///   - isWhole: Whether they are all, or as many as are ever looked at.
    /// - Returns: `nil` while more bytes are needed.
    static func recognise(_ beginning: RawSpan, isWhole: Bool) throws(UnrecognisedGPSLog) -> GPSLogKind? {
        var (hasReport, hasOther) = (false, false)
        var start = 0
        for end in 0...beginning.byteCount {
            let isAtEnd = end == beginning.byteCount
            guard isAtEnd ? isWhole : beginning.byte(end) == UInt8(ascii: "\n") else { continue }
            let line = beginning.part(start, end)
            start = end + 1
            guard line.byteCount > 0, line.byte(0) != UInt8(ascii: "\r") else { continue }
            var unreadable = 0
            switch line.byte(0) == UInt8(ascii: "{") ? try? GPSDReport(line: line, unreadable: &unreadable) : nil {
            case .position, .attitude, .watch(isEnabled: true, isJSON: true): return .gpsd
            case .some: hasReport = true
            // The last line may be cut.
            case .none: hasOther = hasOther || !isAtEnd || !hasReport
            }
        }
        guard isWhole else { return nil }
        if hasReport, !hasOther { return .gpsd }
        if let found = UnrecognisedGPSLog(bytes: beginning) { throw found }
        return .receiver
    }
}
