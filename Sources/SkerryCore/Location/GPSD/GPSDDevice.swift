/// A receiver that gpsd knows, by DEVICE or within DEVICES.
public struct GPSDDevice: Equatable, Sendable {
    /// Its path, or another gpsd's address; `nil` where a log leaves it out.
    public private(set) var path: String?
    /// What gpsd took it for; `nil` while it doesn't know.
    public private(set) var driver: String?
    /// Whether gpsd reads from it.
    public private(set) var isActive = false

    mutating func set(_ name: String, _ value: JSONValue) -> Bool {
        switch name {
        case "path": return value.store(in: &path)
        case "driver": return value.store(in: &driver)
        case "activated":
            // A time, but the number 0 when the device has gone.
            var since: Timestamp?
            guard value.store(in: &since) else { return false }
            isActive = value != .number(0) && since != nil
            return true
        default: return true
        }
    }
}
