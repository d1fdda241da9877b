import SkerryCore

/// Asks the kernel and the controllers.
enum AdapterProbe {
    /// A controller has so long to answer.
    private static let patience: Int64 = 500_000

    static func probe() -> Machine.Bluetooth {
        do throws(SystemError) {
            return .adapters(try Adapter.all().map(state))
        } catch {
            return error.isUnsupported ? .missing : .unreadable(error.message)
        }
    }

    private static func state(_ adapter: Adapter) -> Machine.AdapterState {
        Machine.AdapterState(
            name: adapter.name, address: adapter.address, isUp: adapter.isUp, block: adapter.block,
            hasLowEnergy: adapter.hasLowEnergy, controller: adapter.isUp ? try? abilities(adapter.index) : nil)
    }

    private static func abilities(_ index: UInt16) throws(SystemError) -> ControllerAbilities {
        let socket = try HCISocket(.raw(index))
        for command in ControllerAbilities.commands { try socket.send(command) }
        var abilities = ControllerAbilities()
        var poller = Poller()
        let end = MachineClock.monotonic + patience
        while !abilities.isComplete, MachineClock.monotonic < end, !Signals.endRequested {
            _ = try poller.wait(for: [socket.interest], until: end)
            // The packet's first byte is H4's.
            _ = try socket.receive(limit: 64) { packet, _ in
                let bytes = (1..<max(1, packet.byteCount)).map {
                    unsafe packet.unsafeLoad(fromByteOffset: $0, as: UInt8.self)
                }
                abilities.receive(bytes)
            }
        }
        return abilities
    }
}
