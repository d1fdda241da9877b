// What outlives a run: the states of regions and the last fix.
extension Engine {
    /// Grows with every change of a region's state, also where that is no event.
    public var stateChanges: UInt64 { monitor.changes &+ circles.changes }

    /// When the last fix was measured, on the engine's clock; `nil` while there is none.
    public var lastFix: Timestamp? { location.lastKnown?.moment }

    /// What the next run needs; `nil` before the first record.
    ///
    /// - Parameter clockOffset: Microseconds from the engine's time to that of the next run's clock.
    public func savedState(clockOffset: Int64 = 0) -> SavedState? {
        guard let now else { return nil }
        var saved: [SavedState.Region] = []
        for (number, region) in regions.enumerated() where region.isMonitored {
            saved.append(
                SavedState.Region(
                    name: region.name, definition: RegionDefinition(region), state: monitor.state(of: number)))
        }
        for (number, circle) in circles.circles.enumerated() {
            saved.append(
                SavedState.Region(
                    name: circle.name, definition: RegionDefinition(circle), state: circles.state(of: number)))
        }
        let fix = location.lastKnown.map { known in
            var fix = known.fix
            fix.time = known.moment + clockOffset
            return fix
        }
        return SavedState(time: now + clockOffset, fix: fix, regions: saved)
    }

    /// Goes on from an earlier run. Before the first record only, which is when it is told.
    ///
    /// A region that was inside is inside: to hear its beacon is no entry, and it is left after an exit time of listening
    /// without one. A region that is not among those of the state, or is defined otherwise there, starts afresh.
    public mutating func restore(_ state: SavedState) {
        precondition(now == nil, "the engine has started")
        let known = Dictionary(state.regions.map { ($0.name, $0) }) { $1 }
        func saved(_ name: String, _ definition: RegionDefinition) -> RegionState {
            guard let region = known[name], region.definition == definition else { return .unknown }
            return region.state
        }
        for (number, region) in regions.enumerated() where region.isMonitored {
            monitor.restore(number, to: saved(region.name, RegionDefinition(region)))
        }
        let circular = circles.circles.map { ($0.name, saved($0.name, RegionDefinition($0))) }
        circles.states = Dictionary(circular) { $1 }
        if let fix = state.fix { location.restore(fix) }
        restoredFrom = state.time
    }

    /// The first record has come: what was restored is told once, in order of configuration.
    mutating func tellRestored() {
        guard let restoredFrom else { return }
        location.begin(at: moment)
        circles.begin(at: moment)
        for number in regions.indices { tellRestored(number, .beacon, monitor.state(of: number), restoredFrom) }
        for number in circles.circles.indices {
            tellRestored(regions.count + number, .circular, circles.state(of: number), restoredFrom)
        }
    }

    private mutating func tellRestored(
        _ region: Int, _ kind: RegionTransition.Kind, _ state: RegionState, _ time: Timestamp
    ) {
        guard state != .unknown else { return }
        emit(
            moment, nil,
            .region(
                RegionTransition(
                    region: region, transition: .determined, state: state, from: .unknown, reason: .restored,
                    evidence: .saved(kind, until: time), geotag: location.geotag(at: moment))))
    }
}
