/// One line of gpsd's JSON, live or from a log (gpsd_json(5)).
///
/// Versions 3.17 to 3.27 are read alike. A member that is not what it should be is left out and counted; a line that is
/// no JSON object with a class is refused.
public enum GPSDReport: Sendable {
    /// Time, position, velocity.
    case position(TPV)
    /// How a vehicle lies, with its compass.
    case attitude(ATT)
    /// gpsd presents itself: the first line of a session.
    case version(release: String, protocolMajor: Int?)
    /// All devices that gpsd knows.
    case devices([GPSDDevice])
    /// A device came, changed or went.
    case device(GPSDDevice)
    /// What gpsd sends us from now on.
    case watch(isEnabled: Bool, isJSON: Bool)
    /// gpsd refuses a request.
    case error(message: String)
    /// A class that nothing here needs. Unknown ones are normal: gpsd passes on whatever a device says in JSON.
    case other(class: String)

    /// Reads a line.
    ///
    /// - Parameter unreadable: Raised by one for each known member that was left out.
    /// - Throws: Where the line can't be read at all.
    init(line: RawSpan, unreadable: inout Int) throws(JSONReader.Malformed) {
        switch try Self.className(line) {
        case "TPV":
            var tpv = TPV()
            try Self.members(of: line, &unreadable) { tpv.set($0, $1) }
            self = .position(tpv)
        case "ATT":
            var att = ATT()
            try Self.members(of: line, &unreadable) { att.set($0, $1) }
            self = .attitude(att)
        case "VERSION":
            var release: String?
            var major: Int?
            try Self.members(of: line, &unreadable) { name, value in
                switch name {
                case "release": value.store(in: &release)
                case "proto_major": value.store(in: &major)
                default: true
                }
            }
            self = .version(release: release ?? "", protocolMajor: major)
        case "WATCH":
            var (isEnabled, isJSON) = (false, false)
            try Self.members(of: line, &unreadable) { name, value in
                switch name {
                case "enable": value.store(in: &isEnabled)
                case "json": value.store(in: &isJSON)
                default: true
                }
            }
            self = .watch(isEnabled: isEnabled, isJSON: isJSON)
        case "ERROR":
            var message: String?
            try Self.members(of: line, &unreadable) { $0 == "message" ? $1.store(in: &message) : true }
            self = .error(message: message ?? "")
        case "DEVICE":
            var device = GPSDDevice()
            try Self.members(of: line, &unreadable) { device.set($0, $1) }
            self = .device(device)
        case "DEVICES": self = .devices(try Self.devices(line, &unreadable))
        case let other:
            // Only read to its end, to see that it is whole.
            try Self.members(of: line, &unreadable) { _, _ in true }
            self = .other(class: other)
        }
    }

    private static func className(_ line: RawSpan) throws(JSONReader.Malformed) -> String {
        var reader = JSONReader(line)
        try reader.beginObject()
        while let name = try reader.nextName() {
            let value = try reader.value()
            if name == "class", case .string(let text) = value { return text }
        }
        throw JSONReader.Malformed()
    }

    private static func members(
        of line: RawSpan, _ unreadable: inout Int, set: (String, JSONValue) -> Bool
    ) throws(JSONReader.Malformed) {
        var reader = JSONReader(line)
        try members(of: &reader, &unreadable, set: set)
        guard reader.next() == nil else { throw JSONReader.Malformed() }
    }

    private static func members(
        of reader: inout JSONReader, _ unreadable: inout Int, set: (String, JSONValue) -> Bool
    ) throws(JSONReader.Malformed) {
        try reader.beginObject()
        while let name = try reader.nextName() {
            if !set(name, try reader.value()) { unreadable += 1 }
        }
    }

    private static func devices(
        _ line: RawSpan, _ unreadable: inout Int
    ) throws(JSONReader.Malformed) -> [GPSDDevice] {
        var reader = JSONReader(line)
        var devices: [GPSDDevice] = []
        try reader.beginObject()
        while let name = try reader.nextName() {
            guard name == "devices", reader.next() == UInt8(ascii: "[") else {
                _ = try reader.value()
                continue
            }
            try reader.beginArray()
            while try reader.hasElement() {
                var device = GPSDDevice()
                try members(of: &reader, &unreadable) { device.set($0, $1) }
                devices.append(device)
            }
        }
        guard reader.next() == nil else { throw JSONReader.Malformed() }
        return devices
    }
}
