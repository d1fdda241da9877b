import Testing

@testable import SkerryCore

@Suite("Reading JSON")
struct JSONReaderTests {
    /// All members of an object; `nil` where the text is malformed.
    private func members(_ text: String) -> [String: JSONValue]? { members(Array(text.utf8)) }

    private func members(_ bytes: [UInt8]) -> [String: JSONValue]? {
        var reader = JSONReader(bytes.rawSpan)
        var members: [String: JSONValue] = [:]
        do {
            try reader.beginObject()
            while let name = try reader.nextName() { members[name] = try reader.value() }
            return reader.next() == nil ? members : nil
        } catch {
            return nil
        }
    }

    @Test(
        "values",
        arguments: [
            ("0", .number(0)), ("-0", .number(0)), ("-0.5", .number(-0.5)), ("47.000000000", .number(47)),
            ("0.1", .number(0.1)), ("1e3", .number(1000)), ("2.5E-2", .number(0.025)), ("1e-400", .number(0)),
            ("1e400", .unreadable), ("123456789012345678901234567890", .number(1.2345678901234568e29)),
            ("true", .bool(true)), ("false", .bool(false)), ("null", .null), ("\"\"", .string("")),
            ("[]", .nested), ("{}", .nested), (" [ 1 , {\"b\" : [ ] } ] ", .nested),
            // Words that are no JSON, but end where a value should.
            ("nan", .unreadable), ("-nan", .unreadable), ("Infinity", .unreadable), ("-inf", .unreadable),
            ("0x10", .unreadable), ("tru", .unreadable), ("--1", .unreadable), ("1-2", .unreadable), (".", .unreadable),
        ] as [(String, JSONValue)])
    func values(text: String, value: JSONValue) {
        #expect(members("{\"a\":\(text)}") == ["a": value])
        #expect(
            members(" {\t\"z\" : 1 ,\r\n\"a\" : \(text) , \"b\":\"c\" } ") == [
                "z": .number(1), "a": value, "b": .string("c"),
            ])
    }

    @Test(
        "strings",
        arguments: [
            (#""plain""#, "plain"), (#""é😀""#, "é😀"), (#""a\"b\\c\/d""#, #"a"b\c/d"#),
            (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\ud83d""#, "\u{FFFD}"),
            (#""{\"class\":\"TPV\"}""#, #"{"class":"TPV"}"#),
        ])
    func strings(text: String, value: String) {
        #expect(members("{\"a\":\(text)}") == ["a": .string(value)])
        #expect(members("{\(text):1}") == [value: .number(1)])
    }

    @Test("bytes that are no UTF-8 are replaced")
    func invalidUTF8() {
        #expect(members(Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)) == ["a": .string("\u{FFFD}")])
    }

    @Test(
        "what is no object",
        arguments: [
            "", " ", "{", "}", "[]", "1", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,\"a\":1}",
            "{\"a\":1}x",
            "{\"a\":1}}", "{\"a\" 1}", "{a:1}", "{\"a\":}", "{\"a\":1 2}", "{\"a\":\"b}", "{\"a\":\"\\q\"}",
            "{\"a\":\"\\u12\"}",
            "{\"a\":\"\\u12g4\"}", "{\"a\":\"\\", "{\"a\":\"\u{1}\"}", "{\"a\":[1,]}", "{\"a\":[1}", "{\"a\":{]}",
            "{\"a\":'b'}",
            // What gpsd 3.22 would write of an ATT report with a time.
            #"{"class":"ATT","device":"x",,"time":"2022-03-29T00:38:32.000Z""heading":1.0}"#,
        ])
    func malformed(text: String) { #expect(members(text) == nil) }

    @Test("containers within containers are bounded")
    func depth() {
        func nested(_ depth: Int) -> String {
            "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        }
        #expect(members(nested(31)) == ["a": .nested])
        #expect(members(nested(32)) == nil)
        #expect(members("{\"a\":" + String(repeating: "[", count: 60_000)) == nil)
    }

    @Test("a text that is cut anywhere is malformed; bytes that are changed never crash")
    func cutAndChanged() {
        let text = Array(
            #"{"class":"DEVICES","devices":[{"path":"\/dev\/gps0","activated":"2026-11-30T03:10:56.074Z","bps":9600}],"x":-1.5e3}"#
                .utf8)
        #expect(members(text) != nil)
        for length in 0..<text.count { #expect(members(Array(text[..<length])) == nil) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            var changed = text
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                changed[Int.random(in: 0..<text.count, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
            }
            _ = members(changed)
            _ = readLine(changed)
        }
    }
}
