private import Glibc

/// What lies in a folder.
enum Folder {
    /// The names in it, without those that begin with a dot; none where it can't be read.
    static func names(in path: String) -> [String] {
        guard let entries = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(entries) }
        var names: [String] = []
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Whether one of the folders holds a program of this name.
    static func holds(program: String, in folders: [String]) -> Bool {
        folders.contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Where a symbolic link leads.
    static func link(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(path, &target, target.count)
        return count > 0 ? String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
