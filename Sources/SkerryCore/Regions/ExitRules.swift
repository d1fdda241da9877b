/// When silence means that a beacon has left a region: by the exit time of the profile, or by one that the region has.
///
/// A beacon may belong to regions with different rules. It leaves each by its own, and is known until the last.
struct ExitRules {
    /// A set of rules, a bit for each.
    struct Set: OptionSet {
        let rawValue: UInt8
    }

    /// Numbers a rule, 0…7.
    typealias Rule = UInt8

    /// The exit time of the profile, learned or fixed.
    static let ofProfile: Rule = 0
    /// Different exit times that regions can have.
    static let limit = 7

    /// Microseconds by number of the rule; that of the profile is asked of the profile.
    private(set) var times: [Int64] = [0]
    /// By number of the region.
    private let rules: [Rule]

    /// - Precondition: At most `limit` different exit times.
    init(_ regions: [BeaconRegion]) {
        var times = times
        rules = regions.map { region in
            guard let seconds = region.exitTime else { return Self.ofProfile }
            let time = Int64(seconds * 1e6)
            if let known = times.dropFirst().firstIndex(of: time) { return Rule(known) }
            times.append(time)
            return Rule(times.count - 1)
        }
        precondition(times.count <= Self.limit + 1)
        self.times = times
    }

    /// The rule of a region.
    subscript(region: Int) -> Rule { rules[region] }

    /// Every rule that some region has or the profile gives.
    var all: Range<Rule> { 0..<Rule(times.count) }
}

extension ExitRules.Set {
    /// One rule alone.
    init(_ rule: ExitRules.Rule) { self.init(rawValue: 1 << rule) }
}
