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

        fileprivate var address: (adapter: UInt16, channel: Int32) {
            switch self {
            case .raw(let adapter): (adapter, HCI_CHANNEL_RAW)
            case .user(let adapter): (adapter, HCI_CHANNEL_USER)
            case .monitor: (UInt16(HCI_DEV_NONE), HCI_CHANNEL_MONITOR)
            case .adapterEvents: (UInt16(HCI_DEV_NONE), HCI_CHANNEL_RAW)
            }
        }
    }

    private let descriptor: FileDescriptor
    /// Longer than any event; of data packets, which nobody here reads, the rest may go.
    private var packet = [UInt8](repeating: 0, count: 2048)
    /// One control message, aligned as it must be.
    private var control = [UInt64](repeating: 0, count: 8)

    /// What the kernel is asked to hold for us while we do something else: some 10,000 reports. It gives a process without
    /// CAP_NET_ADMIN what `net.core.rmem_max` allows, 212,992 bytes in most systems, which hold 280.
    private static let roomWanted: Int32 = 4 << 20

    /// - Throws: ENODEV for an adapter that is not there, EPERM, EBUSY for a user channel of an adapter that is up, ERFKILL,
    ///   EAFNOSUPPORT where the kernel has no Bluetooth.
    init(_ channel: Channel) throws(SystemError) {
        let kind = Int32(SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(AF_BLUETOOTH, kind, BTPROTO_HCI)
        guard number >= 0 else { throw SystemError(errno) }
        descriptor = FileDescriptor(number: number)
        let (adapter, channelNumber) = channel.address
        var address = sockaddr_hci(
            hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: adapter, hci_channel: UInt16(channelNumber))
        // Before binding, so that nothing comes without a time or through no filter.
        switch channel {
        case .raw: try setFilter([HCI.commandComplete, HCI.commandStatus, HCI.hardwareError, HCI.leMeta])
        case .adapterEvents: try setFilter([HCI.stackInternal])
        case .user, .monitor: break
        }
        if case .raw = channel { try set(SOL_HCI, HCI_TIME_STAMP, 1) } else { try set(SOL_SOCKET, SO_TIMESTAMP, 1) }
        do throws(SystemError) {
            try set(SOL_SOCKET, SO_RCVBUFFORCE, Self.roomWanted)
        } catch {
            try set(SOL_SOCKET, SO_RCVBUF, Self.roomWanted)
        }
        let result = unsafe withUnsafePointer(to: &address) { (address) in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
                unsafe bind(number, address, socklen_t(MemoryLayout<sockaddr_hci>.size))
            }
        }
        guard result == 0 else { throw SystemError(errno) }
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
        let frame = [HCI.commandPacket] + command
        let count = unsafe frame.withUnsafeBytes { unsafe write(descriptor.number, $0.baseAddress, $0.count) }
        guard count == frame.count else { throw SystemError(count < 0 ? errno : EIO) }
    }

    /// Packets that came while there was no room for them, since the socket was opened; the kernel tells of them nowhere
    /// else. It counts modulo 2³². `nil` before Linux 4.12.
    var dropped: UInt32? {
        // SO_MEMINFO, `sk_get_meminfo`: nine numbers, the last one of packets dropped.
        var numbers = [UInt32](repeating: 0, count: 9)
        var length = socklen_t(numbers.count * MemoryLayout<UInt32>.size)
        let wanted = length
        guard unsafe getsockopt(descriptor.number, SOL_SOCKET, SO_MEMINFO, &numbers, &length) == 0, length >= wanted
        else { return nil }
        return numbers[8]
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

    private func setFilter(_ events: [UInt8]) throws(SystemError) {
        var filter = hci_filter()
        filter.type_mask = 1 << UInt32(HCI_EVENT_PKT)
        for event in events {
            // The kernel looks at six bits of the event code.
            let bit = UInt32(event) & UInt32(HCI_FLT_EVENT_BITS)
            if bit < 32 { filter.event_mask.0 |= 1 << bit } else { filter.event_mask.1 |= 1 << (bit - 32) }
        }
        guard
            unsafe setsockopt(
                descriptor.number, SOL_HCI, HCI_FILTER, &filter, socklen_t(MemoryLayout<hci_filter>.size)) == 0
        else { throw SystemError(errno) }
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) throws(SystemError) {
        var value = value
        guard
            unsafe setsockopt(descriptor.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
        else { throw SystemError(errno) }
    }

    /// Numbers of the Core specification (volume 4, part A, 2; part E, 7.7) and of the kernel.
    private enum HCI {
        static let commandPacket = UInt8(HCI_COMMAND_PKT)
        static let commandComplete: UInt8 = 0x0E
        static let commandStatus: UInt8 = 0x0F
        static let hardwareError: UInt8 = 0x10
        static let leMeta: UInt8 = 0x3E
        static let stackInternal: UInt8 = 0xFD
    }
}
