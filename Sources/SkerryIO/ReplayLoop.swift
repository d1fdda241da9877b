public import SkerryCore

/// Runs a replay: reads its captures, keeps its pace, drains its bus into an output.
public struct ReplayLoop {
    /// How fast records are played.
    public enum Speed: Equatable, Sendable {
        /// As fast as the output takes them.
        case maximum
        /// So many times as fast as they were recorded.
        case times(Double)
    }

    private let inputs: [CaptureInput]
    private let speed: Speed
    private let follows: Bool
    /// While following, a file is looked at this often for more.
    private static let followInterval: Int64 = 100_000

    /// - Parameters:
    ///   - inputs: By the numbers of the replay's captures.
    ///   - follows: Whether to wait for more at the end of a file.
    public init(inputs: [CaptureInput], speed: Speed, follows: Bool) {
        self.inputs = inputs
        self.speed = speed
        self.follows = follows
    }

    /// Plays to the end, or until the program is asked to end.
    ///
    /// - Parameter progress: Told bytes passed, now and then.
    /// - Throws: What the output throws.
    public func run(
        _ replay: inout Replay, into output: inout some Output & ~Copyable, progress: (UInt64) -> Void
    ) throws(SystemError) {
        var pace = Pace(speed)
        // A regular file ends only for the moment; a pipe ends when its writer does.
        var lastLook: Int64 = 0
        if follows { try resume(&replay, &output, isIdle: false, lastLook: &lastLook) }
        while true {
            if Signals.endRequested { replay.stop() }
            let step = replay.run(until: pace.limit)
            try output.write(replay.engine.events, sources: replay.engine.sourceNames)
            replay.drain()
            switch step {
            case .finished: return try output.flush()
            case .hasEvents:
                progress(replay.position)
                if follows { try resume(&replay, &output, isIdle: false, lastLook: &lastLook) }
            case .allPaused: try resume(&replay, &output, isIdle: true, lastLook: &lastLook)
            case .needsBytes(let capture):
                progress(replay.position)
                // A pipe may keep us waiting; what is known so far must not wait with us.
                if inputs[capture].length == nil { try output.flush() }
                try supply(capture, &replay, &output)
            case .reachedLimit(let next):
                try output.flush()
                pace.wait(for: next)
            }
        }
    }

    private func supply(
        _ capture: Int, _ replay: inout Replay, _ output: inout some Output & ~Copyable
    ) throws(SystemError) {
        var count = 0
        do throws(SystemError) {
            try unsafe replay.supply(capture: capture) { (room) throws(SystemError) in
                count = try unsafe inputs[capture].read(room)
                return count
            }
        } catch {
            replay.fail(capture: capture, error.message)
        }
        guard count == 0, follows, inputs[capture].length != nil, !Signals.endRequested else { return }
        if inputs[capture].hasShrunk {
            replay.fail(capture: capture, "the file became shorter while it was followed")
        } else {
            replay.pause(capture: capture)
        }
    }

    /// Looks for more in the files that are followed, at most every tenth of a second.
    private func resume(
        _ replay: inout Replay, _ output: inout some Output & ~Copyable, isIdle: Bool, lastLook: inout Int64
    ) throws(SystemError) {
        let wait = lastLook + Self.followInterval - Signals.monotonicMicroseconds
        if isIdle {
            try output.flush()
            Signals.sleep(microseconds: wait)
        } else if wait > 0 {
            return
        }
        lastLook = Signals.monotonicMicroseconds
        for capture in inputs.indices where inputs[capture].length != nil { replay.resume(capture: capture) }
    }
}

/// Maps the clock of the records to that of the machine.
private struct Pace {
    private let speed: ReplayLoop.Speed
    private var origin: (record: Timestamp, machine: Int64)?

    init(_ speed: ReplayLoop.Speed) { self.speed = speed }

    /// Records until this moment are due now.
    var limit: Timestamp {
        guard case .times(let factor) = speed else { return .latest }
        guard let origin else { return .earliest }
        let elapsed = Double(Signals.monotonicMicroseconds - origin.machine) * factor
        return origin.record + Int64(min(elapsed, 4e18))
    }

    /// Waits for a record, at most a tenth of a second, so that what falls due before it happens in time.
    mutating func wait(for next: Timestamp) {
        guard case .times(let factor) = speed else { return }
        guard let origin else {
            self.origin = (next, Signals.monotonicMicroseconds)
            return
        }
        let due = Double(next - origin.record) / factor
        let elapsed = Double(Signals.monotonicMicroseconds - origin.machine)
        Signals.sleep(microseconds: Int64(min(max(due - elapsed, 0), 100_000)))
    }
}
