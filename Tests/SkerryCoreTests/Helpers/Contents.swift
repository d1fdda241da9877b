import Testing

@testable import SkerryCore

/// What a capture turns out to hold, record by record.
struct Contents {
    struct Record: Equatable, CustomStringConvertible {
        var time: String
        var link: LinkType
        var controller: UInt16 = 0
        /// Hexadecimal digits.
        var payload: String

        var description: String { "\(time) \(link) \(controller) \(payload)" }
    }

    var kind: String?
    var records: [Record] = []
    /// Parts that could not be read but were passed.
    var damages: [String] = []
    /// What is wrong with the end.
    var end: String?

    /// Reads a capture that lies in memory.
    ///
    /// - Throws: Where it is not recognised.
    init(_ bytes: [UInt8]) throws {
        var stream = CaptureStream(name: "capture", bytes: bytes)
        try #require(try stream.recognise())
        kind = stream.kind
        while true {
            switch stream.next() {
            case .record(let record):
                let start = Int(stream.position) + record.start
                records.append(
                    Record(
                        time: record.time.text, link: record.link, controller: record.controller,
                        payload: Array(bytes[start..<start + record.count]).hex))
                stream.consume()
            case .needsBytes:
                Issue.record("a capture in memory wants more bytes")
                return
            case .damaged(let what): damages.append(what)
            case .ended(let what):
                end = what
                return
            }
        }
    }

    init(hex: String) throws { try self.init([UInt8](hex: hex)) }
}
