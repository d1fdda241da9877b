/// The physical channel coding of a packet.
public enum PHY: UInt8, BitwiseCopyable, Sendable {
    /// LE 1M.
    case le1M = 1
    /// LE 2M.
    case le2M = 2
    /// LE Coded.
    case leCoded = 3

    /// The name in events.
    public var name: StaticString {
        switch self {
        case .le1M: "1M"
        case .le2M: "2M"
        case .leCoded: "Coded"
        }
    }
}
