extension LineCursor {
    /// The members of an advertisement between its source and its beacon.
    @inline(__always)
    mutating func members(of advertisement: Advertisement) {
        literal(",\"address\":\"")
        address(advertisement.address)
        addressType(advertisement.addressType)
        if let rssi = advertisement.rssi {
            literal(",\"rssi\":")
            level(rssi)
        }
        pdu(advertisement.pdu)
        if let phy = advertisement.phy {
            literal(",\"phy\":\"")
            literal(phy.name)
            literal("\"")
        }
    }

    /// Ends the address's string and writes its kind, where it is known: `","addressType":…`.
    @inline(__always)
    mutating func addressType(_ type: AddressType) {
        // Names known at compile time are stores, others calls.
        switch type {
        case .publicDevice: literal("\",\"addressType\":\"public\"")
        case .random: literal("\",\"addressType\":\"random\"")
        case .unknown: literal("\"")
        default:
            literal("\",\"addressType\":")
            if let name = type.name { quoted(name) } else { integer(Int64(type.rawValue)) }
        }
    }

    @inline(__always)
    mutating func pdu(_ pdu: AdvertisingPDU) {
        switch pdu {
        case .legacy: literal(",\"pdu\":\"legacy\"")
        case .extended: literal(",\"pdu\":\"extended\"")
        default:
            literal(",\"pdu\":")
            quoted(pdu.name)
        }
    }

    @inline(never)
    private mutating func quoted(_ name: StaticString) {
        byte(UInt8(ascii: "\""))
        literal(name)
        byte(UInt8(ascii: "\""))
    }
}
