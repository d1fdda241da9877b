/// One packet of the LE link layer as a sniffer recorded it, with what the sniffer says about its reception.
struct LinkLayerPDU: ~Escapable, BitwiseCopyable {
    /// The access address of all advertising packets (Core specification, volume 6, part B, 2.1.2).
    static let advertisingAccessAddress: UInt32 = 0x8E89_BED6

    /// What an advertising PDU turned out to be.
    enum Content: ~Escapable {
        case report(AdvertisingReport)
        case malformed(Malformation)
        /// A data channel packet, a scan or connection request, or a reserved type.
        case notAReport
    }

    private let packet: RawSpan
    private var channel: UInt8? = nil
    private var rssi: Int8? = nil
    private var phy: PHY? = nil
    /// What the sniffer says about the CRC; `nil` where it did not check.
    private var crcVerdict: Bool? = nil

    /// - Parameter packet: From the access address to the CRC.
    @_lifetime(copy packet)
    init(packet: RawSpan) { self.packet = packet }

    /// The packet in a capture record; `nil` where the record is of another kind or holds none.
    @_lifetime(copy payload)
    init?(_ record: CaptureRecord, payload: RawSpan) {
        switch record.link {
        case .linkLayer: self.init(packet: payload)
        case .linkLayerWithRadioHeader: self.init(radioHeader: payload)
        case .nordicSniffer: self.init(nordicSniffer: payload)
        case .ppi:
            guard payload.byteCount >= 8 else { return nil }
            let length = Int(payload.le16(2))
            guard length >= 8, length <= payload.byteCount else { return nil }
            let packet = payload.extracting(droppingFirst: length)
            switch payload.le32(4) {
            case 147, 251: self.init(packet: packet)  // 147: the number Ubertooth used before 251 was assigned
            case 256: self.init(radioHeader: packet)
            default: return nil
            }
        default: return nil
        }
    }

    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: channel, signal power, noise, offences, reference address, flags.
    @_lifetime(copy payload)
    private init?(radioHeader payload: RawSpan) {
        guard payload.byteCount >= 10 else { return nil }
        let flags = payload.le16(8)
        self.init(packet: payload.extracting(droppingFirst: 10))
        channel = payload.byte(0)
        if flags & 0x0002 != 0 { rssi = payload.signed(1) }
        if flags & 0x0400 != 0 { crcVerdict = flags & 0x0800 != 0 }
        phy = PHY(rawValue: UInt8(flags >> 14) + 1)
    }

    /// LINKTYPE_NORDIC_BLE, header versions 1 to 3: seven bytes with the protocol version at 3 and the kind of packet
    /// at 6, then a header of its own length with flags, channel and the RSSI without its sign.
    @_lifetime(copy payload)
    private init?(nordicSniffer payload: RawSpan) {
        guard payload.byteCount >= 17, 1...3 ~= payload.byte(3), payload.byte(6) == 2 || payload.byte(6) == 6 else {
            return nil
        }
        let start = 7 + Int(payload.byte(7))
        guard start >= 17, start <= payload.byteCount else { return nil }
        let flags = payload.byte(8)
        self.init(packet: payload.extracting(droppingFirst: start))
        channel = payload.byte(9)
        rssi = payload.byte(10) <= 127 ? -Int8(payload.byte(10)) : nil
        crcVerdict = flags & 1 != 0
        phy = PHY(rawValue: (flags >> 4 & 7) + 1)
    }

