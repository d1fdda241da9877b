/// Where something happened and in which direction the device pointed, as last known: the bridge between the radio's
/// world and the receiver's.
public struct Geotag: Sendable {
    /// The last fix, and the microseconds since it was measured; `nil` where there was none yet.
    public var location: (fix: Fix, age: Int64)?
    /// The last heading, and the microseconds since it was measured; `nil` where there was none yet.
    public var heading: (heading: Heading, age: Int64)?
}
