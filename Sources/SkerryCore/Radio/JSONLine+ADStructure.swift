// AD structures as `decode` writes them.
extension JSONLine {
    /// `,"structures":[…]` of advertising data, and `,"stopped":{…}` where the walk ended before the data do. Offsets are
    /// those of the length bytes, from the beginning of the data.
    mutating func writeStructures(_ data: RawSpan) {
        literal(",\"structures\":[")
        var offset = 0
        let fault = ADStructure.forEach(in: data) { structure in
            if offset > 0 { literal(",") }
            literal("{\"offset\":")
            integer(Int64(offset))
            literal(",")
            writeStructure(structure)
            offset += 2 + structure.count
        }
        literal("]")
        guard offset < data.byteCount else { return }
        // Of zeros that are none, the first other byte is the wrong one.
        while fault == .adNonzeroAfterZeroLength, data.byte(offset) == 0 { offset += 1 }
        literal(",\"stopped\":{\"offset\":")
        integer(Int64(offset))
        member("reason", fault?.name ?? "zeroLength")
        literal("}")
    }

    /// The members of a structure from its type on, and the brace that ends it.
    mutating func writeStructure(_ structure: ADStructure) {
        literal("\"type\":")
        integer(Int64(structure.type))
        if let name = ADType.name(structure.type) { member("name", name) }
        member("value", hex: [UInt8](structure.data))
        writeMeaning(structure.type, structure.data)
        literal("}")
    }

    /// What the value means, where its length is one that the type has (Core Specification Supplement, part A, 1).
    private mutating func writeMeaning(_ type: UInt8, _ value: RawSpan) {
        let count = value.byteCount
        switch type {
        case 0x01 where count > 0: writeFlags(value.byte(0))
        case 0x02, 0x03, 0x14: writeUUIDs(value, size: 2)
        case 0x04, 0x05, 0x1F: writeUUIDs(value, size: 4)
        case 0x06, 0x07, 0x15: writeUUIDs(value, size: 16)
        case 0x08, 0x09, 0x30: member("text", String(decoding: [UInt8](value), as: UTF8.self))
        case 0x0A where count == 1: member("txPower", Int64(value.signed(0)))
        case 0x12 where count == 4:
            member("minimumInterval", Double(value.le16(0)) * 0.00125, decimals: 6)
            member("maximumInterval", Double(value.le16(2)) * 0.00125, decimals: 6)
        case 0x16 where count >= 2: writeServiceData(value, size: 2)
        case 0x20 where count >= 4: writeServiceData(value, size: 4)
        case 0x21 where count >= 16: writeServiceData(value, size: 16)
        case 0x19 where count == 2: member("appearance", Int64(value.le16(0)))
        case 0x1A where count == 2: member("interval", Double(value.le16(0)) * 0.000625, decimals: 6)
        case 0x1B where count == 7:
            literal(",\"address\":\"")
            address(value.address(0))
            literal("\"")
            member("addressType", value.byte(6) & 1 == 0 ? "public" : "random")
        case 0xFF where count >= 2:
            member("company", Int64(value.le16(0)))
            member("data", hex: [UInt8](value.part(2, count)))
        default: break
        }
    }

    private mutating func writeFlags(_ flags: UInt8) {
        let names: [StaticString] = [
            "LE Limited Discoverable Mode", "LE General Discoverable Mode", "BR/EDR Not Supported",
            "Simultaneous LE and BR/EDR to Same Device Capable (Controller)",
            "Simultaneous LE and BR/EDR to Same Device Capable (Host)",
        ]
        let met = names.indices.filter { flags >> UInt8($0) & 1 == 1 }.map { "\(names[$0])" }
        writeStrings("flags", met)
    }

    /// Whole UUIDs; nothing where bytes would be left over.
    private mutating func writeUUIDs(_ value: RawSpan, size: Int) {
        guard value.byteCount.isMultiple(of: size) else { return }
        let starts = stride(from: 0, to: value.byteCount, by: size)
        writeStrings("uuids", starts.map { Self.uuid(value.part($0, $0 + size)) })
    }

    private mutating func writeServiceData(_ value: RawSpan, size: Int) {
        member("uuid", Self.uuid(value.part(0, size)))
        member("data", hex: [UInt8](value.part(size, value.byteCount)))
    }

    private mutating func writeStrings(_ name: StaticString, _ texts: [String]) {
        literal(",\"")
        literal(name)
        literal("\":[")
        for (number, text) in texts.enumerated() {
            if number > 0 { literal(",") }
            string(text)
        }
        literal("]")
    }

    /// As events write UUIDs; on the air the least significant byte comes first.
    private static func uuid(_ bytes: RawSpan) -> String {
        let turned = Array([UInt8](bytes).reversed())
        if turned.count == 16 { return turned.rawSpan.uuid(0).description }
        return turned.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
