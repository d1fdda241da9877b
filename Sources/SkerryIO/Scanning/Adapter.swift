private import CBluetooth
private import Glibc
public import SkerryCore

/// A Bluetooth adapter, as the kernel describes it.
public struct Adapter: Equatable, Sendable {
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
    public var block: RadioBlock? {
        let folder = "/sys/class/bluetooth/\(name)"
        for name in Folder.names(in: folder) where name.hasPrefix("rfkill") {
            if Self.isSet("\(folder)/\(name)/hard") { return .hard }
            if Self.isSet("\(folder)/\(name)/soft") { return .soft }
        }
        return nil
    }

    /// All adapters, by number; at most 64. No privilege is needed.
    ///
    /// - Throws: EAFNOSUPPORT where the kernel has no Bluetooth.
    public static func all() throws(SystemError) -> [Adapter] {
        var numbers = [UInt16](repeating: 0, count: 64)
        let count = unsafe bluetooth_adapters(&numbers, Int32(numbers.count))
        guard count >= 0 else { throw SystemError(-count) }
        return numbers.prefix(Int(count)).sorted().compactMap(Adapter.init)
    }

    private static func isSet(_ path: String) -> Bool {
        guard let file = try? FileDescriptor(reading: path), let text = try? file.readPiece() else { return false }
        return text.first == UInt8(ascii: "1")
    }
}

extension Adapter {
    /// The adapter of a number; `nil` where there is none.
    init?(_ index: UInt16) {
        var adapter = bluetooth_adapter()
        guard unsafe bluetooth_describe(index, &adapter) == 0 else { return nil }
        self.init(
            index: index, name: "hci\(index)", address: DeviceAddress(bits: adapter.address), isUp: adapter.is_up != 0,
            hasLowEnergy: adapter.has_low_energy < 0 ? nil : adapter.has_low_energy > 0)
    }
}
