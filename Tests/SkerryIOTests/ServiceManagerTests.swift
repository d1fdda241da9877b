import Glibc
import Testing

@testable import SkerryIO

@Suite("The service manager")
struct ServiceManagerTests {
    /// A socket as systemd makes one.
    private final class Listener {
        private let descriptor: FileDescriptor

        init(_ path: String) throws {
            let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
            descriptor = FileDescriptor(number: number)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let name = [UInt8](path.utf8).map { $0 == UInt8(ascii: "@") ? 0 : $0 }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
            let length = socklen_t(2 + name.count)
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
            }
            try #require(result == 0)
        }

        /// The messages that came since.
        func heard() -> [String] {
            var messages: [String] = []
            var piece = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor.number, &piece, piece.count, 0)
                guard count >= 0 else { return messages }
                messages.append(String(decoding: piece.prefix(count), as: UTF8.self))
            }
        }
    }

    @Test("a run, from a socket in a folder and from one without a file", arguments: [false, true])
    func run(isAbstract: Bool) throws {
        let folder = try TestFolder()
        let path = isAbstract ? "@skerry-test-\(getpid())" : folder.path("notify")
        let listener = try Listener(path)
        var manager = ServiceManager(
            socketPath: path, watchdogMicroseconds: "30000000", watchdogProcess: String(getpid()))
        manager.tellReady()
        manager.tell(status: "hci0 is listening")
        manager.tell(status: "hci0 is listening")
        manager.tell(status: "hci0 failed\nREADY=0")
        #expect(listener.heard() == ["READY=1", "STATUS=hci0 is listening", "STATUS=hci0 failed READY=0"])
        manager.step(now: 100)
        #expect(listener.heard() == ["WATCHDOG=1"] && manager.deadline == 15_000_100)
        manager.step(now: 15_000_099)
        #expect(listener.heard().isEmpty && manager.deadline == 15_000_100)
        manager.step(now: 20_000_000)
        #expect(listener.heard() == ["WATCHDOG=1"] && manager.deadline == 35_000_000)
        manager.tellStopping()
        #expect(listener.heard() == ["STOPPING=1"])
    }

    @Test(
        "who wants signs of life, and how often",
        arguments: [
            ("/run/notify", "2000000", nil, 1_000_000), ("@notify", "2000000", nil, 1_000_000),
            ("/run/notify", "2000000", "1", nil), ("/run/notify", nil, nil, nil), ("/run/notify", "0", nil, nil),
            ("/run/notify", "-5", nil, nil), ("/run/notify", "soon", nil, nil), (nil, "2000000", nil, nil),
            ("", "2000000", nil, nil), ("vsock:2:1234", "2000000", nil, nil),
        ] as [(String?, String?, String?, Int64?)])
    func watchdog(path: String?, patience: String?, process: String?, interval: Int64?) {
        let manager = ServiceManager(
            socketPath: path, watchdogMicroseconds: patience, watchdogProcess: process)
        #expect(manager.interval == interval)
        #expect((manager.deadline != nil) == (interval != nil))
    }

    @Test("nobody is there: nothing happens")
    func nobody() throws {
        for path in ["/nowhere/notify", "@", "/" + String(repeating: "x", count: 200)] {
            var manager = ServiceManager(socketPath: path, watchdogMicroseconds: "2", watchdogProcess: nil)
            manager.tellReady()
            manager.step(now: 7)
            #expect(manager.deadline == 8)
        }
    }
}
