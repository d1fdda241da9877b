private import CBluetooth
private import Glibc
public import SkerryCore

/// A Bluetooth adapter, as the kernel lists it.
public struct Adapter: Equatable, Sendable {
    /// Why it can't be switched on (rfkill).
    public enum Block: Equatable, Sendable {
        /// By software: `rfkill unblock bluetooth`.
        case soft
        /// By a switch.
        case hard
    }

    /// The number in its name, which is another one after it was unplugged.
    public let index: UInt16
    /// `hci0`.
    public let name: String
    /// Its public address; all zeros until the kernel has switched it on once.
    public let address: DeviceAddress
    /// Whether it is switched on.
    public let isUp: Bool
    /// Whether it can do Bluetooth LE; `nil` until the kernel has asked it.
    public let hasLowEnergy: Bool?

    /// Whether it is blocked, from `/sys/class/bluetooth`; not blocked where that can't be read.
    public var block: Block? {
        let folder = "/sys/class/bluetooth/\(name)"
        guard let entries = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(entries) }
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name.hasPrefix("rfkill") else { continue }
            if Self.isSet("\(folder)/\(name)/hard") { return .hard }
            if Self.isSet("\(folder)/\(name)/soft") { return .soft }
        }
        return nil
    }

    /// Switches it on or off. Wants CAP_NET_ADMIN.
    ///
    /// - Throws: EPERM, ERFKILL, ENODEV, or what its driver says.
    func setPower(_ isOn: Bool) throws(SystemError) {
        let control = try Self.control()
        guard ioctl(control.number, isOn ? HCI_DEVICE_UP : HCI_DEVICE_DOWN, Int32(index)) != 0 else { return }
        // It is as it shall be.
        guard isOn, errno == EALREADY else { throw SystemError(errno) }
    }

    /// All adapters, by number. No privilege is needed.
    ///
    /// - Throws: EAFNOSUPPORT where the kernel has no Bluetooth.
    public static func all() throws(SystemError) -> [Adapter] {
        let control = try control()
        // A `hci_dev_list_req`: a count, then eight bytes each, of which two are the number (`hci_get_dev_list`).
        let (maximum, header, stride) = (64, MemoryLayout<hci_dev_list_req>.stride, MemoryLayout<hci_dev_req>.stride)
        var list = [UInt8](repeating: 0, count: header + maximum * stride)
        list[0] = UInt8(maximum)
        guard unsafe ioctl(control.number, HCI_GET_DEVICE_LIST, &list) == 0 else { throw SystemError(errno) }
        let numbers = (0..<Int(list[0])).map { place in
            unsafe list.span.bytes.unsafeLoadUnaligned(fromByteOffset: header + place * stride, as: UInt16.self)
        }
        return numbers.sorted().compactMap { Adapter($0, control) }
    }

    /// Nothing where it has gone meanwhile.
    private init?(_ index: UInt16, _ control: borrowing FileDescriptor) {
        var info = hci_dev_info()
        info.dev_id = index
        guard unsafe ioctl(control.number, HCI_GET_DEVICE_INFO, &info) == 0 else { return nil }
        self.index = index
        name = "hci\(index)"
        let bytes = info.bdaddr.b
        address = DeviceAddress(
            bits: [bytes.5, bytes.4, bytes.3, bytes.2, bytes.1, bytes.0].reduce(0) { $0 << 8 | UInt64($1) })
        isUp = info.flags & 1 << HCI_UP != 0
        // Page 0 of the LMP features (Core specification, volume 2, part C, 3.3); none at all is not known yet.
        let features = info.features
        let isKnown = features.0 | features.1 | features.2 | features.3 | features.4 | features.5 | features.6 != 0
        hasLowEnergy = isKnown ? features.4 & 1 << 6 != 0 : nil
    }

    private static func control() throws(SystemError) -> FileDescriptor {
        let number = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), BTPROTO_HCI)
        guard number >= 0 else { throw SystemError(errno) }
        return FileDescriptor(number: number)
    }

    private static func isSet(_ path: String) -> Bool {
        guard let file = try? FileDescriptor(reading: path), let text = try? file.readPiece() else { return false }
        return text.first == UInt8(ascii: "1")
    }
}
