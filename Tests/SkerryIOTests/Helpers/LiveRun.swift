import Glibc
import SkerryCore
import Testing

@testable import SkerryIO

/// A whole live run in this process, with gpsd alone, while a script plays the world around it.
final class LiveRun {
    /// One scene: what happens, and what must come of it before the next one.
    struct Scene {
        let name: Comment
        let begin: () throws -> Void
        let isOver: (Heard) -> Bool

        init(_ name: Comment, _ begin: @escaping () throws -> Void = {}, until isOver: @escaping (Heard) -> Bool) {
            self.name = name
            self.begin = begin
            self.isOver = isOver
        }
    }

    /// What the run told. Of places only the last ones are kept.
    final class Heard {
        private(set) var locations = 0
        private(set) var fixes: [(event: Timestamp, fix: Fix)] = []
        private(set) var errors: [Fault] = []
        private(set) var statistics: Statistics?
        /// Microseconds for which a single turn of the loop took longest.
        fileprivate(set) var longestTurn: Int64 = 0

        var names: [String] { errors.map { "\($0.domain) \($0.name)" } }

        fileprivate func take(_ event: Event) {
            switch event.content {
            case .location(let fix):
                locations += 1
                if fixes.count == 1000 { fixes.removeFirst(500) }
                fixes.append((event.time!, fix))
            case .error(let fault): errors.append(fault)
            case .statistics(let counts): statistics = counts
            default: break
            }
        }
    }

    private final class World: ScanSource {
        let heard: Heard
        let scenes: [Scene]
        let proceed: () -> Void
        let seconds: Double
        let close: () -> Void
        private var scene = -1
        private var end: Int64 = 0
        private var lastTurn: Int64?
        /// Why the run ended before its script.
        private(set) var failure: Comment?

        init(
            _ scenes: [Scene], _ heard: Heard, seconds: Double, proceed: @escaping () -> Void,
            close: @escaping () -> Void
        ) {
            (self.scenes, self.heard, self.seconds) = (scenes, heard, seconds)
            (self.proceed, self.close) = (proceed, close)
        }

        let interests: [Poller.Interest] = []
        let counts = ScannerStatistics()
        var deadline: Int64? { MachineClock.monotonic + 1000 }

        func step(_ ready: [Poller.Events], now: Int64, into scan: inout Scan) -> Bool {
            if let lastTurn { heard.longestTurn = max(heard.longestTurn, now - lastTurn) }
            proceed()
            guard scene < scenes.count else { return true }
            if scene < 0 || scenes[scene].isOver(heard) {
                scene += 1
                end = now + Int64(seconds * 1e6)
                do {
                    if scene == scenes.count { close() } else { try scenes[scene].begin() }
                } catch {
                    fail("\(error)")
                }
            } else if now > end {
                fail(scenes[scene].name)
            }
            // What the world itself takes is no turn of the run.
            lastTurn = MachineClock.monotonic
            return true
        }

        func stop() {}

        private func fail(_ reason: Comment) {
            failure = reason
            close()
        }
    }

    private struct Ear: LiveOutput, ~Copyable {
        let heard: Heard
        let descriptor: Int32
        var waiting: Int { 0 }
        var interest: Poller.Interest? { Poller.Interest(descriptor: descriptor, events: []) }

        func write(_ events: [Event], sources: [String]) { for event in events { heard.take(event) } }
        func send() {}
    }

    /// Plays a script to its end.
    ///
    /// - Parameters:
    ///   - seconds: So long a scene may take.
    ///   - proceed: What others do at each turn.
    static func play(
        port: UInt16, seconds: Double = 20, _ scenes: [Scene], meanwhile proceed: @escaping () -> Void
    ) throws -> Heard {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let heard = Heard()
        var isOpen = true
        let world = World(scenes, heard, seconds: seconds, proceed: proceed) {
            if isOpen { close(ends[0]) }
            isOpen = false
        }
        defer { close(ends[1]) }
        let engine = Engine(
            settings: ProximitySettings(profile: .adaptive), regions: [], wanted: .standard, seed: 1)
        let clock = RunClock(
            monotonic: MachineClock.monotonic, wall: Timestamp(microseconds: MachineClock.wall))
        var scan = Scan(engine: engine, version: "1", command: "scan", clock: clock, seed: 1)
        scan.addGPSD(name: "gpsd")
        var loop = ScanLoop(sources: [world], gpsd: GPSDClient(GPSDAddress("gpsd://127.0.0.1:\(port)")!))
        var ear = Ear(heard: heard, descriptor: ends[1])
        try loop.run(&scan, into: &ear)
        if let failure = world.failure { Issue.record(failure) }
        scan.stop(ScannerStatistics())
        for event in scan.events { heard.take(event) }
        return heard
    }
}
