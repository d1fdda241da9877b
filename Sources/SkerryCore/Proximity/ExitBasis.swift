/// What the silence that means an exit follows from.
public enum ExitBasis: String, Sendable {
    /// The gaps between sightings: so long a silence has a probability of 1 in 10,000.
    case gaps
    /// Twice the longest gap of late.
    case longestGap
    /// Fewer than five sightings.
    case fewSightings
    /// The shortest exit time allowed.
    case minimum
    /// The longest exit time allowed.
    case maximum
    /// A fixed rule of the profile; of `adaptive`, that for a region of which no beacon was heard.
    case profile
    /// The region's own setting.
    case region
}
