/// The two privileges of capabilities(7) that scanning may need.
public struct Capabilities: OptionSet, Equatable, Sendable {
    /// A bit for each, as the kernel numbers them.
    public let rawValue: UInt64

    /// CAP_NET_ADMIN: to switch an adapter on, and to take one exclusively.
    public static let netAdmin = Capabilities(rawValue: 1 << 12)
    /// CAP_NET_RAW: to hear advertisements, and to command a controller.
    public static let netRaw = Capabilities(rawValue: 1 << 13)

    /// From the line `CapEff:` of a process's status (proc(5)); none where there is no such line.
    public init(status: String) {
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let digits = line?.split { $0 == "\t" || $0 == " " }.last
        self.init(rawValue: digits.flatMap { UInt64($0, radix: 16) } ?? 0)
    }

    /// From the attribute of a file (`vfs_cap_data` in linux/capability.h): a word of which bit 0 says that what is permitted
    /// is in effect at once, then the permitted and the inheritable ones; least significant byte first.
    public init(attribute: some Collection<UInt8>) {
        let bytes = Array(attribute)
        guard bytes.count >= 12, bytes[0] & 1 == 1 else {
            self.init(rawValue: 0)
            return
        }
        self.init(rawValue: bytes[4..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// From the bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}
