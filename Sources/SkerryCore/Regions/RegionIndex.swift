/// Finds the regions of a beacon by hash, so that the cost does not grow with the number of regions.
struct RegionIndex {
    /// The groups of regions that a beacon belongs to: at most one for each form that a region can have.
    struct Matches: Equatable {
        var byUUID: UInt32 = RegionIndex.noGroup
        var byMajor: UInt32 = RegionIndex.noGroup
        var byMinor: UInt32 = RegionIndex.noGroup
    }

    private static let noGroup = UInt32.max

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
    func matches(_ identity: BeaconIdentity) -> Matches {
        var found = Matches()
        if hasUUID {
            found.byUUID = group(Pattern(uuid: identity.uuid))
        }
        if hasMajor {
            found.byMajor = group(Pattern(uuid: identity.uuid, major: identity.major))
        }
        if hasMinor {
            found.byMinor = group(Pattern(uuid: identity.uuid, major: identity.major, minor: identity.minor))
        }
        return found
    }

    private func group(_ pattern: Pattern) -> UInt32 { groupOf[pattern] ?? Self.noGroup }

    /// Calls `body` with the number of each region of a beacon.
    @inline(__always)
    func forEachRegion(of matches: Matches, _ body: (Int) -> Void) {
        for region in any { body(Int(region)) }
        for group in [matches.byUUID, matches.byMajor, matches.byMinor] where group != Self.noGroup {
            for region in groups[Int(group)] { body(Int(region)) }
        }
    }
}
