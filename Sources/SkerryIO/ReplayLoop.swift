public import SkerryCore

/// A file, or a pipe, that feeds a replay.
public protocol ReplayInput: AnyObject {
    /// Bytes of the file when it was opened; `nil` for what is no file and ends when its writer does.
    var length: UInt64? { get }
    /// Whether the file has become shorter than what was read of it.
    var hasShrunk: Bool { get }
    /// Why it could not be read to its end, though reading did not fail.
    var fault: String? { get }
    /// Reads once into a buffer; 0 is the end.
    func read(_ room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
}

/// Runs a replay: reads its inputs, keeps its pace, drains its bus into an output.
public struct ReplayLoop {
    /// How fast records are played.
    public enum Speed: Equatable, Sendable {
        /// As fast as the output takes them.
        case maximum
        /// So many times as fast as they were recorded.
        case times(Double)
    }

    private let inputs: [any ReplayInput]
    private let speed: Speed
    private let follows: Bool
    private let state: StateFile?
    private let duration: Int64?
    /// While following, a file is looked at this often for more.
    private static let followInterval: Int64 = 100_000

    /// - Parameters:
    ///   - inputs: By the numbers of the replay's inputs.
    ///   - follows: Whether to wait for more at the end of a file.
    ///   - state: Where the states of regions are kept.
    ///   - duration: Microseconds of the recording, from its first record on, that are played at most.
    public init(
        inputs: [any ReplayInput], speed: Speed, follows: Bool, state: StateFile? = nil, duration: Int64? = nil
    ) {
        self.inputs = inputs
        self.speed = speed
        self.follows = follows
        self.state = state
        self.duration = duration
    }

    /// Plays to the end, or until the program is asked to end, the output is full or its time is over.
    ///
    /// - Parameter progress: Told bytes passed, now and then.
    /// - Throws: What the output throws.
    public func run(
        _ replay: inout Replay, into output: inout some Output & ~Copyable, progress: (UInt64) -> Void
    ) throws(SystemError) {
        var pace = Pace(speed)
        // Where a time is set, the first record is looked for before it is played.
        var end = duration == nil ? Timestamp.latest : .earliest
        // A regular file ends only for the moment; a pipe ends when its writer does.
        var lastLook: Int64 = 0
        if follows { try resume(&replay, &output, isIdle: false, lastLook: &lastLook) }
        while true {
            if Signals.endRequested || output.isFull { replay.stop() }
            let limit = min(pace.limit, end)
            let step = replay.run(until: limit)
            if step == .finished, let fault = state?.finish(replay.engine) { replay.report(fault) }
            try output.write(replay.engine.events, sources: replay.engine.sourceNames)
            replay.drain()
            if step != .finished { keep(&replay) }
            switch step {
            case .finished: return try output.flush()
            case .hasEvents:
                progress(replay.position)
                if follows { try resume(&replay, &output, isIdle: false, lastLook: &lastLook) }
            case .allPaused: try resume(&replay, &output, isIdle: true, lastLook: &lastLook)
            case .needsBytes(let input):
                progress(replay.position)
                // A pipe may keep us waiting; what is known so far must not wait with us.
                if inputs[input].length == nil { try output.flush() }
                try supply(input, &replay, &output)
            case .reachedLimit(let next):
                try output.flush()
                if let duration, end == .earliest {
                    end = next + duration
                } else if limit == end {
                    replay.stop()
                }
                pace.wait(for: next)
            }
        }
    }

    /// What was told is kept.
    private func keep(_ replay: inout Replay) {
        guard let state else { return }
        if let fault = state.step(replay.engine, now: MachineClock.monotonic) { replay.report(fault) }
    }

    private func supply(
        _ input: Int, _ replay: inout Replay, _ output: inout some Output & ~Copyable
    ) throws(SystemError) {
        var count = 0
        do throws(SystemError) {
            try unsafe replay.supply(input: input) { (room) throws(SystemError) in
                count = try unsafe inputs[input].read(room)
                return count
            }
        } catch {
            replay.fail(input: input, error.message)
        }
        if count == 0, let fault = inputs[input].fault { return replay.fail(input: input, fault) }
        guard count == 0, follows, inputs[input].length != nil, !Signals.endRequested else { return }
        if inputs[input].hasShrunk {
            replay.fail(input: input, "the file became shorter while it was followed")
        } else {
            replay.pause(input: input)
        }
    }

    /// Looks for more in the files that are followed, at most every tenth of a second.
    private func resume(
        _ replay: inout Replay, _ output: inout some Output & ~Copyable, isIdle: Bool, lastLook: inout Int64
    ) throws(SystemError) {
        let wait = lastLook + Self.followInterval - MachineClock.monotonic
        if isIdle {
            try output.flush()
            Signals.sleep(microseconds: wait)
        } else if wait > 0 {
            return
        }
        lastLook = MachineClock.monotonic
        for input in inputs.indices where inputs[input].length != nil { replay.resume(input: input) }
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
        let elapsed = Double(MachineClock.monotonic - origin.machine) * factor
        return origin.record + Int64(min(elapsed, 4e18))
    }

    /// Waits for a record, at most a tenth of a second, so that what falls due before it happens in time.
    mutating func wait(for next: Timestamp) {
        guard case .times(let factor) = speed else { return }
        guard let origin else {
            self.origin = (next, MachineClock.monotonic)
            return
        }
        let due = Double(next - origin.record) / factor
        let elapsed = Double(MachineClock.monotonic - origin.machine)
        Signals.sleep(microseconds: Int64(min(max(due - elapsed, 0), 100_000)))
    }
}
