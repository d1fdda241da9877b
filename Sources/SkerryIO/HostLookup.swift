/// Finds the addresses of a host without keeping anybody waiting.
///
/// The C library's own look-up blocks for seconds when a name server is silent; there is one thread here, so `getent`,
/// which comes with the C library, waits in its place.
final class HostLookup {
    private let process: ChildProcess
    private var answer: [UInt8] = []

    /// Begins.
    init(_ host: String) throws(SystemError) {
        process = try ChildProcess("getent", ["ahosts", host])
        process.output.setNonBlocking()
    }

    /// Readable when `addresses` has something new to say.
    var descriptor: Int32 { process.output.number }

    /// The addresses in the order in which they should be tried; none where there is no such host; `nil` while they
    /// are not known.
    func addresses() throws(SystemError) -> [String]? {
        while answer.count <= 65_536 {
            var piece = [UInt8](repeating: 0, count: 4096)
            var span = piece.mutableSpan
            var room = unsafe span.mutableBytes
            let count = try unsafe room.withUnsafeMutableBytes { (room) throws(SystemError) in
                try unsafe process.output.readNow(into: room)
            }
            guard let count else { return nil }
            if count == 0 { break }
            answer += piece.prefix(count)
        }
        var addresses: [String] = []
        for line in String(decoding: answer, as: UTF8.self).split(separator: "\n") {
            let address = String(line.prefix { $0 != " " })
            if !addresses.contains(address) { addresses.append(address) }
        }
        return addresses
    }
}
