import SkerryCore

/// What bluetoothd has said of the devices around (org.bluez.Device(5)), as far as the next advertisement may leave it out.
struct BlueZDevices {
    /// An advertisement, as far as bluetoothd passes it on.
    struct Sighting: Equatable {
        var address: DeviceAddress
        var addressType: AddressType
        var rssi: Int8?
        /// AD structures with what it carried of manufacturer and service data.
        var data: [UInt8]
    }

    private struct Device {
        var addressType: AddressType
        var rssi: Int8?
        /// Which call of `observe` was about it last.
        var turn: UInt64
    }

    static let interface = "org.bluez.Device1"
    /// Devices that are remembered; of more, the one longest not heard is forgotten.
    static let limit = 4096

    private var devices: [String: Device] = [:]
    private var turn: UInt64 = 0

    /// Forgets them all.
    mutating func removeAll() { devices.removeAll() }

    /// bluetoothd has forgotten a device.
    mutating func remove(_ path: String) { devices[path] = nil }

    /// Properties of a device are known, all or those that changed.
    ///
    /// With duplicates asked for, bluetoothd tells the data of every advertisement, changed or not, but an RSSI only where it
    /// is another. So properties without data are no advertisement of a beacon.
    ///
    /// - Returns: The advertisement of which they come; `nil` where it carried no data, or the device is named strangely.
    mutating func observe(_ path: String, _ properties: DBusValue) -> Sighting? {
        guard let address = Self.address(path) else { return nil }
        var device = devices[path] ?? Device(addressType: .unknown, turn: 0)
        turn += 1
        device.turn = turn
        var data: [UInt8] = []
        for (key, value) in properties.entries {
            switch key.text {
            case "AddressType":
                device.addressType =
                    switch value.text {
                    case "public": .publicDevice
                    case "random": .random
                    default: .unknown
                    }
            case "RSSI": device.rssi = value.number.flatMap(Int8.init(exactly:))
            case "ManufacturerData": Self.append(manufacturerData: value, to: &data)
            case "ServiceData": Self.append(serviceData: value, to: &data)
            default: break
            }
        }
        if devices[path] == nil, devices.count >= Self.limit { forgetOldest() }
        devices[path] = device
        guard !data.isEmpty else { return nil }
        return Sighting(address: address, addressType: device.addressType, rssi: device.rssi, data: data)
    }

    /// The RSSI of a device is not known any more.
    mutating func forgetRSSI(_ path: String) { devices[path]?.rssi = nil }

    private mutating func forgetOldest() {
        if let oldest = devices.min(by: { $0.value.turn < $1.value.turn }) { devices[oldest.key] = nil }
    }

    /// Company identifier → data. One AD structure each.
    private static func append(manufacturerData: DBusValue, to data: inout [UInt8]) {
        for (key, value) in manufacturerData.entries {
            guard let company = key.number, let bytes = value.bytes, bytes.count <= 252 else { continue }
            data += [UInt8(bytes.count + 3), 0xFF, UInt8(company & 0xFF), UInt8(company >> 8)] + bytes
        }
    }

    /// UUID → data. One AD structure each with a 16-bit UUID; those of 32 and 128 bits are no beacon's.
    private static func append(serviceData: DBusValue, to data: inout [UInt8]) {
        for (key, value) in serviceData.entries {
            guard let uuid = key.text, uuid.hasPrefix("0000"), uuid.hasSuffix(baseUUID),
                let number = UInt16(uuid.dropFirst(4).prefix(4), radix: 16), let bytes = value.bytes, bytes.count <= 252
            else { continue }
            data += [UInt8(bytes.count + 3), 0x16, UInt8(number & 0xFF), UInt8(number >> 8)] + bytes
        }
    }

    /// Where 16-bit UUIDs stand (Core specification, volume 3, part B, 2.5.1).
    private static let baseUUID = "-0000-1000-8000-00805f9b34fb"

    /// The address in `…/dev_AA_BB_CC_DD_EE_FF`.
    private static func address(_ path: String) -> DeviceAddress? {
        guard let start = path.lastIndex(of: "/"), path[start...].hasPrefix("/dev_") else { return nil }
        return address(path[start...].dropFirst(5), separatedBy: "_")
    }

    /// An address as bluetoothd writes it.
    static func address(_ text: Substring, separatedBy separator: Character) -> DeviceAddress? {
        let bytes = text.split(separator: separator, omittingEmptySubsequences: false)
        guard bytes.count == 6, bytes.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        return UInt64(bytes.joined(), radix: 16).map(DeviceAddress.init(bits:))
    }
}
