import SkerryCore

/// Quantities as people read them.
enum Quantity {
    /// Metres to two digits: what an estimate is worth.
    static func distance(_ metres: Double) -> String {
        guard metres < 999_500 else { return ">999 km" }
        let (value, unit) = metres < 999.5 ? (metres, "m") : (metres / 1000, "km")
        if value >= 9.95 { return "\(Int(value.rounded())) \(unit)" }
        let tenths = Int((value * 10).rounded())
        return tenths == 0 ? "<0.1 m" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    /// Microseconds, in the unit that makes a short number.
    static func duration(_ microseconds: Int64) -> String {
        let seconds = max(microseconds, 0) / .second
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
