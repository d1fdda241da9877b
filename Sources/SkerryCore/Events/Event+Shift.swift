extension Event {
    /// The event with all its times so many microseconds later: on the wall clock, where that was set after the run began.
    func shifted(by interval: Int64) -> Event {
        var content = content
        switch content {
        case .ranging(var ranging):
            for place in ranging.beacons.indices {
                ranging.beacons[place].lastSeen = ranging.beacons[place].lastSeen + interval
            }
            content = .ranging(ranging)
        case .region(var transition):
            switch transition.evidence {
            case .beacon(var evidence):
                evidence.lastSeen = evidence.lastSeen.map { $0 + interval }
                transition.evidence = .beacon(evidence)
            case .circle(var evidence):
                evidence.crossedAt = evidence.crossedAt.map { $0 + interval }
                transition.evidence = .circle(evidence)
            // A time of an earlier run is not one of this run's clock.
            case .saved: break
            }
            content = .region(transition)
        case .statistics(var statistics):
            statistics.first = statistics.first.map { $0 + interval }
            statistics.last = statistics.last.map { $0 + interval }
            content = .statistics(statistics)
        default: break
        }
        return Event(time: time.map { $0 + interval }, source: source, content)
    }
}
