/// A beacon frame as one source heard it.
public struct Advertisement: BitwiseCopyable, Sendable {
    /// Who sent it.
    public var address: DeviceAddress
    /// The kind of the address.
    public var addressType: AddressType
    /// dBm, -127…+20; `nil` where unavailable.
    public var rssi: Int8?
    /// What was on the air.
    public var pdu: AdvertisingPDU
    /// `nil` where unknown.
    public var phy: PHY?
    /// The frame.
    public var beacon: Beacon
}
