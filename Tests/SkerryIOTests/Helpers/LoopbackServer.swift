import Glibc
import Testing

@testable import SkerryIO

/// A server on this machine's loopback for one peer at a time; nothing in it blocks.
final class LoopbackServer {
    let port: UInt16
    /// What the present peer and those before it said.
    private(set) var heard = ""
    /// Peers that came.
    private(set) var peers = 0
    private let listener: FileDescriptor
    private var peer: FileDescriptor?
    private var pending: [UInt8] = []

    /// - Parameter port: 0 for any that is free.
    init(port: UInt16 = 0) throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        listener = FileDescriptor(number: number)
        var yes: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(number, address, length) == 0 && listen(number, 8) == 0
                    && getsockname(number, address, &length) == 0
            }
        }
        try #require(isBound)
        self.port = UInt16(bigEndian: address.sin_port)
    }

    var hasPeer: Bool { peer?.number != nil }

    /// Sends as far as the peer takes it; the rest waits.
    func send(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        proceed()
    }

    func send(_ text: String) { send(text.utf8) }

    /// Whether everything was sent.
    var isDone: Bool { pending.isEmpty }

    /// Lets the peer go.
    func hangUp() {
        peer = nil
        pending = []
    }

    /// Accepts, reads and sends what can be without waiting.
    func proceed() {
        if !hasPeer {
            let accepted = accept(listener.number, nil, nil)
            guard accepted >= 0 else { return }
            let new = FileDescriptor(number: accepted)
            new.setNonBlocking()
            peer = consume new
            peers += 1
        }
        guard let number = peer?.number else { return }
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(number, &piece, piece.count, 0)
            if count == 0 { return hangUp() }
            if count < 0 { break }
            heard += String(decoding: piece.prefix(count), as: UTF8.self)
        }
        while !pending.isEmpty {
            let count = Glibc.send(number, pending, pending.count, Int32(MSG_NOSIGNAL))
            if count <= 0 { break }
            pending.removeFirst(count)
        }
    }
}
