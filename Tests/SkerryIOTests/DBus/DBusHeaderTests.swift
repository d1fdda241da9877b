import Foundation
import Testing

@testable import SkerryIO

/// What is declared of libdbus is what it is.
@Suite struct DBusHeaderTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized.path()
    private static let original = "/usr/include/dbus-1.0"
    /// Where Debian has what depends on the machine.
    private static let machine = ["x86_64", "aarch64", "arm", "riscv64"].flatMap { machine in
        ["gnu", "gnueabihf"].map { "/usr/lib/\(machine)-linux-\($0)/dbus-1.0/include" }
    }.first { FileManager.default.fileExists(atPath: $0) }

    @Test(.enabled(if: program("gcc") != nil && machine != nil, "gcc or libdbus's headers are not installed"))
    func agreesWithTheOriginal() throws {
        let main = """
            #include "CDBus.h"
            #include <stdio.h>
            int main(void) {
                printf("%zu %zu %zu", sizeof(DBusError), sizeof(DBusMessageIter), sizeof(dbus_bool_t));
            }
            """
        // What is declared twice must agree, or does not compile.
        let both = try output(of: "#include <dbus/dbus.h>\n" + main)
        #expect(!both.isEmpty)
        #expect(try output(of: main) == both)
    }

    /// What a C program prints; nothing where it does not compile without a warning.
    private func output(of text: String) throws -> String {
        let folder = try TestFolder()
        let source = try folder.file("check.c", text.utf8)
        let program = folder.path("check")
        let folders = [Self.original, Self.machine!, Self.root + "/Sources/CDBus/include"].flatMap { ["-I", $0] }
        _ = try run("/usr/bin/gcc", ["-Wall", "-Wextra", "-Werror", source, "-o", program] + folders)
        return FileManager.default.fileExists(atPath: program) ? try run(program, []) : ""
    }

    private func run(_ path: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
