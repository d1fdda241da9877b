/// What the decision about a circular region rests on.
public struct CircleEvidence: Equatable, Sendable {
    /// Metres to the circle's centre, from the fix that decided. Of an entry between two fixes, which both lie outside:
    /// from the nearest point of the line between them. `nil` where no fix decided.
    public var distance: Double?
    /// Metres, as that fix has it; of an entry between two fixes the larger of both.
    public var horizontalAccuracy: Double?
    /// Fixes in a row that agreed. Of an entry and exit between two fixes: those two.
    public var confirmations: Int
    /// When the border was crossed, as far as the fixes on both sides of it tell.
    public var crossedAt: Timestamp?
}
