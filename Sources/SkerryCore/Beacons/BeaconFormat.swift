/// A kind of beacon frame: how its bytes are recognised and how it is written.
public protocol BeaconFormat: Sendable {
    /// The name in events.
    static var formatName: StaticString { get }
    /// Writes `,"member":value` for each member of the frame.
    func writeMembers(to line: inout JSONLine)
}

/// A beacon frame of any kind.
public enum Beacon: Sendable {
    /// The one kind that regions are made of, kept apart because it needs no allocation.
    case iBeacon(IBeacon)
    /// Any other.
    case other(any BeaconFormat)

    /// The frame in an AD structure; `nil` where there is none. A new format is one line here.
    @inline(__always)
    init?(_ structure: borrowing ADStructure) {
        switch structure.type {
        case ADStructure.manufacturerSpecificData:
            if let frame = IBeacon(manufacturerData: structure.data) {
                self = .iBeacon(frame)
            } else if let frame = AltBeacon(manufacturerData: structure.data) {
                self = .other(frame)
            } else {
                return nil
            }
        case ADStructure.serviceData16:
            guard let frame = Eddystone.frame(serviceData: structure.data) else { return nil }
            self = .other(frame)
        default: return nil
        }
    }

    /// The format's name in events.
    public var formatName: StaticString {
        switch self {
        case .iBeacon: IBeacon.formatName
        case .other(let frame): type(of: frame).formatName
        }
    }
}
