/// The state of a source of advertisements.
public enum ScannerState: String, Sendable {
    /// It hears what is on the air.
    case listening
    /// Nothing is heard though something should be.
    case deaf
    /// Its scan is off.
    case paused
    /// The adapter is switched off.
    case poweredOff
    /// This program may not use it.
    case unauthorized
    /// It can't do what scanning needs.
    case unsupported
    /// It is gone, or does not answer.
    case failed
    /// It has nothing more to say.
    case ended
}
