import Foundation
import Testing

@testable import skerry

/// The manual page, against what the program says of itself.
@Suite struct ManualTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    private static let page = root.appending(path: "Sources/skerry/skerry.1")

    /// The words that head the paragraphs of a section.
    private func heads(of section: String) throws -> [String] {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let body = text.components(separatedBy: ".SH ").first { $0.hasPrefix(section + "\n") } ?? ""
        return body.components(separatedBy: ".TP\n.B ").dropFirst().map { String($0.prefix { $0 != "\n" }) }
    }

    @Test func everyCommandIsInIt() throws {
        let lines = Main.help.split(separator: "\n").filter { $0.hasPrefix("  ") }
        let commands = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(try !commands.isEmpty && heads(of: "COMMANDS") == commands)
    }

    @Test func everyExitCodeIsInIt() throws {
        let codes = (0...255).filter { ExitCode(rawValue: $0) != nil }.map(String.init)
        #expect(try heads(of: "EXIT STATUS") == codes)
    }

    @Test(.enabled(if: isThere("groff"), "groff is not installed")) func nothingIsWrongWithItsMacros() throws {
        #expect(try said(by: "groff", "-man", "-ww", "-Tutf8", "-z", Self.page.path) == "")
    }

    /// Where it is installed it names the places of this installation.
    @Test(.enabled(if: isThere("make"), "make is not installed")) func itIsInstalled() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skerry-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try said(
            by: "make", "-s", "-C", Self.root.path, "install-manual", "DESTDIR=\(folder.path)", "PREFIX=/opt/skerry")
        let page = folder.appending(path: "opt/skerry/share/man/man1/skerry.1")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("/opt/skerry/etc/skerry.conf\n"))
        #expect(text.contains("/opt/skerry/lib/systemd/system/skerry.service\n") && !text.contains("/usr/local"))
    }

    private static func isThere(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
    }

    /// What a program writes, on both streams.
    private func said(by program: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/" + program)
        process.arguments = arguments
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }
}
