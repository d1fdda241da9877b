/// Who sent a report and how it came in: what of it outlives its bytes.
struct Reception: BitwiseCopyable {
    let address: DeviceAddress
    let addressType: AddressType
    let pdu: AdvertisingPDU
    /// As a byte: the two bytes of an optional would be put together for every report.
    private let receivedRSSI: Int8
    let phy: PHY?

    /// dBm; `nil` where unavailable.
    @inline(__always)
    var rssi: Int8? { AdvertisingReport.usable(receivedRSSI) }

    @inline(__always)
    init(_ report: AdvertisingReport) {
        address = report.address
        addressType = report.addressType
        pdu = report.pdu
        receivedRSSI = report.receivedRSSI
        phy = report.phy
    }

    /// As somebody tells who has it from the controller: what kind of PDU it was is not known.
    init(address: DeviceAddress, addressType: AddressType, rssi: Int8?) {
        self.address = address
        self.addressType = addressType
        pdu = .legacy
        receivedRSSI = rssi ?? 127
        phy = nil
    }
}
