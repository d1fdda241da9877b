/// What a region is, apart from its name: by this the next run sees whether a name still means the same.
public enum RegionDefinition: Equatable, Sendable {
    /// Beacons; `nil` is any.
    case beacon(uuid: ProximityUUID?, major: UInt16?, minor: UInt16?)
    /// A circle: degrees with nine decimals, metres with two, which is what events and files tell of it.
    case circle(latitude: Double, longitude: Double, radius: Double)

    /// What a beacon region is.
    public init(_ region: BeaconRegion) {
        self = .beacon(uuid: region.uuid, major: region.major, minor: region.minor)
    }

    /// What a circular region is.
    public init(_ circle: CircularRegion) {
        // A quotient of whole numbers is the number nearest to its decimals, as reading them gives it.
        self = .circle(
            latitude: (circle.centre.latitude * 1e9).rounded(.toNearestOrAwayFromZero) / 1e9,
            longitude: (circle.centre.longitude * 1e9).rounded(.toNearestOrAwayFromZero) / 1e9,
            radius: (circle.radius * 100).rounded(.toNearestOrAwayFromZero) / 100)
    }
}

extension JSONLine {
    /// `,"kind":…` and what belongs to it.
    mutating func members(of definition: RegionDefinition) {
        switch definition {
        case .beacon(let uuid, let major, let minor):
            literal(",\"kind\":\"beacon\"")
            if let uuid { member("uuid", uuid.description) }
            if let major { member("major", Int64(major)) }
            if let minor { member("minor", Int64(minor)) }
        case .circle(let latitude, let longitude, let radius):
            literal(",\"kind\":\"circular\"")
            member("latitude", latitude, decimals: 9)
            member("longitude", longitude, decimals: 9)
            member("radius", radius, decimals: 2)
        }
    }
}
