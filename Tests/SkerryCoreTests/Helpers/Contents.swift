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
        var reader = CaptureReader()
        var place = try #require(try reader.recognise(bytes, 0..<bytes.count, isWhole: true))
        kind = reader.kind
        while place < bytes.count {
            switch reader.next(bytes, place..<bytes.count) {
            case .record(let record, let length):
                let start = place + record.start
                records.append(
                    Record(
                        time: record.time.text, link: record.link, controller: record.controller,
                        payload: Array(bytes[start..<start + record.count]).hex))
                place += length
            case .skip(let length): place += length
            case .damaged(let what, let length):
                damages.append(what)
                place += length
            case .needs(let count):
                end = "\(bytes.count - place) of at least \(count) bytes"
                return
            case .broken(let what):
                end = what
                return
            }
        }
        if place > bytes.count { end = "\(place - bytes.count) bytes of the last block are missing" }
    }

    init(hex: String) throws { try self.init([UInt8](hex: hex)) }
}
