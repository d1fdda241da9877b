/// A value of JSON text. What lies within an object or an array is read by `JSONReader`, not kept.
enum JSONValue: Equatable {
    case number(Double)
    case string(String)
    case bool(Bool)
    case null
    /// An object or an array that was passed over.
    case nested
    /// A word that is no JSON value, as `nan`, or a number that no `Double` holds.
    case unreadable

    // Each puts the value where one of a kind is wanted and says whether it is of that kind. `null` stands for a member
    // that is absent: it changes nothing and is right everywhere.

    func store(in place: inout Double?) -> Bool {
        guard case .number(let number) = self else { return self == .null }
        place = number
        return true
    }

    func store(in place: inout String?) -> Bool {
        guard case .string(let text) = self else { return self == .null }
        place = text
        return true
    }

    func store(in place: inout Bool) -> Bool {
        guard case .bool(let truth) = self else { return self == .null }
        place = truth
        return true
    }

    /// A whole number, of which gpsd makes its codes and versions.
    func store(in place: inout Int?) -> Bool {
        guard case .number(let number) = self else { return self == .null }
        guard let whole = Int(exactly: number) else { return false }
        place = whole
        return true
    }

    /// A time in ISO 8601; very old gpsds wrote seconds since the Unix epoch.
    func store(in place: inout Timestamp?) -> Bool {
        switch self {
        case .null: return true
        case .string(let text):
            guard let time = Timestamp(iso8601: text) else { return false }
            place = time
        case .number(let seconds) where abs(seconds) < 1e12:
            place = Timestamp(microseconds: Int64((seconds * 1e6).rounded()))
        default: return false
        }
        return true
    }
}
