import Foundation
import SkerryCore
import Synchronization

@testable import SkerryIO

/// A source that hears through a fake bluetoothd, driven as a live run would, and what came of it.
final class BlueZRun {
    let source: BlueZSource
    /// As `state: detail`, or `address type rssi format`.
    private(set) var news: [String] = []
    private(set) var scan: Scan
    private var poller = Poller()

    /// - Parameter fakes: Those who must answer from the beginning.
    init(_ bus: String, adapter: AdapterChoice = .all, _ fakes: FakeBlueZ...) throws {
        let clock = RunClock(
            monotonic: MachineClock.monotonic, wall: Timestamp(microseconds: MachineClock.wall))
        let wanted = EventKinds(EventKind.allCases.map(EventKinds.init))
        let engine = Engine(
            settings: ProximitySettings(profile: .apple), regions: [], wanted: wanted, seed: 1)
        scan = Scan(engine: engine, version: "1", command: "scan", clock: clock, seed: 1)
        let helper = Helper(fakes)
        defer { helper.end() }
        source = try BlueZSource(adapter, bus: bus, into: &scan)
    }

    /// Lets fakes answer while this thread waits for them.
    private final class Helper: Sendable {
        private let isDone = Atomic(false)
        private let hasEnded = DispatchSemaphore(value: 0)

        init(_ fakes: [FakeBlueZ]) {
            nonisolated(unsafe) let fakes = fakes
            Thread.detachNewThread { [self] in
                while !isDone.load(ordering: .acquiring) {
                    for fake in fakes { fake.proceed() }
                    usleep(500)
                }
                hasEnded.signal()
            }
        }

        func end() {
            isDone.store(true, ordering: .releasing)
            hasEnded.wait()
        }
    }

    /// Runs until something is fulfilled; gives up after some seconds.
    @discardableResult
    func run(
        with fake: FakeBlueZ?, seconds: Double = 20, until isFulfilled: (BlueZRun) -> Bool
    ) throws -> Bool {
        let end = MachineClock.monotonic + Int64(seconds * 1e6)
        while !isFulfilled(self) {
            guard MachineClock.monotonic < end else { return false }
            fake?.proceed()
            // The fake does not tell when it has something to do, so the wait is short.
            let soon = MachineClock.monotonic + 1000
            let ready = try poller.wait(for: source.interests, until: min(soon, source.deadline ?? soon))
            let now = MachineClock.monotonic
            scan.setClock(monotonic: now, wall: Timestamp(microseconds: MachineClock.wall))
            _ = source.step(ready, now: now, into: &scan)
            scan.advance()
            note()
        }
        return true
    }

    /// Ends it, while the fake answers.
    func stop(with fake: FakeBlueZ) {
        let helper = Helper([fake])
        source.stop()
        helper.end()
    }

    private func note() {
        for event in scan.events {
            if case .scanner(let state, let detail) = event.content {
                news.append("\(state.rawValue)\(detail.map { ": " + $0 } ?? "")")
            } else if case .error(let fault) = event.content {
                news.append(fault.name.rawValue)
            } else if let advertisement = event.advertisement {
                let address = String(advertisement.address.bits, radix: 16, uppercase: true)
                let rssi = advertisement.rssi.map { "\($0)" } ?? "-"
                let type = advertisement.addressType.name.map { "\($0)" } ?? "-"
                let format = "\(advertisement.beacon)".prefix { $0 != "(" }
                news.append("\(address) \(type) \(rssi) \(format)")
            }
        }
        scan.drain()
    }

    /// Whether it was told that all is heard.
    var isListening: Bool { news.last == "listening" }
}