    /// Checks and decodes an advertising PDU (Core specification, volume 6, part B, 2.3).
    ///
    /// - Parameter ignoringCRC: Decode even where the CRC is wrong; `hasGoodCRC` tells.
    @_lifetime(copy self)
    func content(ignoringCRC: Bool = false) -> Content {
        guard packet.byteCount >= 4, packet.le32(0) == Self.advertisingAccessAddress else { return .notAReport }
        guard let pdu = pduAndCRC(), pdu.byteCount >= 2 else { return .malformed(.linkLayerPduTruncated) }
        let length = Int(pdu.byte(1))
        guard pdu.byteCount >= 2 + length else {
            return Self.isReport(pdu.byte(0) & 0x0F) ? .malformed(.linkLayerPduTruncated) : .notAReport
        }
        let type = pdu.byte(0) & 0x0F
        guard Self.isReport(type) else { return .notAReport }
        let payload = pdu.extracting(2..<2 + length)
        guard payload.byteCount >= (type == 7 ? 1 : type == 1 ? 12 : 6) else { return .malformed(.linkLayerPduShort) }
        guard ignoringCRC || hasGoodCRC else { return .malformed(.badCrc) }
        let transmitter = AddressType(rawValue: pdu.byte(0) >> 6 & 1)
        switch type {
        case 0: return .report(legacy(.advInd, transmitter, payload))
        case 1: return .report(legacy(.advDirectInd, transmitter, payload.extracting(first: 6)))
        case 2: return .report(legacy(.advNonconnInd, transmitter, payload))
        case 4: return .report(legacy(.scanRsp, transmitter, payload))
        case 6: return .report(legacy(.advScanInd, transmitter, payload))
        default: return extended(transmitter, payload)
        }
    }

    /// Whether the CRC is right: as the sniffer says, computed where it says nothing.
    var hasGoodCRC: Bool {
        if let crcVerdict { return crcVerdict }
        guard let pdu = pduAndCRC(), pdu.byteCount >= 2 else { return false }
        let end = 2 + Int(pdu.byte(1))
        guard pdu.byteCount >= end + 3 else { return false }
        let sent = UInt32(pdu.le16(end)) | UInt32(pdu.byte(end + 2)) << 16
        return Self.crc(pdu.extracting(first: end)) == sent
    }

    /// From the PDU's header on. LE Coded puts a coding indicator before it.
    @_lifetime(copy self)
    private func pduAndCRC() -> RawSpan? {
        let skipped = phy == .leCoded ? 5 : 4
        return packet.byteCount >= skipped ? packet.extracting(droppingFirst: skipped) : nil
    }

    private static func isReport(_ type: UInt8) -> Bool {
        switch type {
        case 0, 1, 2, 4, 6, 7: true
        default: false
        }
    }

    @_lifetime(copy payload)
    private func legacy(_ kind: AdvertisingPDU, _ transmitter: AddressType, _ payload: RawSpan) -> AdvertisingReport {
        AdvertisingReport(
            sniffed: kind, transmitter: transmitter, payload, dataOffset: 6, receivedRSSI: rssi, phy: phy)
    }

    /// The common extended advertising payload (Core specification, volume 6, part B, 2.3.4).
    @_lifetime(copy payload)
    private func extended(_ transmitter: AddressType, _ payload: RawSpan) -> Content {
        let headerLength = Int(payload.byte(0) & 0x3F)
        guard payload.byteCount >= 1 + headerLength else { return .malformed(.linkLayerPduShort) }
        let header = payload.extracting(1..<1 + headerLength)
        let flags = headerLength > 0 ? header.byte(0) : 0
        let hasAddress = flags & 0x01 != 0
        guard !hasAddress || headerLength >= 7 else { return .malformed(.linkLayerPduShort) }
        let addressOffset = hasAddress ? 2 : 0
        let kind: AdvertisingPDU = if let channel, channel < 37 { .auxAdvInd } else { .advExtInd }
        return .report(
            AdvertisingReport(
                sniffed: kind, transmitter: hasAddress ? transmitter : .anonymous,
                payload.extracting(droppingFirst: addressOffset), dataOffset: UInt8(1 + headerLength - addressOffset),
                receivedRSSI: rssi, phy: phy))
    }

    /// The link layer's CRC of an advertising PDU: polynomial x²⁴+x¹⁰+x⁹+x⁶+x⁴+x³+x+1, start 0x555555 (Core
    /// specification, volume 6, part B, 3.1.1), in the order of bits on the air: least significant first.
    static func crc(_ pdu: RawSpan) -> UInt32 {
        var crc: UInt32 = 0xAA_AAAA
        for offset in 0..<pdu.byteCount {
            crc ^= UInt32(pdu.byte(offset))
            for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ 0xDA_6000 : crc >> 1 }
        }
        return crc
    }
}
