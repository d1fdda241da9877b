/// A kind of beacon frame: how its bytes are recognised and how it is written.
protocol BeaconFormat: BitwiseCopyable, Sendable {
    /// The name in events.
    static var formatName: StaticString { get }
    /// Writes `,"member":value` for each member of the frame.
    func writeMembers(to line: inout JSONLine)
}

/// A beacon frame of any kind. It holds no reference: frames are many, and most are only counted.
public enum Beacon: BitwiseCopyable, Sendable {
    case iBeacon(IBeacon)
    case altBeacon(AltBeacon)
    case eddystoneUID(Eddystone.UID)
    case eddystoneURL(Eddystone.URL)
    case eddystoneTLM(Eddystone.TLM)
    case eddystoneEncryptedTLM(Eddystone.EncryptedTLM)
    case eddystoneEID(Eddystone.EID)

    /// The frame in an AD structure; `nil` where there is none.
    @inline(__always)
    init?(_ structure: ADStructure) {
        switch structure.type {
        case ADStructure.manufacturerSpecificData:
            if let frame = IBeacon(manufacturerData: structure.data) {
                self = .iBeacon(frame)
            } else if let frame = AltBeacon(manufacturerData: structure.data) {
                self = .altBeacon(frame)
            } else {
                return nil
            }
        case ADStructure.serviceData16:
            guard let frame = Eddystone.frame(serviceData: structure.data) else { return nil }
            self = frame
        default: return nil
        }
    }

    /// What follows an iBeacon's frame in the structure it was found in; `nil` where nothing does.
    @inline(__always)
    func extra(in structure: ADStructure) -> [UInt8]? {
        guard case .iBeacon = self, structure.data.byteCount > IBeacon.length else { return nil }
        return [UInt8](structure.data.extracting(droppingFirst: IBeacon.length))
    }

    /// The format's name in events.
    var formatName: StaticString { Self.formatNames[number] }

    /// Names by `number`.
    static let formatNames = [
        IBeacon.formatName, AltBeacon.formatName, Eddystone.UID.formatName, Eddystone.URL.formatName,
        Eddystone.TLM.formatName, Eddystone.EncryptedTLM.formatName, Eddystone.EID.formatName,
    ]

    /// The format's place in counts.
    @inline(__always)
    var number: Int {
        switch self {
        case .iBeacon: 0
        case .altBeacon: 1
        case .eddystoneUID: 2
        case .eddystoneURL: 3
        case .eddystoneTLM: 4
        case .eddystoneEncryptedTLM: 5
        case .eddystoneEID: 6
        }
    }

    /// Writes the members of the frame.
    func writeMembers(to line: inout JSONLine) {
        switch self {
        case .iBeacon(let frame): frame.writeMembers(to: &line)
        case .altBeacon(let frame): frame.writeMembers(to: &line)
        case .eddystoneUID(let frame): frame.writeMembers(to: &line)
        case .eddystoneURL(let frame): frame.writeMembers(to: &line)
        case .eddystoneTLM(let frame): frame.writeMembers(to: &line)
        case .eddystoneEncryptedTLM(let frame): frame.writeMembers(to: &line)
        case .eddystoneEID(let frame): frame.writeMembers(to: &line)
        }
    }
}

/// A few bytes of a frame, held without allocation.
struct FrameBytes: BitwiseCopyable, Sendable {
    static let capacity = 20

    private var storage = InlineArray<20, UInt8>(repeating: 0)
    let count: Int

    /// A copy of borrowed bytes, at most `capacity`.
    init(_ bytes: RawSpan) {
        count = min(bytes.byteCount, Self.capacity)
        for offset in 0..<count { storage[offset] = bytes.byte(offset) }
    }

    subscript(offset: Int) -> UInt8 { storage[offset] }
}
