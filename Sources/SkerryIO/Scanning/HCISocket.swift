private import CBluetooth
private import Glibc
internal import SkerryCore

/// A socket to Bluetooth controllers, as Linux offers them (BlueZ, `doc/hci-protocol.rst`; kernel,
/// `net/bluetooth/hci_sock.c`). Reading and writing do not wait.
final class HCISocket {
    /// What is on the other end.
    enum Channel: Equatable {
        /// An adapter that is shared with the kernel and other programs. Wants CAP_NET_RAW: without it, binding works but
        /// advertising reports are silently kept back and commands are refused.
        case raw(UInt16)
        /// An adapter that is down, for this program alone. Wants CAP_NET_ADMIN.
        case user(UInt16)
        /// What passes between all adapters and their hosts; nothing can be sent. Wants CAP_NET_RAW.
        case monitor
        /// Adapters that come, go, are switched on or off. Wants CAP_NET_RAW.
        case adapterEvents
    }

    private let descriptor: FileDescriptor
    /// Longer than any event; of data packets, which nobody here reads, the rest may go.
    private var packet = [UInt8](repeating: 0, count: 2048)
    /// One control message, aligned as it must be.
    private var control = [UInt64](repeating: 0, count: 8)
    private var droppedBefore: UInt32 = 0

    /// What the kernel is asked to hold for us while we do something else: some 10,000 reports. It gives a process without
    /// CAP_NET_ADMIN what `net.core.rmem_max` allows, 212,992 bytes in most systems, which hold 280.
    private static let roomWanted: Int32 = 4 << 20

    /// Command Complete, Command Status, Hardware Error, LE Meta (Core specification, volume 4, part E, 7.7).
    private static let scanEvents: UInt64 = 1 << 0x0E | 1 << 0x0F | 1 << 0x10 | 1 << 0x3E
    /// The kernel's own event 0xFD; it looks at six bits.
    private static let adapterEvents: UInt64 = 1 << 0x3D

    /// - Throws: ENODEV for an adapter that is not there, EPERM, EBUSY for a user channel of an adapter that is up, ERFKILL,
    ///   EAFNOSUPPORT where the kernel has no Bluetooth.
    init(_ channel: Channel) throws(SystemError) {
        let number =
            switch channel {
            case .raw(let adapter): bluetooth_open(BLUETOOTH_RAW, adapter, Self.scanEvents)
            case .user(let adapter): bluetooth_open(BLUETOOTH_USER, adapter, 0)
            case .monitor: bluetooth_open(BLUETOOTH_MONITOR, UInt16(BLUETOOTH_NO_ADAPTER), 0)
            case .adapterEvents: bluetooth_open(BLUETOOTH_RAW, UInt16(BLUETOOTH_NO_ADAPTER), Self.adapterEvents)
            }
        guard number >= 0 else { throw SystemError(-number) }
        descriptor = FileDescriptor(number: number)
        if !Self.set(SO_RCVBUFFORCE, Self.roomWanted, of: number) {
            _ = Self.set(SO_RCVBUF, Self.roomWanted, of: number)
        }
    }

    /// To wait for packets with.
    var interest: Poller.Interest { Poller.Interest(descriptor: descriptor.number, events: .readable) }

    /// Reads the packets that are there, at most so many.
    ///
    /// - Parameter body: Told each packet, with its transport header (one byte of H4, six of the monitor channel), and when
    ///   the kernel got it, on the wall clock.
    /// - Returns: Whether there are no more.
    /// - Throws: EPIPE once when the adapter was unplugged; afterwards the socket is silent.
    func receive(limit: Int, _ body: (RawSpan, Timestamp?) -> Void) throws(SystemError) -> Bool {
        for _ in 0..<limit {
            guard let (count, stamp) = try receive() else { return true }
            unsafe packet.withUnsafeBytes { unsafe body($0.bytes.extracting(0..<count), stamp) }
        }
        return false
    }

    /// Sends a command.
    ///
    /// - Parameter command: From its opcode.
    /// - Throws: EPERM, ENETDOWN where the adapter is down; EAGAIN where the kernel takes no more at the moment.
    func send(_ command: [UInt8]) throws(SystemError) {
        let frame = [0x01] + command
        let count = unsafe frame.withUnsafeBytes { unsafe write(descriptor.number, $0.baseAddress, $0.count) }
        guard count == frame.count else { throw SystemError(count < 0 ? errno : EIO) }
    }

    /// Packets that came while there was no room for them, since this was last called; the kernel tells of them nowhere
    /// else. None before Linux 4.12.
    func takeLost() -> UInt64 {
        // SO_MEMINFO, `sk_get_meminfo`: nine numbers, the last one of packets dropped.
        var numbers = [UInt32](repeating: 0, count: 9)
        var length = socklen_t(numbers.count * MemoryLayout<UInt32>.size)
        let wanted = length
        guard unsafe getsockopt(descriptor.number, SOL_SOCKET, SO_MEMINFO, &numbers, &length) == 0, length >= wanted
        else { return 0 }
        // It counts modulo 2³².
        defer { droppedBefore = numbers[8] }
        return UInt64(numbers[8] &- droppedBefore)
    }

    // MARK: System calls

    private func receive() throws(SystemError) -> (count: Int, stamp: Timestamp?)? {
        var (count, controlCount, code) = (0, 0, Int32(0))
        unsafe packet.withUnsafeMutableBytes { (packet) in
            unsafe control.withUnsafeMutableBytes { (control) in
                var part = unsafe iovec(iov_base: packet.baseAddress, iov_len: packet.count)
                unsafe withUnsafeMutablePointer(to: &part) { (part) in
                    var message = unsafe msghdr()
                    unsafe (message.msg_iov, message.msg_iovlen) = (part, 1)
                    unsafe (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    repeat {
                        count = unsafe recvmsg(descriptor.number, &message, 0)
                    } while count < 0 && errno == EINTR
                    code = count < 0 ? errno : 0
                    controlCount = unsafe message.msg_controllen
                }
            }
        }
        guard count >= 0 else {
            if code == EAGAIN { return nil }
            throw SystemError(code)
        }
        return (count, stamp(controlCount))
    }

    /// The time in the only control message that was asked for.
    private func stamp(_ count: Int) -> Timestamp? {
        let header = MemoryLayout<cmsghdr>.stride
        guard count >= header + MemoryLayout<timeval>.size else { return nil }
        let time = unsafe control.withUnsafeBytes { unsafe $0.load(fromByteOffset: header, as: timeval.self) }
        return Timestamp(seconds: Int64(time.tv_sec), microseconds: Int64(time.tv_usec))
    }

    private static func set(_ option: Int32, _ value: Int32, of socket: Int32) -> Bool {
        var value = value
        return unsafe setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}
