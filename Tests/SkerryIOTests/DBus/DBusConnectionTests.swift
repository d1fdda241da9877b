import Foundation
import Glibc
import Testing

@testable import SkerryIO

@Suite(.enabled(if: MessageBus.path != nil, "dbus-daemon is not installed"), .serialized)
struct DBusConnectionTests {
    private static let bus = "org.freedesktop.DBus"

    private static func hello() -> DBusMessage { .call(bus, "/org/freedesktop/DBus", bus, "Hello") }

    /// Takes messages until one is wanted; gives up after ten seconds.
    private static func wait(
        _ connections: [DBusConnection], for isWanted: (DBusMessage) -> Bool
    ) throws -> DBusMessage? {
        var poller = Poller()
        let end = MachineClock.monotonic + 10_000_000
        while MachineClock.monotonic < end {
            for connection in connections {
                while let message = connection.next() { if isWanted(message) { return message } }
            }
            _ = try poller.wait(for: connections.map(\.interest), until: MachineClock.monotonic + 100_000)
        }
        return nil
    }

    private static func name(_ connection: DBusConnection) throws -> String {
        let serial = connection.send(hello())
        let answer = try #require(try wait([connection]) { $0.replySerial == serial })
        return try #require(answer.arguments.first?.text)
    }

    /// One caller waits, for whom there is room; the next one is not kept waiting.
    @Test(.timeLimit(.minutes(1))) func aBusThatAcceptsNobodyIsNoBus() throws {
        let folder = try TestFolder()
        let listener = FileDescriptor(number: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.path("bus").utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener.number, $0, length) == 0 }
        }
        #expect(isBound && listen(listener.number, 0) == 0)
        let first = try DBusConnection("unix:path=\(folder.path("bus"))")
        #expect(first.isOpen)
        let begin = MachineClock.monotonic
        let failure = #expect(throws: DBusFailure.self) { try DBusConnection("unix:path=\(folder.path("bus"))") }
        #expect(failure?.message == "it accepts no callers")
        #expect(20_000..<1_000_000 ~= MachineClock.monotonic - begin)
    }

    @Test func greetsTheBus() throws {
        let bus = try MessageBus()
        try bus.start()
        let connection = try DBusConnection(bus.address)
        #expect(try Self.name(connection) == ":1.0")
        #expect(connection.isOpen)
    }

    @Test(
        arguments: [
            .byte(200), .boolean(true), .int16(-90), .uint16(0x4C), .string("Grüezi"), .objectPath("/org/bluez"),
            .bytes([]), .bytes([2, 21]), .array([], of: "s"), .array([.string("a"), .string("b")], of: "s"),
            .structure([.byte(0), .byte(255), .bytes([1, 2, 3])]), .variant(.variant(.int16(3))),
            .properties([:]), .properties(["RSSI": .int16(-60), "Powered": .boolean(false)]),
            .array([.entry(.uint16(76), .variant(.bytes([2, 21])))], of: "{qv}"),
            .array([.structure([.byte(0), .byte(255), .bytes([76, 0])])], of: "(yyay)"),
        ] as [DBusValue])
    func carriesValues(_ value: DBusValue) throws {
        let bus = try MessageBus()
        try bus.start()
        let (caller, called) = (try DBusConnection(bus.address), try DBusConnection(bus.address))
        _ = try Self.name(caller)
        let name = try Self.name(called)
        let serial = caller.send(.call(name, "/a", "a.b", "Echo", [value, .string("end")]))
        let call = try #require(try Self.wait([caller, called]) { $0.member == "Echo" })
        #expect(call.wantsReply)
        #expect(call.path == "/a" && call.interface == "a.b")
        called.send(call.reply(call.arguments))
        let answer = try #require(try Self.wait([caller, called]) { $0.replySerial == serial })
        #expect(answer.sender == name)
        #expect(answer.arguments == [value, .string("end")])
    }

    @Test func tellsErrors() throws {
        let bus = try MessageBus()
        try bus.start()
        let connection = try DBusConnection(bus.address)
        _ = try Self.name(connection)
        let serial = connection.send(.call("a.b", "/", "a.b", "C"))
        let answer = try #require(try Self.wait([connection]) { $0.replySerial == serial })
        #expect(answer.kind == .error)
        #expect(answer.errorName == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    @Test func readsLongMessages() throws {
        let bus = try MessageBus()
        try bus.start()
        let (caller, called) = (try DBusConnection(bus.address), try DBusConnection(bus.address))
        _ = try Self.name(caller)
        let name = try Self.name(called)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        caller.send(.call(name, "/a", "a.b", "Long", [.bytes(bytes)]))
        let call = try #require(try Self.wait([caller, called]) { $0.member == "Long" })
        #expect(call.arguments == [.bytes(bytes)])
    }

    @Test func seesTheBusGo() throws {
        let bus = try MessageBus()
        try bus.start()
        let connection = try DBusConnection(bus.address)
        _ = try Self.name(connection)
        bus.end()
        while connection.next() != nil {}
        #expect(!connection.isOpen)
        connection.send(Self.hello())
        #expect(connection.next() == nil)
    }

    @Test func doesNotWaitForABusThatHangs() throws {
        let bus = try MessageBus()
        try bus.start()
        bus.stop()
        defer { bus.resume() }
        let begin = MachineClock.monotonic
        let connection = try DBusConnection(bus.address)
        connection.send(Self.hello())
        #expect(connection.next() == nil)
        #expect(connection.interest.events == .readable, "writing would not wait, but means nothing yet")
        #expect(MachineClock.monotonic - begin < 1_000_000)
        bus.resume()
        #expect(try Self.wait([connection]) { $0.kind == .methodReturn } != nil)
    }

    @Test(arguments: [
        ("unix:path=/nowhere/bus", "org.freedesktop.DBus.Error.FileNotFound"),
        ("tcp:host=localhost,port=1", "org.freedesktop.DBus.Error.BadAddress"),
        ("unixexec:path=/bin/false", "org.freedesktop.DBus.Error.BadAddress"),
        ("", "org.freedesktop.DBus.Error.BadAddress"),
    ])
    func refusesAddresses(address: String, name: String) {
        let failure = #expect(throws: DBusFailure.self) { try DBusConnection(address) }
        #expect(failure?.name == name)
    }
}
