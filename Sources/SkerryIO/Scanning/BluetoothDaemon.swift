/// bluetoothd, BlueZ's daemon, where it runs, as far as it may be seen (proc(5)).
struct BluetoothDaemon {
    static let name = "bluetoothd"
    private let folder: String

    init?() {
        let processes = Folder.names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }.map { "/proc/\($0)" }
        let found = processes.first { (try? TextFile.read($0 + "/comm")) == Self.name + "\n" }
        guard let found else { return nil }
        folder = found
    }

    /// Whether it offers its experimental interfaces.
    var isExperimental: Bool {
        let words = (try? TextFile.read(folder + "/cmdline"))?.split(separator: "\0").map(String.init) ?? []
        let configuration = (try? TextFile.read("/etc/bluetooth/main.conf")) ?? ""
        return Self.isExperimental(words: words, configuration: configuration)
    }

    /// Whether it was told so on its command line (`-E`) or in its configuration.
    static func isExperimental(words: [String], configuration: String) -> Bool {
        if words.contains(where: { $0 == "-E" || $0.hasPrefix("--experimental") }) { return true }
        return configuration.split(separator: "\n").contains { line in
            let words = line.split { $0 == "=" || $0 == " " }
            return words.first == "Experimental" && words.last == "true"
        }
    }
}
