private import CLinux

/// The two privileges of capabilities(7) that scanning may need.
struct Capabilities: OptionSet, Equatable, Sendable {
    let rawValue: UInt64

    /// CAP_NET_ADMIN: to switch an adapter on, and to take one exclusively.
    static let netAdmin = Capabilities(rawValue: 1 << 12)
    /// CAP_NET_RAW: to hear advertisements, and to command a controller.
    static let netRaw = Capabilities(rawValue: 1 << 13)

    /// What this process may do.
    static var ofThisProcess: Capabilities {
        guard let status = try? TextFile.read("/proc/self/status") else { return [] }
        return Capabilities(status: status)
    }

    /// What the file of this program gives to who starts it.
    static var ofThisProgram: Capabilities {
        var bytes = [UInt8](repeating: 0, count: 24)
        let count = unsafe linux_file_capabilities(&bytes, UInt(bytes.count))
        return Capabilities(attribute: bytes.prefix(max(0, count)))
    }

    /// From the line `CapEff:` of a process's status (proc(5)).
    init(status: String) {
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let digits = line?.split { $0 == "\t" || $0 == " " }.last
        self.init(rawValue: digits.flatMap { UInt64($0, radix: 16) } ?? 0)
    }

    /// From the attribute of a file (`vfs_cap_data` in linux/capability.h): a word of which bit 0 says that what is permitted
    /// is in effect at once, then the permitted and the inheritable ones; least significant byte first.
    init(attribute: some Collection<UInt8>) {
        let bytes = Array(attribute)
        guard bytes.count >= 12, bytes[0] & 1 == 1 else {
            self.init(rawValue: 0)
            return
        }
        self.init(rawValue: bytes[4..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    init(rawValue: UInt64) { self.rawValue = rawValue }
}
