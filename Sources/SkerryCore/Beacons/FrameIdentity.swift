/// What tells one beacon from another, whatever its format. Telemetry has none of its own.
public enum FrameIdentity: Hashable, Sendable {
    case iBeacon(BeaconIdentity)
    case altBeacon(ProximityUUID, UInt16, UInt16)
    /// Namespace and instance, hexadecimal digits.
    case eddystoneUID(namespace: String, instance: String)
    case eddystoneURL(String)
    /// Hexadecimal digits; they change every few minutes.
    case eddystoneEID(String)

    /// The format's name in events.
    public var format: String {
        let name: StaticString =
            switch self {
            case .iBeacon: IBeacon.formatName
            case .altBeacon: AltBeacon.formatName
            case .eddystoneUID: Eddystone.UID.formatName
            case .eddystoneURL: Eddystone.URL.formatName
            case .eddystoneEID: Eddystone.EID.formatName
            }
        return "\(name)"
    }

    /// The part that many beacons may share: a UUID or a namespace; or all there is.
    public var name: String {
        switch self {
        case .iBeacon(let identity): identity.uuid.description
        case .altBeacon(let uuid, _, _): uuid.description
        case .eddystoneUID(let namespace, _): namespace
        case .eddystoneURL(let url): url
        case .eddystoneEID(let eid): eid
        }
    }

    /// The part that tells beacons of one name apart: `major/minor`, the second and third identifier, or an instance;
    /// `nil` where there is none.
    public var number: String? {
        switch self {
        case .iBeacon(let identity): "\(identity.major)/\(identity.minor)"
        case .altBeacon(_, let second, let third): "\(second)/\(third)"
        case .eddystoneUID(_, let instance): instance
        case .eddystoneURL, .eddystoneEID: nil
        }
    }
}

extension Beacon {
    /// Whose frame it is; `nil` of telemetry.
    public var identity: FrameIdentity? {
        switch self {
        case .iBeacon(let frame): .iBeacon(frame.identity)
        case .altBeacon(let frame): .altBeacon(frame.id1, frame.id2, frame.id3)
        case .eddystoneUID(let frame):
            .eddystoneUID(namespace: frame.namespace.hexadecimal, instance: frame.instance.hexadecimal)
        case .eddystoneURL(let frame): .eddystoneURL(frame.url)
        case .eddystoneEID(let frame): .eddystoneEID(frame.eid.hexadecimal)
        case .eddystoneTLM, .eddystoneEncryptedTLM: nil
        }
    }
}

extension FrameBytes {
    fileprivate var hexadecimal: String {
        (0..<count).reduce(into: "") { text, offset in
            text += (self[offset] < 16 ? "0" : "") + String(self[offset], radix: 16)
        }
    }
}
