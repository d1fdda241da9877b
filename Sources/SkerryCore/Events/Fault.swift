/// Something of the outside world that went wrong.
public struct Fault: Sendable {
    /// What it concerns.
    public enum Domain: String, Sendable {
        /// Reading a capture.
        case capture
    }

    /// What it concerns.
    public var domain: Domain
    /// A word for programs.
    public enum Name: String, Sendable {
        /// A part of it was passed over.
        case damaged
        /// It ends in the middle of a record.
        case cut
        /// It can't be read any further.
        case unreadable
    }

    /// What happened.
    public var name: Name
    /// A sentence for people.
    public var message: String
    /// Whether the stream goes on.
    public var isRecoverable: Bool
}
