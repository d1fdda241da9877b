// Changes of regions, and the state of those of which nothing was heard.
extension Engine {
    /// Listened time by which a region with a rule is outside if no beacon of it was heard.
    private func firstExitTime(_ rule: ExitRules.Rule) -> Int64 {
        rule == ExitRules.ofProfile ? settings.firstExitTime : monitor.rules.times[Int(rule)]
    }

    /// When a region is found to be outside, if nothing more is heard.
    func nextDetermined() -> Timestamp {
        var next = Timestamp.never
        for rule in monitor.rules.all where monitor.isUndetermined(rule) {
            next = min(next, scanners.moment(ofListenedByAny: firstExitTime(rule), after: moment))
        }
        return next
    }

    /// Before this moment no region can be found to be outside.
    func earliestDetermined() -> Timestamp {
        var earliest = Timestamp.never
        for rule in monitor.rules.all where monitor.isUndetermined(rule) {
            earliest = min(earliest, scanners.earliestMoment(ofListenedByAny: firstExitTime(rule), after: moment))
        }
        return earliest
    }

    /// A whole exit time of listening without a beacon: who is not inside, or only was in an earlier run, is outside.
    mutating func determineOutside(at time: Timestamp) {
        let (listened, share) = scanners.listenedByAny(at: time)
        let due = monitor.rules.all.filter { firstExitTime($0) <= listened }
        for region in due.flatMap(monitor.undetermined).sorted() {
            let rule = monitor.rules[region]
            transit(
                region, monitor.state(of: region) == .inside ? .exit : .determined, to: .outside, by: nil,
                reason: .silence,
                BeaconEvidence(
                    lastSeen: nil, silence: listened, timeout: firstExitTime(rule),
                    basis: rule == ExitRules.ofProfile ? .profile : .region, samples: 0, listening: share))
        }
    }

    mutating func transit(
        _ region: Int, _ transition: RegionTransition.Transition, to state: RegionState, by: BeaconIdentity?,
        reason: RegionTransition.Reason, _ evidence: BeaconEvidence
    ) {
        let from = monitor.change(region, to: state)
        emit(
            moment, nil,
            .region(
                RegionTransition(
                    region: region, transition: transition, state: state, from: from, by: by, reason: reason,
                    evidence: .beacon(evidence), geotag: location.geotag(at: moment))))
    }
}
