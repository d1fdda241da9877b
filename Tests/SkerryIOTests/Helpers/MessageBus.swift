import Foundation
import Glibc

/// A real message bus of its own, on a socket in a folder of the test's; it ends with its owner.
final class MessageBus {
    static let path = program("dbus-daemon")

    let address: String
    private var process = Process()
    private let folder: TestFolder
    private let configuration: String

    /// - Parameter denied: An interface of bluetoothd that its policy denies to everybody.
    init(denied: String? = nil) throws {
        folder = try TestFolder()
        address = "unix:path=\(folder.path("bus"))"
        let rule = denied.map { "<deny send_destination=\"org.bluez\" send_interface=\"\($0)\"/>" } ?? ""
        configuration = try folder.file(
            "bus.conf",
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><listen>\(address)</listen><policy context="default"><allow user="*"/><allow own="*"/>
            <allow send_destination="*"/><allow receive_type="method_call"/><allow receive_type="method_return"/>
            <allow receive_type="error"/><allow receive_type="signal"/>\(rule)</policy></busconfig>
            """.utf8)
    }

    deinit { end() }

    /// Starts it, also anew, and waits until it listens.
    func start() throws {
        try? FileManager.default.removeItem(atPath: folder.path("bus"))
        process = Process()
        process.executableURL = URL(filePath: Self.path ?? "dbus-daemon")
        process.arguments = ["--nofork", "--nopidfile", "--config-file=\(configuration)"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<2000 where !FileManager.default.fileExists(atPath: folder.path("bus")) { usleep(1000) }
    }

    func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Lets it do nothing, or go on.
    func stop() { kill(process.processIdentifier, SIGSTOP) }
    func resume() { kill(process.processIdentifier, SIGCONT) }
}
