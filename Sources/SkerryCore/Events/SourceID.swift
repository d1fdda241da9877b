/// A source of advertisements or of locations, by number in order of appearance.
public struct SourceID: Hashable, BitwiseCopyable, Sendable {
    /// The number.
    public let rawValue: UInt16

    @inline(__always)
    init(rawValue: UInt16) { self.rawValue = rawValue }
}
