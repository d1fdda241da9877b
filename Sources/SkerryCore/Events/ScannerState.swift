/// The state of a source of advertisements.
public enum ScannerState: String, Sendable {
    /// It hears what is on the air.
    case listening
    /// Nothing is heard though something should be.
    case deaf
    /// Its scan is off.
    case paused
    /// It has nothing more to say.
    case ended
}
