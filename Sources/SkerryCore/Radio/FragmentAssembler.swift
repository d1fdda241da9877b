/// Joins the fragments of extended advertisements by adapter, address and advertising set.
///
/// Bounds: 64 advertisements at once, 1,650 bytes each (the most a set can hold; Core specification, volume 4, part E,
/// 7.8.54), one second from the first fragment to the last. What does not come together is dropped and counted.
struct FragmentAssembler {
    static let maximumPending = 64
    static let maximumLength = 1650
    static let patience: Int64 = .second

    private struct Pending {
        var controller: UInt16
        var addressType: AddressType
        var address: DeviceAddress
        var setIdentifier: UInt8
        var since: Timestamp
        var bytes: [UInt8]
        /// More came than a set can hold; what still comes goes the same way.
        var isTooLong = false
    }

    private var pending: [Pending] = []
    /// Whether any advertisement lacks its end.
    @inline(__always)
    var isWaiting: Bool { !pending.isEmpty }
    /// Advertisements begun and never completed.
    private(set) var dropped: UInt64 = 0

    /// Takes one report in.
    mutating func add(_ report: AdvertisingReport, controller: UInt16, at time: Timestamp) -> Joined {
        if !pending.isEmpty { dropStale(time) }
        let index = pending.firstIndex {
            $0.address == report.address && $0.setIdentifier == report.setIdentifier
                && $0.addressType == report.addressType && $0.controller == controller
        }
        guard report.dataStatus == .moreToCome else {
            guard let index else { return .alone }
            var whole = pending.remove(at: index)
            guard !whole.isTooLong, Self.append(report.data, to: &whole.bytes) else { return droppedOne() }
            return .whole(whole.bytes)
        }
        if let index {
            if !pending[index].isTooLong, !Self.append(report.data, to: &pending[index].bytes) {
                pending[index].isTooLong = true
                pending[index].bytes = []
            }
        } else {
            if pending.count == Self.maximumPending {
                pending.removeFirst()
                dropped += 1
            }
            var bytes: [UInt8] = []
            _ = Self.append(report.data, to: &bytes)
            pending.append(
                Pending(
                    controller: controller, addressType: report.addressType, address: report.address,
                    setIdentifier: report.setIdentifier, since: time, bytes: bytes))
        }
        return .incomplete
    }

    /// What a report added.
    enum Joined {
        /// Its own data is all there is.
        case alone
        /// More must come.
        case incomplete
        /// It ended an advertisement of several fragments.
        case whole([UInt8])
    }

    /// Counts what is still waiting when the input ends.
    mutating func finish() {
        dropped += UInt64(pending.count)
        pending = []
    }

    private mutating func droppedOne() -> Joined {
        dropped += 1
        return .incomplete
    }

    private mutating func dropStale(_ time: Timestamp) {
        let before = pending.count
        pending.removeAll { !(-Self.patience...Self.patience ~= time - $0.since) }
        dropped += UInt64(before - pending.count)
    }

    private static func append(_ data: RawSpan, to bytes: inout [UInt8]) -> Bool {
        guard bytes.count + data.byteCount <= maximumLength else { return false }
        bytes.reserveCapacity(bytes.count + data.byteCount)
        for offset in 0..<data.byteCount { bytes.append(data.byte(offset)) }
        return true
    }
}
