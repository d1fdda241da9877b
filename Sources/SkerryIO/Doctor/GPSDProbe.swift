private import SkerryCore

/// Asks for a gpsd at its usual place.
enum GPSDProbe {
    private static let patience = Int64.second

    static func probe(_ address: String = "gpsd://127.0.0.1:2947") -> Machine.GPSD {
        guard let address = GPSDAddress(address) else { return .missing("") }
        let client = GPSDClient(address)
        var poller = Poller()
        let end = Signals.monotonicMicroseconds + patience
        while !Signals.endRequested {
            var outputs: [GPSDClient.Output] = []
            let interests = client.interest.map { [$0] } ?? []
            let ready = (try? poller.wait(for: interests, until: min(client.deadline ?? end, end))) ?? []
            client.step(ready.first ?? [], now: Signals.monotonicMicroseconds, into: &outputs)
            for case .news(let news) in outputs {
                switch news {
                case .connected(let release): return .answers(release: release)
                case .disconnected(let reason, _): return .missing(reason)
                }
            }
            if Signals.monotonicMicroseconds >= end { break }
        }
        return .missing("no answer")
    }
}
