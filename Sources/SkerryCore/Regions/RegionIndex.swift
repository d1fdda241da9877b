/// Finds the regions of a beacon by hash, so that the cost does not grow with the number of regions.
struct RegionIndex {
    /// The regions that a beacon belongs to, by number of their combination.
    typealias Matches = UInt32

    private static let noGroup = UInt32.max

    /// At most one group of regions for each form that a region can have.
    private struct Combination: Hashable {
        var byUUID = noGroup
        var byMajor = noGroup
        var byMinor = noGroup
    }

    private struct Pattern: Hashable {
        var uuid: ProximityUUID
        var major: UInt16?
        var minor: UInt16?
    }

    private var any: [Int32] = []
    /// Regions that ask for the same beacons, in order of configuration.
    private var groups: [[Int32]] = []
    private var groupOf: [Pattern: UInt32] = [:]
    private var (hasUUID, hasMajor, hasMinor) = (false, false, false)
    /// Combinations that were met.
    private var combinations: [Combination] = []
    private var matchesOf: [Combination: Matches] = [:]

    init(_ regions: [BeaconRegion]) {
        for (number, region) in regions.enumerated() {
            guard let uuid = region.uuid else {
                any.append(Int32(number))
                continue
            }
            let pattern = Pattern(uuid: uuid, major: region.major, minor: region.minor)
            if region.minor != nil {
                hasMinor = true
            } else if region.major != nil {
                hasMajor = true
            } else {
                hasUUID = true
            }
            if let group = groupOf[pattern] {
                groups[Int(group)].append(Int32(number))
            } else {
                groupOf[pattern] = UInt32(groups.count)
                groups.append([Int32(number)])
            }
        }
    }

    /// At most three look-ups.
    mutating func matches(_ identity: BeaconIdentity) -> Matches {
        var found = Combination()
        if hasUUID {
            found.byUUID = group(Pattern(uuid: identity.uuid))
        }
        if hasMajor {
            found.byMajor = group(Pattern(uuid: identity.uuid, major: identity.major))
        }
        if hasMinor {
            found.byMinor = group(Pattern(uuid: identity.uuid, major: identity.major, minor: identity.minor))
        }
        if let known = matchesOf[found] { return known }
        let number = Matches(combinations.count)
        combinations.append(found)
        matchesOf[found] = number
        return number
    }

    private func group(_ pattern: Pattern) -> UInt32 { groupOf[pattern] ?? Self.noGroup }

    /// Calls `body` with the number of each region of a beacon.
    @inline(__always)
    func forEachRegion(of matches: Matches, _ body: (Int) -> Void) {
        for region in any { body(Int(region)) }
        let found = combinations[Int(matches)]
        for group in [found.byUUID, found.byMajor, found.byMinor] where group != Self.noGroup {
            for region in groups[Int(group)] { body(Int(region)) }
        }
    }
}
