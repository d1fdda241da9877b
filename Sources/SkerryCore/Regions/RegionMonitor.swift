/// Which beacon regions are entered and left: counts for each the tracks that are present in it.
struct RegionMonitor {
    let regions: [BeaconRegion]
    let rules: ExitRules
    private var index: RegionIndex
    /// By number of the region.
    private var states: [State]
    /// Monitored regions that are not determined yet, or only by an earlier run, by number of their exit rule.
    private var undetermined: [Int]
    /// Tracks present in regions, each counted in every one.
    private(set) var present = 0
    /// Changes of states so far.
    private(set) var changes: UInt64 = 0

    private struct State {
        var state = RegionState.unknown
        var present = 0
        /// Inside, but no beacon of it was heard in this run.
        var isRestored = false
    }

    init(_ regions: [BeaconRegion]) {
        self.regions = regions
        rules = ExitRules(regions)
        index = RegionIndex(regions)
        states = [State](repeating: State(), count: regions.count)
        undetermined = rules.all.map { [rules] rule in
            regions.indices.count { regions[$0].isMonitored && rules[$0] == rule }
        }
    }

    /// The regions of a beacon.
    mutating func matches(_ identity: BeaconIdentity) -> RegionIndex.Matches { index.matches(identity) }

    /// The rules by which a beacon leaves its regions. That of the profile is always one: by it a beacon is forgotten.
    func rules(of matches: RegionIndex.Matches) -> ExitRules.Set {
        var found = ExitRules.Set(ExitRules.ofProfile)
        index.forEachRegion(of: matches) { found.insert(ExitRules.Set(rules[$0])) }
        return found
    }

    /// A track is present in its regions that have one of the rules.
    ///
    /// - Returns: The monitored regions that it is the first in, in order of configuration.
    mutating func arrive(_ matches: RegionIndex.Matches, by rules: ExitRules.Set) -> [Int] {
        var entered: [Int] = []
        index.forEachRegion(of: matches) { region in
            guard rules.contains(ExitRules.Set(self.rules[region])) else { return }
            states[region].present += 1
            present += 1
            guard regions[region].isMonitored else { return }
            if states[region].state != .inside { entered.append(region) }
            if states[region].isRestored {
                states[region].isRestored = false
                undetermined[Int(self.rules[region])] -= 1
            }
        }
        return entered.sorted()
    }

    /// A track is no longer present in its regions that have the rule.
    ///
    /// - Parameter body: Called with the number of each, and whether it was the last in a region that is monitored.
    mutating func depart(
        _ matches: RegionIndex.Matches, by rule: ExitRules.Rule, _ body: (Int, _ isLeft: Bool) -> Void
    ) {
        index.forEachRegion(of: matches) { region in
            guard rules[region] == rule else { return }
            states[region].present -= 1
            present -= 1
            body(region, states[region].present == 0 && regions[region].isMonitored)
        }
    }

    /// Calls `body` with the number of each region that a track is present in.
    func forEachRegion(of track: Track, _ body: (Int) -> Void) {
        index.forEachRegion(of: track.matches) { region in
            if track.exited.isEmpty || !track.exited.contains(ExitRules.Set(rules[region])) { body(region) }
        }
    }

    /// The state of a region.
    func state(of region: Int) -> RegionState { states[region].state }

    /// Takes up the state of a monitored region from an earlier run. To be inside wants a beacon within the time in which
    /// it would have to be heard to be entered.
    mutating func restore(_ region: Int, to state: RegionState) {
        states[region].state = state
        states[region].isRestored = state == .inside
        if state == .outside { undetermined[Int(rules[region])] -= 1 }
    }

    /// Changes the state of a region.
    ///
    /// - Returns: The state before.
    mutating func change(_ region: Int, to state: RegionState) -> RegionState {
        let before = states[region].state
        if before == .unknown || states[region].isRestored { undetermined[Int(rules[region])] -= 1 }
        states[region].isRestored = false
        states[region].state = state
        changes += 1
        return before
    }

    /// Whether some region with an exit rule is not determined by this run.
    func isUndetermined(_ rule: ExitRules.Rule) -> Bool { undetermined[Int(rule)] > 0 }

    /// The monitored regions with an exit rule that are not determined by this run.
    func undetermined(_ rule: ExitRules.Rule) -> [Int] {
        guard isUndetermined(rule) else { return [] }
        return regions.indices.filter {
            rules[$0] == rule && regions[$0].isMonitored && (states[$0].state == .unknown || states[$0].isRestored)
        }
    }
}
