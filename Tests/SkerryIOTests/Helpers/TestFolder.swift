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

    /// Writes a program and tells its path. Another process writes it: what this one has open for writing, a child of
    /// another test could still have open when it is to be run, which is refused (ETXTBSY).
    func program(_ name: String, _ text: String) throws -> String {
        let source = try file(name + ".text", "#!/bin/sh\n\(text)\n".utf8)
        let copy = Process()
        copy.executableURL = URL(filePath: "/bin/sh")
        copy.arguments = ["-c", "cp \"$0\" \"$1\" && chmod 755 \"$1\"", source, path(name)]
        try copy.run()
        copy.waitUntilExit()
        return path(name)
    }
}

/// Where a program of the system is; `nil` where it is not installed.
func program(_ name: String) -> String? {
    ["/usr/bin/", "/usr/sbin/", "/bin/", "/usr/local/bin/", "/usr/local/sbin/"].map { $0 + name }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
}
