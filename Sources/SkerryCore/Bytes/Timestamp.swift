/// A moment on the clock of an input: microseconds since 1970-01-01T00:00:00 UTC, leap seconds not counted.
///
/// Every timestamp lies in the years 0000 to 9999, so that it can be written as RFC 3339; what an input claims beyond
/// is brought to the nearer end.
public struct Timestamp: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// Microseconds since the Unix epoch.
    public let microseconds: Int64

    /// The first microsecond of the year 0000.
    public static let earliest = Timestamp(unchecked: -62_167_219_200_000_000)
    /// The last microsecond of the year 9999.
    public static let latest = Timestamp(unchecked: 253_402_300_799_999_999)

    /// Later than every moment: what never comes.
    static let never = Timestamp(unchecked: .max)

    /// A moment from microseconds since the Unix epoch, brought into the years 0000 to 9999.
    @inline(__always)
    public init(microseconds: Int64) {
        // One comparison for nearly all.
        let sinceEarliest = UInt64(bitPattern: microseconds &- Self.earliest.microseconds)
        let isWithin = sinceEarliest <= UInt64(bitPattern: Self.latest.microseconds &- Self.earliest.microseconds)
        self.microseconds = isWithin ? microseconds : Self.nearerEnd(microseconds)
    }

    @inline(never)
    private static func nearerEnd(_ microseconds: Int64) -> Int64 {
        microseconds < 0 ? earliest.microseconds : latest.microseconds
    }

    /// A moment from whole seconds since the Unix epoch and a part of a second, as most containers write it.
    public init(seconds: Int64, microseconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, carry) = product.addingReportingOverflow(microseconds)
        self.init(microseconds: overflow || carry ? (seconds < 0 ? .min : .max) : sum)
    }

    private init(unchecked microseconds: Int64) { self.microseconds = microseconds }

    /// Earlier.
    @inline(__always)
    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }

    /// The moment `interval` microseconds later.
    @inline(__always)
    public static func + (moment: Timestamp, interval: Int64) -> Timestamp {
        Timestamp(microseconds: moment.microseconds &+ interval)
    }

    /// The moment after it; `never` after the last one.
    var next: Timestamp { due(after: 1) }

    /// The moment `interval` microseconds later; `never` where that lies beyond the last one.
    func due(after interval: Int64) -> Timestamp {
        interval <= Self.latest - self ? self + interval : .never
    }

    /// Microseconds from `b` to `a`.
    @inline(__always)
    public static func - (a: Timestamp, b: Timestamp) -> Int64 { a.microseconds &- b.microseconds }
}

extension Int64 {
    /// One second in the microseconds that all times here count.
    public static let second: Int64 = 1_000_000
}
