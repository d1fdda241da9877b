/// Explains single payloads, for `decode`: what reports, beacons and AD structures they hold, and what is wrong with them.
public struct Explanation {
    /// What a payload is.
    public enum Kind: String, CaseIterable, Sendable {
        /// An HCI packet from its H4 byte on.
        case h4
        /// AD structures.
        case ad
        /// Android's scan record: advertising data, scan response, zeros.
        case scanRecord = "scan_record"
        /// Manufacturer specific data from the company on.
        case mfr
        /// A link-layer packet from the access address on.
        case ll

        /// What the first bytes look like.
        public init(guessing bytes: [UInt8]) {
            let head = bytes.prefix(4)
            self =
                if head.starts(with: [0x04, HCIEvent.leMeta]) {
                    .h4
                } else if head == [0xD6, 0xBE, 0x89, 0x8E] {
                    .ll
                } else if head.starts(with: [0x4C, 0x00]) || head.dropFirst(2) == [0xBE, 0xAC] {
                    .mfr
                } else {
                    .ad
                }
        }
    }

    private var malformed = MalformationCounts()
    private var reports = 0

    /// Writes one JSON object and a line feed.
    public static func write(_ bytes: [UInt8], kind: Kind, to line: inout JSONLine) {
        var explanation = Explanation()
        line.literal("{\"kind\":\"")
        line.raw(Array(kind.rawValue.utf8))
        line.literal("\",\"reports\":[")
        switch kind {
        case .h4: explanation.event(HCIPacket(h4: bytes.rawSpan), &line)
        case .ll: explanation.linkLayer(bytes.rawSpan, &line)
        case .ad, .scanRecord:
            line.literal("{\"beacons\":[")
            explanation.beacons(bytes.rawSpan, &line)
            line.literal("]")
            line.writeStructures(bytes.rawSpan)
            line.literal("}")
        case .mfr:
            line.literal("{\"beacons\":[")
            let structure = ADStructure(type: ADStructure.manufacturerSpecificData, data: bytes.rawSpan)
            if let beacon = Beacon(structure) { line.writeBeacon(beacon, extra: beacon.extra(in: structure)) }
            line.literal("],\"structures\":[{")
            line.writeStructure(structure)
            line.literal("]}")
        }
        line.literal("]")
        line.writeMalformed(explanation.malformed)
        line.literal("}\n")
    }

    private mutating func event(_ packet: HCIPacket, _ line: inout JSONLine) {
        guard packet.kind == .event, AdvertisingReport.isReported(in: packet.bytes) else { return }
        let faults = AdvertisingReport.forEach(in: packet.bytes) { report in self.report(report, &line) }
        if let faults { malformed.count(faults) }
    }

    private mutating func linkLayer(_ bytes: RawSpan, _ line: inout JSONLine) {
        let pdu = LinkLayerPDU(packet: bytes)
        switch pdu.content(ignoringCRC: true) {
        case .report(let report):
            if !pdu.hasGoodCRC { malformed[.badCrc] += 1 }
            self.report(report, &line)
        case .malformed(let reason): malformed[reason] += 1
        case .notAReport: break
        }
    }

    private mutating func report(_ report: AdvertisingReport, _ line: inout JSONLine) {
        if reports > 0 { line.literal(",") }
        reports += 1
        line.literal("{\"address\":\"")
        line.address(report.address)
        line.writeAddressType(report.addressType)
        if let rssi = report.rssi { line.member("rssi", Int64(rssi)) }
        line.member("pdu", report.pdu.name)
        if let phy = report.phy { line.member("phy", phy.name) }
        line.literal(",\"beacons\":[")
        beacons(report.data, &line)
        line.literal("]")
        line.writeStructures(report.data)
        line.literal("}")
    }

    private mutating func beacons(_ data: RawSpan, _ line: inout JSONLine) {
        var count = 0
        let fault = ADStructure.forEach(in: data) { structure in
            guard let beacon = Beacon(structure) else { return }
            if count > 0 { line.literal(",") }
            count += 1
            line.writeBeacon(beacon, extra: beacon.extra(in: structure))
        }
        if let fault { malformed[fault] += 1 }
    }
}
