import SkerryCore

// What would do nothing.
extension Settings {
    /// Options that would have no effect are errors. Keys of a file are not: it serves several commands.
    ///
    /// - Parameters:
    ///   - given: What the command line alone says.
    ///   - hasReceiver: Whether anything tells places.
    func checkEffect(of given: Settings, hasReceiver: Bool) throws(UsageError) {
        if let format = given.format, format != .json {
            let ofLines = [("--events", given.events != nil), ("--count", given.count != nil)]
            if let option = ofLines.first(where: \.1)?.0 {
                throw UsageError("\(option) is for --format json; \(format.rawValue) has its own choice of events")
            }
        }
        let ofReceivers = [
            ("--fence", !given.fences.isEmpty), ("--gps-offset", given.location.gpsOffset != nil),
            ("--distance-filter", given.location.distanceFilter != nil),
            ("--significant", given.location.isSignificantOnly != nil),
            ("--heading-filter", given.location.headingFilter != nil), ("--geotag", given.location.geotags != nil),
            ("--destination", given.location.destination != nil),
        ]
        if !hasReceiver, let option = ofReceivers.first(where: \.1)?.0 {
            throw UsageError("\(option) needs a receiver: --gps")
        }
        if given.location.arrivalRadius != nil, location.destination == nil {
            throw UsageError("--arrival-radius needs --destination")
        }
        if given.location.distanceFilter != nil, location.isSignificantOnly == true {
            throw UsageError(
                "--distance-filter has no say beside \(places["significant"] == nil ? "--" : "")significant")
        }
        guard let events = given.events else { return }
        if given.location.geotags != nil, events.isDisjoint(with: [EventKinds(.advertisement), EventKinds(.ranging)]) {
            throw UsageError("--geotag is for advertisement and ranging, which --events leaves out")
        }
        if given.location.destination != nil, !events.contains(EventKinds(.guidance)) {
            throw UsageError("--destination is for guidance, which --events leaves out")
        }
    }

    /// Why a run will print nothing, but maybe errors, for people; `nil` where it may print something.
    ///
    /// - Parameters:
    ///   - hasRadio: Whether advertisements can be heard.
    ///   - hasReceiver: Whether anything tells places.
    func silence(hasRadio: Bool, hasReceiver: Bool) -> String? {
        guard outputFormat == .json, let events else { return nil }
        let wanted = EventKind.allCases.filter { $0 != .error && events.contains(EventKinds($0)) }
        let lacks = wanted.compactMap { kind in
            lack(of: kind, hasRadio: hasRadio, hasReceiver: hasReceiver).map { "\(kind.rawValue) events need \($0)" }
        }
        guard !wanted.isEmpty, lacks.count == wanted.count else { return nil }
        return "nothing will be printed: " + lacks.joined(separator: ", ")
    }

    /// What a kind of events lacks; `nil` where there may be some.
    private func lack(of kind: EventKind, hasRadio: Bool, hasReceiver: Bool) -> String? {
        switch kind {
        case .start, .error, .statistics: return nil
        case .advertisement, .ranging, .scanner: return hasRadio ? nil : "a capture"
        case .location, .heading: return hasReceiver ? nil : "a receiver (--gps)"
        case .guidance:
            if location.destination == nil { return "a destination (--destination)" }
            return hasReceiver ? nil : "a receiver (--gps)"
        case .region:
            // What an earlier run knew is told, whatever this one hears.
            if statePath != nil, !(regions.isEmpty && fences.isEmpty) { return nil }
            if hasRadio && !regions.isEmpty || hasReceiver && !fences.isEmpty { return nil }
            if !regions.isEmpty { return "a capture" }
            return fences.isEmpty ? "a region (--region, --fence)" : "a receiver (--gps)"
        }
    }
}
