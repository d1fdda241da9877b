import Foundation
import Glibc

/// A real gpsd on this machine's loopback, with one receiver behind a socket; it ends with its owner.
final class GPSDaemon {
    static let path = program("gpsd")

    private let process = Process()
    private let folder: TestFolder
    private let device: String

    /// - Parameters:
    ///   - port: Where it listens.
    ///   - receiver: Where its receiver sends.
    init(port: UInt16, receiver: UInt16) throws {
        folder = try TestFolder()
        device = "tcp://127.0.0.1:\(receiver)"
        process.executableURL = URL(filePath: Self.path ?? "gpsd")
        process.arguments = ["-N", "-b", "-S", "\(port)", "-F", folder.path("control"), device]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { end() }

    func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Tells it that the receiver was pulled out, as udev does.
    func removeReceiver() throws {
        let control = Process()
        control.executableURL = URL(filePath: program("gpsdctl") ?? "gpsdctl")
        control.arguments = ["remove", device]
        control.environment = ["GPSD_SOCKET": folder.path("control")]
        control.standardOutput = FileHandle.nullDevice
        control.standardError = FileHandle.nullDevice
        try control.run()
        control.waitUntilExit()
    }
}
