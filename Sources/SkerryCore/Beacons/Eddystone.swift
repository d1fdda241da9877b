/// Google's Eddystone frames: service data of UUID 0xFEAA, one byte of frame type, then the frame (Eddystone Protocol
/// Specification).
public enum Eddystone {
    /// The 16-bit UUID of its service data.
    static let serviceUUID: UInt16 = 0xFEAA

    /// The frame in service data that begins with the 16-bit UUID.
    @inline(never)
    static func frame(serviceData data: RawSpan) -> Beacon? {
        guard data.byteCount >= 4, data.le16(0) == serviceUUID else { return nil }
        let frame = data.extracting(droppingFirst: 2)
        switch frame.byte(0) {
        case 0x00: return UID(frame: frame).map(Beacon.eddystoneUID)
        case 0x10: return URL(frame: frame).map(Beacon.eddystoneURL)
        case 0x20 where frame.byte(1) == 0: return TLM(frame: frame).map(Beacon.eddystoneTLM)
        case 0x20 where frame.byte(1) == 1: return EncryptedTLM(frame: frame).map(Beacon.eddystoneEncryptedTLM)
        case 0x30: return EID(frame: frame).map(Beacon.eddystoneEID)
        default: return nil
        }
    }

    /// Eddystone states the power at 0 m; at 1 m it is 41 dB less (Eddystone-UID, "Ranging Data"). The byte is signed.
    private static func measuredPower(_ frame: RawSpan) -> Int { Int(frame.signed(1)) - 41 }

    /// A beacon's own identifier.
    public struct UID: BeaconFormat {
        static let formatName: StaticString = "eddystone-uid"
        /// Ten bytes that an organisation's beacons share.
        let namespace: FrameBytes
        /// Six bytes of the single beacon.
        let instance: FrameBytes
        /// RSSI at 1 m, dBm.
        public let measuredPower: Int

        init?(frame: RawSpan) {
            guard frame.byteCount >= 18 else { return nil }
            measuredPower = Eddystone.measuredPower(frame)
            namespace = FrameBytes(frame.extracting(2..<12))
            instance = FrameBytes(frame.extracting(12..<18))
        }

        func writeMembers(to line: inout JSONLine) {
            line.member("namespace", hex: namespace)
            line.member("instance", hex: instance)
            line.member("measuredPower", Int64(measuredPower))
        }
    }

    /// A compressed web address.
    public struct URL: BeaconFormat {
        static let formatName: StaticString = "eddystone-url"
        /// The scheme's code.
        private let scheme: UInt8
        /// The rest, with codes for common endings.
        private let encoded: FrameBytes
        /// RSSI at 1 m, dBm.
        public let measuredPower: Int

        private static let schemes: [StaticString] = ["http://www.", "https://www.", "http://", "https://"]
        private static let expansions: [StaticString] = [
            ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/",
            ".com", ".org", ".edu", ".net", ".info", ".biz", ".gov",
        ]

        init?(frame: RawSpan) {
            guard frame.byteCount >= 3, frame.byteCount <= 20, frame.byte(2) < Self.schemes.count else { return nil }
            for offset in 3..<frame.byteCount {
                let byte = frame.byte(offset)
                // The codes between are reserved.
                guard byte < Self.expansions.count || 0x21...0x7E ~= byte else { return nil }
            }
            scheme = frame.byte(2)
            encoded = FrameBytes(frame.extracting(droppingFirst: 3))
            measuredPower = Eddystone.measuredPower(frame)
        }

        /// The address, expanded.
        public var url: String {
            var text = "\(Self.schemes[Int(scheme)])"
            for offset in 0..<encoded.count {
                let byte = encoded[offset]
                if byte < Self.expansions.count {
                    text += "\(Self.expansions[Int(byte)])"
                } else {
                    text.unicodeScalars.append(UnicodeScalar(byte))
                }
            }
            return text
        }

        func writeMembers(to line: inout JSONLine) {
            line.write(atMost: 256) { cursor in
                cursor.literal(",\"url\":\"")
                cursor.literal(Self.schemes[Int(scheme)])
                for offset in 0..<encoded.count {
                    let byte = encoded[offset]
                    if byte < Self.expansions.count {
                        cursor.literal(Self.expansions[Int(byte)])
                    } else {
                        // Of the graphic characters, two must be escaped.
                        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                            cursor.byte(UInt8(ascii: "\\"))
                        }
                        cursor.byte(byte)
                    }
                }
                cursor.literal("\",\"measuredPower\":")
                cursor.integer(Int64(measuredPower))
            }
        }
    }

    /// Telemetry in the clear.
    public struct TLM: BeaconFormat {
        static let formatName: StaticString = "eddystone-tlm"
        /// Battery voltage, mV; `nil` where not supported.
        public let batteryMillivolts: UInt16?
        /// Degrees Celsius in steps of 1/256; `nil` where not supported.
        public let temperature: Double?
        /// Frames sent since the beacon started.
        public let advertisementCount: UInt32
        /// Tenths of a second since the beacon started.
        public let uptimeTenths: UInt32

        init?(frame: RawSpan) {
            guard frame.byteCount >= 14 else { return nil }
            let battery = frame.be16(2)
            let temperature = Int16(bitPattern: frame.be16(4))
            batteryMillivolts = battery == 0 ? nil : battery
            self.temperature = temperature == .min ? nil : Double(temperature) / 256
            advertisementCount = frame.be32(6)
            uptimeTenths = frame.be32(10)
        }

        func writeMembers(to line: inout JSONLine) {
            if let batteryMillivolts { line.member("batteryMillivolts", Int64(batteryMillivolts)) }
            if let temperature { line.member("temperature", temperature, decimals: 4) }
            line.member("advertisementCount", Int64(advertisementCount))
            line.member("uptime", Double(uptimeTenths) / 10, decimals: 1)
        }
    }

    /// Telemetry that only the beacon's owner can read.
    public struct EncryptedTLM: BeaconFormat {
        static let formatName: StaticString = "eddystone-etlm"
        /// Ciphertext, salt and integrity check as sent.
        let data: FrameBytes

        init?(frame: RawSpan) {
            // The specification has 18 bytes; beacons that leave out salt and check are met too.
            guard frame.byteCount >= 14 else { return nil }
            data = FrameBytes(frame.extracting(droppingFirst: 2))
        }

        func writeMembers(to line: inout JSONLine) { line.member("data", hex: data) }
    }

    /// An identifier that changes, to be resolved by its owner.
    public struct EID: BeaconFormat {
        static let formatName: StaticString = "eddystone-eid"
        /// Eight bytes.
        let eid: FrameBytes
        /// RSSI at 1 m, dBm.
        public let measuredPower: Int

        init?(frame: RawSpan) {
            guard frame.byteCount >= 10 else { return nil }
            measuredPower = Eddystone.measuredPower(frame)
            eid = FrameBytes(frame.extracting(2..<10))
        }

        func writeMembers(to line: inout JSONLine) {
            line.member("eid", hex: eid)
            line.member("measuredPower", Int64(measuredPower))
        }
    }
}
