/// Makes advertising reports as a controller would send them.
enum AdvertisingEvent {
    /// Data that one extended report carries at most (Core specification, volume 4, part E, 7.7.65.13).
    private static let longest = 229
    private static let unavailable: Int8 = 127

    /// LE meta events with AD structures of one advertisement: one legacy report up to 31 bytes, else extended ones.
    ///
    /// What is not known is what most beacons do: not connectable, on LE 1M.
    static func reports(
        _ data: RawSpan, address: DeviceAddress, addressType: AddressType, rssi: Int8?
    ) -> [[UInt8]] {
        let bytes = [UInt8](data)
        let from = [addressType.rawValue] + (0..<6).map { UInt8(truncatingIfNeeded: address.bits >> (8 * $0)) }
        let level = UInt8(bitPattern: rssi ?? unavailable)
        if bytes.count <= 31, addressType != .anonymous {
            // One report, of ADV_NONCONN_IND.
            let head: [UInt8] = [HCIEvent.Subevent.advertisingReport, 1, 0x03]
            return [event(head + from + [UInt8(bytes.count)] + bytes + [level])]
        }
        let starts = Array(stride(from: 0, to: max(bytes.count, 1), by: longest))
        return starts.map { start in
            let part = bytes[start..<min(start + longest, bytes.count)]
            // Bits 5 and 6 of the event type: more data is to come.
            let status: UInt8 = start == starts.last ? 0 : 1 << 5
            // LE 1M, nothing on a secondary channel, no set, no transmit power; no interval, no direct address.
            let radio: [UInt8] = [0x01, 0x00, 0xFF, 0x7F, level]
            let none = [UInt8](repeating: 0, count: 9)
            let head: [UInt8] = [HCIEvent.Subevent.extendedAdvertisingReport, 1, status, 0]
            return event(head + from + radio + none + [UInt8(part.count)] + part)
        }
    }

    private static func event(_ parameters: [UInt8]) -> [UInt8] {
        [HCIEvent.leMeta, UInt8(parameters.count)] + parameters
    }
}
