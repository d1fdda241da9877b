import Foundation
import Testing

extension EndToEndTests {
    @Suite struct TableTests {
        /// In the zone of the reader, to the end of every line where it goes to a file.
        @Test func theTableEndsWithWhatWasHeard() throws {
            let walk = Program.captures.appendingPathComponent("walk.btsnoop").path
            let run = try Program.shell("TZ=IST-5:30 exec \"$0\" replay --format table \"$1\"", [walk])
            #expect(run.status == 0 && run.errors == "")
            #expect(
                run.lines == [
                    "2026-11-30 12:25:05 IST  walk.btsnoop ended",
                    "HEARD                                 MAJ/MIN  FORMAT         FIRST     LAST      COUNT  STRONGEST  NEAREST",
                    "6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001  10/1     ibeacon        12:22:23  12:23:11    223    -54 dBm    1.6 m",
                    "B27D90F4-08AE-4C1F-8E6D-7703C95BE002  20/1     ibeacon        12:23:21  12:24:08    214    -54 dBm    1.6 m",
                    "http://example.org                             eddystone-url  12:22:40  12:24:20     94    -64 dBm        -",
                    "914 records, 863 reports, 6 addresses, 437 ibeacon, 94 eddystone-url",
                ])
        }
    }
}
