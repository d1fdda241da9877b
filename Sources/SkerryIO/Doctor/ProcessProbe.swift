private import Glibc
import SkerryCore

/// Looks at the other programs of this machine, as far as they may be seen (proc(5)).
enum ProcessProbe {
    /// Programs with sockets to Bluetooth controllers, bluetoothd not among them.
    ///
    /// - Parameter hasDaemon: Whether bluetoothd runs, whose sockets only root may see.
    static func scanners(hasDaemon: Bool) -> [String] {
        var scanners: [String] = []
        // Sockets of programs that may not be seen keep their number.
        var sockets = Set(inodes(in: (try? TextFile.read("/proc/net/hci")) ?? ""))
        guard !sockets.isEmpty else { return [] }
        for process in Folder.names(in: "/proc") where process.allSatisfy(\.isNumber) && process != String(getpid()) {
            let folder = "/proc/\(process)"
            let name = (try? TextFile.read(folder + "/comm"))?.split(separator: "\n").first.map(String.init) ?? "?"
            let own = Folder.names(in: folder + "/fd").compactMap { inode(Folder.link(folder + "/fd/" + $0)) }
            let found = sockets.intersection(own)
            sockets.subtract(found)
            if !found.isEmpty, name != BluetoothDaemon.name { scanners.append("\(name) (process \(process))") }
        }
        if !hasDaemon, !sockets.isEmpty { scanners.append("another user's program") }
        return scanners
    }

    /// The inodes of the sockets that `/proc/net/hci` lists: the sixth column below a line of headings.
    static func inodes(in table: String) -> [UInt64] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: " ")
            return columns.count > 5 ? UInt64(columns[5]) : nil
        }
    }

    /// The inode in `socket:[12345]`.
    static func inode(_ link: String?) -> UInt64? {
        guard let link, link.hasPrefix("socket:["), link.hasSuffix("]") else { return nil }
        return UInt64(link.dropFirst(8).dropLast())
    }
}
