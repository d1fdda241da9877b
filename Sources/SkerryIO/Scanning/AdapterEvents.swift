internal import SkerryCore

/// Tells of adapters that come, go, are switched on or off. Wants CAP_NET_RAW; without it nothing is told.
final class AdapterEvents {
    /// What happened to an adapter: `HCI_DEV_REG` and so on.
    enum Change: UInt16 {
        case added = 1
        case removed, switchedOn, switchedOff
    }

    private let socket: HCISocket

    init() throws(SystemError) { socket = try HCISocket(.adapterEvents) }

    /// To wait with.
    var interest: Poller.Interest { socket.interest }

    /// What happened since the last call, with the adapters' numbers.
    func read() -> [(change: Change, adapter: UInt16)] {
        var changes: [(Change, UInt16)] = []
        // A few at once; the rest is for the next turn.
        _ = try? socket.receive(limit: 64) { (frame, _) in
            // Event 0xFD, kind 1: `evt_si_device` of <bluetooth/hci.h>, its numbers in the order of the machine.
            guard frame.byteCount >= 9 else { return }
            let words = [3, 5, 7].map { unsafe frame.unsafeLoadUnaligned(fromByteOffset: $0, as: UInt16.self) }
            guard words[0] == 1, let change = Change(rawValue: words[1]) else { return }
            changes.append((change, words[2]))
        }
        return changes
    }
}
