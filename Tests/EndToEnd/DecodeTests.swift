import Testing

extension EndToEndTests {
    @Suite struct DecodeTests {
        @Test func singleBytesAreOnePayloadAndThatIsSaid() throws {
            let run = try Program.run(["decode", "02", "0x01", "06"])
            let whole = try Program.run(["decode", "020106"])
            #expect(run.status == 0 && run.lines == whole.lines)
            #expect(run.errors == "skerry: these 3 single bytes are read as one payload\n")
            let two = try Program.run(["decode", "0201", "06"])
            #expect(two.lines.count == 2 && two.errors == "")
        }

        @Test func anEmptyWordIsNoPayload() throws {
            let run = try Program.run(["decode", "02:01:06", ""])
            #expect(run.status == 65 && run.lines.last == #"{"error":"argument 2: it is empty"}"#)
            #expect(run.errors == "skerry: argument 2: it is empty\n" && run.lines.count == 2)
        }
    }
}
