/// A 48-bit Bluetooth device address, written `AA:BB:CC:DD:EE:FF` with the most significant byte first.
public struct DeviceAddress: Hashable, BitwiseCopyable, Sendable {
    /// The address as a number; the upper 16 bits are zero.
    public let bits: UInt64

    /// An address from its number.
    @inline(__always)
    public init(bits: UInt64) { self.bits = bits }
}

/// The kind of a device address, as the controller or the link layer says it (Core specification, volume 4, part E,
/// 7.7.65.2 and 7.7.65.13).
public struct AddressType: Hashable, BitwiseCopyable, Sendable {
    /// The value in the report.
    public let rawValue: UInt8

    /// A kind from the value in the report.
    @inline(__always)
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A public address.
    public static let publicDevice = AddressType(rawValue: 0x00)
    /// A random address.
    public static let random = AddressType(rawValue: 0x01)
    /// An extended advertisement that carries no address.
    public static let anonymous = AddressType(rawValue: 0xFF)

    /// Not told by who has the report from the controller. No controller says this value, which is reserved.
    public static let unknown = AddressType(rawValue: 0xFD)

    /// The name in events; `nil` where the value has none.
    public var name: StaticString? {
        switch rawValue {
        case 0x00: "public"
        case 0x01: "random"
        case 0x02: "publicIdentity"
        case 0x03: "randomIdentity"
        case 0xFF: "anonymous"
        default: nil
        }
    }
}
