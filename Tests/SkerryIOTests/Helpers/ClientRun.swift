@testable import SkerryCore
@testable import SkerryIO

/// A client that is driven as a live run would, and what came of it.
final class ClientRun {
    let client: GPSDClient
    private(set) var reports: [GPSDReport] = []
    /// `+` when gpsd came, `-` with the reason when it went.
    private(set) var news: [String] = []
    /// What the reports came to; their clock runs `haste` times as fast as the machine's.
    private(set) var outputs: [LocationSource.Output] = []
    private(set) var source = LocationSource()
    private let haste: Int64
    /// Added to the client's clock.
    var ahead: Int64 = 0

    private var poller = Poller()
    private let begin = MachineClock.monotonic

    init(port: UInt16, host: String = "127.0.0.1", haste: Int64 = 1) {
        client = GPSDClient(GPSDAddress("gpsd://\(host):\(port)")!)
        self.haste = haste
    }

    var fixes: [Fix] { outputs.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } } }
    var losses: Int { outputs.count { if case .locationUnknown = $0 { true } else { false } } }

    /// Runs until something is fulfilled; gives up after some seconds.
    ///
    /// - Parameter meanwhile: What others do at each turn.
    @discardableResult
    func run(seconds: Double = 20, until isFulfilled: (ClientRun) -> Bool, meanwhile: () -> Void = {}) throws -> Bool {
        let end = MachineClock.monotonic + Int64(seconds * 1e6)
        while !isFulfilled(self) {
            let now = MachineClock.monotonic
            guard now < end else { return false }
            meanwhile()
            // Others don't tell when they have something to do, so the wait is short.
            let deadlines = [client.deadline.map { max($0, ahead) - ahead }, now + 1000].compactMap(\.self)
            let ready = try poller.wait(for: [client.interest].compactMap(\.self), until: deadlines.min())
            step(ready.first ?? [])
        }
        return true
    }

    private func step(_ ready: Poller.Events) {
        let now = MachineClock.monotonic
        let moment = Timestamp(microseconds: 1_700_000_000_000_000 + (now - begin) * haste)
        var stepped: [GPSDClient.Output] = []
        client.step(ready, now: now + ahead, into: &stepped)
        for output in stepped {
            switch output {
            case .report(let report):
                reports.append(report)
                source.observe(report, now: moment)
            case .news(.connected): news.append("+")
            case .news(.disconnected(let reason, let advice)):
                news.append("- " + [reason, advice].compactMap(\.self).joined(separator: "; "))
                source.disconnect(now: moment)
            }
        }
        source.advance(to: moment)
        outputs += source.takeOutputs()
    }
}
