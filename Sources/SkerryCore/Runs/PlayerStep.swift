/// What comes next in an input of a replay.
enum PlayerStep {
    /// A record: when it comes on the input's clock, which does not go back, and its own time.
    case due(Timestamp, time: Timestamp)
    /// More bytes must be supplied.
    case needsBytes
    /// A part that was passed over, for people.
    case damaged(String)
    /// The end. What is wrong with it, for people, where something is.
    case ended((name: Fault.Name, message: String)?)
}
