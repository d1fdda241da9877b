import Foundation
import Testing

extension EndToEndTests {
    @Suite struct PaceTests {
        /// The clock of the machine decides when an event is told, never what it says.
        @Test func paceChangesNoEvent() throws {
            let walk = Program.captures.appendingPathComponent("walk.btsnoop").path
            let whole = try Program.run(["replay", walk]).lines
            #expect(whole.count > 100)
            #expect(try Program.run(["replay", "--speed", "1e6", walk]).lines == whole)
        }
    }
}
