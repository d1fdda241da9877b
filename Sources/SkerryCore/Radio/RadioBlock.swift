/// Why an adapter can't be switched on (rfkill).
public enum RadioBlock: Equatable, Sendable {
    /// By software: `rfkill unblock bluetooth`.
    case soft
    /// By a switch.
    case hard
}
