private import Glibc

/// Waits for descriptors and for a moment: the one place where a live run sleeps.
public struct Poller {
    /// What a descriptor is waited for, and what it is ready for.
    public struct Events: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8
        /// Any bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Reading does not wait. Also at the end and after an error, which reading tells.
        public static var readable: Events { Events(rawValue: 1) }
        /// Writing does not wait. Also after an error.
        public static var writable: Events { Events(rawValue: 2) }
        /// The other end has gone. Told also where it is not waited for.
        public static var closed: Events { Events(rawValue: 4) }
    }

    /// A descriptor that is waited for.
    public struct Interest: Equatable, Sendable {
        /// The descriptor's number.
        public var descriptor: Int32
        /// What for.
        public var events: Events

        /// An interest in a descriptor that stays open while it is waited for.
        public init(descriptor: Int32, events: Events) {
            self.descriptor = descriptor
            self.events = events
        }
    }

    private var entries: [pollfd] = []

    /// A poller; it keeps nothing but room.
    public init() {}

    /// Waits until a descriptor is ready, the program shall end, or a moment has come.
    ///
    /// - Parameters:
    ///   - deadline: On the clock of `MachineClock.monotonic`; `nil` for no end.
    ///   - heedsSignals: Whether the wish that the program end ends the wait; it does each one, once it was told.
    /// - Returns: What each is ready for, in the order of the interests; nothing after a signal and at the deadline.
    public mutating func wait(
        for interests: [Interest], until deadline: Int64?, heedsSignals: Bool = true
    ) throws(SystemError) -> [Events] {
        entries.removeAll(keepingCapacity: true)
        for interest in interests {
            var events: Int32 = 0
            if interest.events.contains(.readable) { events |= POLLIN }
            if interest.events.contains(.writable) { events |= POLLOUT }
            entries.append(pollfd(fd: interest.descriptor, events: Int16(events), revents: 0))
        }
        if heedsSignals { entries.append(pollfd(fd: Signals.wakeDescriptor, events: Int16(POLLIN), revents: 0)) }
        let ready = unsafe poll(&entries, nfds_t(entries.count), Self.milliseconds(until: deadline))
        guard ready >= 0 || errno == EINTR else { throw SystemError(errno) }
        return interests.indices.map { index in
            guard ready > 0 else { return [] }
            let found = Int32(entries[index].revents)
            var events: Events = []
            if found & (POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 { events.insert(.readable) }
            if found & (POLLOUT | POLLHUP | POLLERR | POLLNVAL) != 0 { events.insert(.writable) }
            if found & (POLLHUP | POLLERR | POLLNVAL) != 0 { events.insert(.closed) }
            return events.intersection(interests[index].events.union(.closed))
        }
    }

    /// Rounded up, so that the moment has come when the wait is over.
    private static func milliseconds(until deadline: Int64?) -> Int32 {
        guard let deadline else { return -1 }
        let now = MachineClock.monotonic
        guard deadline > now else { return 0 }
        return Int32(clamping: (deadline - now - 1) / 1000 + 1)
    }
}
