private import CLinux
import SkerryCore

extension Capabilities {
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
}
