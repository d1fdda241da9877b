private import Glibc
import SkerryCore

/// Asks for a gpsd at its usual place.
enum GPSDProbe {
    private static let patience = Int64.second

    static func probe(_ address: GPSDAddress = GPSDAddress("gpsd://127.0.0.1:2947")!) -> Machine.GPSD {
        let client = GPSDClient(address)
        var poller = Poller()
        let end = MachineClock.monotonic + patience
        while !Signals.endRequested {
            var outputs: [GPSDClient.Output] = []
            let interests = client.interest.map { [$0] } ?? []
            let ready = (try? poller.wait(for: interests, until: min(client.deadline ?? end, end))) ?? []
            client.step(ready.first ?? [], now: MachineClock.monotonic, into: &outputs)
            for case .news(let news) in outputs {
                switch news {
                case .connected(let release): return .answers(release: release)
                case .disconnected(let reason, _): return .silent(reason: reason, isInstalled: isInstalled())
                }
            }
            if MachineClock.monotonic >= end { break }
        }
        return .silent(reason: "no answer at \(address.host):\(address.port)", isInstalled: isInstalled())
    }

    /// Whether its program is there: in the user's `PATH`, or where programs of the system lie, which may not be in it.
    static func isInstalled(path: String? = unsafe getenv("PATH").map { unsafe String(cString: $0) }) -> Bool {
        let folders = (path ?? "").split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
        return Folder.holds(program: "gpsd", in: folders)
    }
}
