private import Glibc
import SkerryCore

/// Looks at the other programs of this machine, as far as they may be seen (proc(5)).
struct ProcessProbe {
    /// BlueZ's daemon, where it runs.
    private(set) var bluetoothd: Machine.BluetoothDaemon?
    /// Programs with sockets to Bluetooth controllers, bluetoothd not among them.
    private(set) var scanners: [String] = []

    init() {
        // Sockets of programs that may not be seen keep their number.
        var sockets = Set(Self.inodes(in: (try? TextFile.read("/proc/net/hci")) ?? ""))
        for process in Folder.names(in: "/proc") where process.allSatisfy(\.isNumber) && process != String(getpid()) {
            let folder = "/proc/\(process)"
            let name = (try? TextFile.read(folder + "/comm"))?.split(separator: "\n").first.map(String.init) ?? "?"
            if name == "bluetoothd" {
                let words = (try? TextFile.read(folder + "/cmdline"))?.split(separator: "\0").map(String.init) ?? []
                let configuration = (try? TextFile.read("/etc/bluetooth/main.conf")) ?? ""
                bluetoothd = Machine.BluetoothDaemon(
                    isExperimental: Self.isExperimental(words: words, configuration: configuration))
            }
            guard !sockets.isEmpty else { continue }
            let own = Folder.names(in: folder + "/fd").compactMap { Self.inode(Folder.link(folder + "/fd/" + $0)) }
            let found = sockets.intersection(own)
            sockets.subtract(found)
            if !found.isEmpty, name != "bluetoothd" { scanners.append("\(name) (process \(process))") }
        }
        if bluetoothd == nil, !sockets.isEmpty { scanners.append("another user's program") }
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

    /// Whether bluetoothd was told so on its command line (`-E`) or in its configuration.
    static func isExperimental(words: [String], configuration: String) -> Bool {
        if words.contains(where: { $0 == "-E" || $0.hasPrefix("--experimental") }) { return true }
        return configuration.split(separator: "\n").contains { line in
            let words = line.split { $0 == "=" || $0 == " " }
            return words.first == "Experimental" && words.last == "true"
        }
    }
}
