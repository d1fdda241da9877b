// The objects that events and `decode` share.
extension JSONLine {
    /// Ends the address's string and writes its kind: `","addressType":…`.
    mutating func writeAddressType(_ type: AddressType) { write(atMost: 64) { $0.addressType(type) } }

    /// The `beacon` object.
    @inline(never)
    mutating func writeBeacon(_ beacon: Beacon, extra: [UInt8]?) {
        literal("{\"format\":\"")
        literal(beacon.formatName)
        literal("\"")
        beacon.writeMembers(to: &self)
        if let extra { member("extra", hex: extra) }
        literal("}")
    }

    /// `"uuid":…,"major":…,"minor":…`.
    mutating func writeIdentity(_ identity: BeaconIdentity) {
        literal("\"uuid\":\"")
        uuid(identity.uuid)
        literal("\"")
        member("major", Int64(identity.major))
        member("minor", Int64(identity.minor))
    }

    /// The `malformed` object: how often each malformation was met that was.
    mutating func writeMalformed(_ counts: MalformationCounts) {
        let met = Malformation.allCases.filter { counts[$0] > 0 }
        writeCounts("malformed", met.map { ("\($0.name)", counts[$0]) })
    }

    /// An object of counts by name.
    mutating func writeCounts(_ name: StaticString, _ counts: [(String, UInt64)]) {
        literal(",\"")
        literal(name)
        literal("\":{")
        for (number, entry) in counts.enumerated() {
            if number > 0 { literal(",") }
            string(entry.0)
            literal(":")
            unsigned(entry.1)
        }
        literal("}")
    }
}
