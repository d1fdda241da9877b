import SkerryCore

@testable import SkerryIO

/// A live run of one H4 source, and what came of it.
final class ScanRun {
    private(set) var scan: Scan
    let source: H4Source
    /// Frames that were heard, by what they say.
    private(set) var heard: [Frame: Int] = [:]
    private(set) var states: [String] = []
    private var poller = Poller()

    /// Who was heard, how strong, as what.
    struct Frame: Hashable, CustomStringConvertible {
        let address: String
        let type: String
        let identity: String
        let rssi: Int8?
        let pdu: String

        var description: String { "\(address) \(type) \(identity) \(rssi.map(String.init) ?? "-") \(pdu)" }
    }

    init(_ address: String, isActive: Bool = false) throws(ScanError) {
        let engine = Engine(
            settings: ProximitySettings(profile: .adaptive), regions: [],
            wanted: EventKinds(EventKind.allCases.map(EventKinds.init)), seed: 1)
        let clock = RunClock(
            monotonic: MachineClock.monotonic, wall: Timestamp(microseconds: MachineClock.wall))
        scan = Scan(engine: engine, version: "1", command: "scan", clock: clock, seed: 1)
        var settings = HCIScanner.Settings()
        settings.isActive = isActive
        source = try H4Source(H4Address(address)!, settings, into: &scan)
        scan.start()
    }

    /// The frames, one a line, in order.
    var frames: [String] { heard.map { "\($0.value) x \($0.key)" }.sorted() }
    var total: Int { heard.values.reduce(0, +) }

    /// Runs until something is fulfilled; gives up after some seconds.
    @discardableResult
    func run(seconds: Double = 20, until isFulfilled: (ScanRun) -> Bool) throws -> Bool {
        let end = MachineClock.monotonic + Int64(seconds * 1e6)
        var isBehind = false
        while !isFulfilled(self) {
            let now = MachineClock.monotonic
            guard now < end else { return false }
            let deadline = isBehind ? .min : [source.deadline, end].compactMap(\.self).min()
            let ready = try poller.wait(for: source.interests, until: deadline)
            scan.setClock(
                monotonic: MachineClock.monotonic, wall: Timestamp(microseconds: MachineClock.wall))
            isBehind = !source.step(ready, now: MachineClock.monotonic, into: &scan)
            if !isBehind { scan.advance() }
            collect()
        }
        return true
    }

    private static func text(_ address: DeviceAddress) -> String {
        (0..<6).map { String(address.bits >> (40 - 8 * UInt64($0)) & 0xFF | 0x100, radix: 16).dropFirst() }
            .joined(separator: ":").uppercased()
    }

    private func collect() {
        for event in scan.events {
            switch event.content {
            case .advertisement(let frame), .annotatedAdvertisement(let frame, _, _):
                guard case .iBeacon(let beacon) = frame.beacon else { continue }
                let identity = beacon.identity
                let key = Frame(
                    address: Self.text(frame.address),
                    type: frame.addressType == .publicDevice
                        ? "public" : frame.addressType == .random ? "random" : "other",
                    identity: "\(identity.major)/\(identity.minor)", rssi: frame.rssi,
                    pdu: frame.pdu == .legacy ? "legacy" : "extended")
                heard[key, default: 0] += 1
            case .scanner(let state, let detail): states.append(state.rawValue + (detail.map { ": \($0)" } ?? ""))
            default: break
            }
        }
        scan.drain()
    }
}
