/// How far the inputs of a replay have come, and whose record comes next: by engine time, then by name, then by number.
struct ReplaySchedule {
    /// How far an input has come.
    struct Input {
        /// Which it is, by its place among its kind.
        enum Kind {
            case capture(Int)
            case log(Int)
        }

        let kind: Kind
        let name: String
        /// Place among equal times.
        fileprivate(set) var rank = 0
        /// When the next record comes on the engine's clock; `nil` before it was looked for, and at the end.
        var due: Timestamp?
        /// The next record's own time.
        private(set) var nextTime: Timestamp?
        /// The first record's own time.
        private(set) var firstTime: Timestamp?
        /// From the earliest to the latest of the records that were looked for; a capture plays others without looking.
        private(set) var span: ClosedRange<Timestamp>?
        var faults = 0
        var isDone = false
        /// Whether it has nothing more for now.
        var isPaused = false
        var hasEnded = false
        /// Of a log: its times were seen to lie near those of a capture, or it was told that they do not.
        var isCompared = false

        init(_ kind: Kind, name: String) {
            self.kind = kind
            self.name = name
        }

        /// Its next record is known.
        mutating func found(due: Timestamp, time: Timestamp) {
            self.due = due
            nextTime = time
            if firstTime == nil { firstTime = time }
            span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        }

        /// Whether its next record must be looked for.
        var isWanted: Bool { due == nil && !isDone && !isPaused }
    }

    var inputs: [Input] = []
    /// Numbers of the inputs, in the order of equal times.
    private(set) var order: [Int] = []

    /// Adds an input.
    ///
    /// - Returns: Its number.
    mutating func add(_ input: Input) -> Int {
        inputs.append(input)
        // By the bytes of the name: the order in which inputs were added does not show.
        order = inputs.indices.sorted { a, b in
            let (mine, its) = (inputs[a].name.utf8, inputs[b].name.utf8)
            return mine.elementsEqual(its) ? a < b : mine.lexicographicallyPrecedes(its)
        }
        for (rank, number) in order.enumerated() { inputs[number].rank = rank }
        return inputs.count - 1
    }

    /// Whether any input has not come to its end.
    var isAnyOn: Bool { inputs.contains { !$0.isDone } }

    /// Whether any capture has not.
    var isAnyCaptureOn: Bool {
        inputs.contains { if case .capture = $0.kind { !$0.isDone } else { false } }
    }

    /// The input whose record comes next.
    func earliest(except excluded: Int? = nil) -> Int? {
        var best: Int?
        for input in inputs.indices where inputs[input].due != nil && input != excluded {
            guard let found = best else {
                best = input
                continue
            }
            let (mine, its) = (inputs[input], inputs[found])
            if (mine.due!, mine.rank) < (its.due!, its.rank) { best = input }
        }
        return best
    }

    /// The last moment of an input's turn: then another one's record comes, or the limit.
    func turn(of input: Int, until limit: Timestamp) -> Timestamp {
        guard let other = earliest(except: input), let itsTurn = inputs[other].due else { return limit }
        return min(limit, inputs[input].rank < inputs[other].rank ? itsTurn : itsTurn + -1)
    }
}
