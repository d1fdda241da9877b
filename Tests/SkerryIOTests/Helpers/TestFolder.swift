import Foundation

/// A folder for the files of one test; it goes with the last that holds it.
final class TestFolder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "skerry-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path() }

    /// Writes a file and tells its path.
    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try Data(bytes).write(to: url.appending(path: name))
        return path(name)
    }

    /// Writes a program and tells its path.
    func program(_ name: String, _ text: String) throws -> String {
        let path = try file(name, "#!/bin/sh\n\(text)\n".utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }
}

/// Where a program of the system is; `nil` where it is not installed.
func program(_ name: String) -> String? {
    ["/usr/bin/", "/usr/sbin/", "/bin/", "/usr/local/bin/", "/usr/local/sbin/"].map { $0 + name }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
}
