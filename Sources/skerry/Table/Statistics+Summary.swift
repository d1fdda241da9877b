import SkerryCore

extension Statistics {
    /// A line for people.
    var summary: String {
        func count(_ number: UInt64, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
        let senders = addresses.isAtLeast ? "at least \(addresses.count) addresses" : "\(addresses.count) addresses"
        let damaged = Malformation.allCases.reduce(0) { $0 + malformed[$1] }
        return
            ([count(records, "record"), count(reports, "report"), addresses.count == 1 ? "1 address" : senders]
            + (damaged > 0 ? ["\(damaged) malformed"] : []) + beacons.map { "\($0.count) \($0.name)" }
            + (gps.map { ["\($0.fixes) fix\($0.fixes == 1 ? "" : "es")"] } ?? []))
            .joined(separator: ", ")
    }
}
