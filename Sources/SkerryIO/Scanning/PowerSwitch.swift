private import CBluetooth
private import Glibc

/// An adapter that is being switched on, or off and on. The kernel keeps the caller waiting: for some tenths of a second, for
/// ten seconds where the controller has died; it is not the loop that waits.
final class PowerSwitch {
    private let descriptor: FileDescriptor

    /// Begins. Wants CAP_NET_ADMIN.
    ///
    /// - Parameter cycles: Whether it is switched off before.
    init(_ adapter: UInt16, cycles: Bool) throws(SystemError) {
        let number = bluetooth_power(adapter, cycles ? 1 : 0)
        guard number >= 0 else { throw SystemError(-number) }
        descriptor = FileDescriptor(number: number)
    }

    /// Readable when it is done.
    var interest: Poller.Interest { Poller.Interest(descriptor: descriptor.number, events: .readable) }

    /// To be called once it is done.
    ///
    /// - Throws: EPERM, ERFKILL, ENODEV, or what its driver says.
    func finish() throws(SystemError) {
        var code: Int32 = 0
        let count = unsafe read(descriptor.number, &code, MemoryLayout<Int32>.size)
        guard count == MemoryLayout<Int32>.size, code == 0 else { throw SystemError(count > 0 ? -code : EIO) }
    }
}
