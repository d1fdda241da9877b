import Testing

@testable import SkerryCore

@Suite("A live gpsd")
struct ScanGPSTests {
    @Test func gpsdComesAndGoes() {
        var run = LiveRun()
        run.scan.addGPSD(name: "gpsd")
        run.turn(0) { $0.start() }
        func report(_ line: String) -> GPSDReport { readLine(line)!.report }
        run.turn(1) { $0.receive(.connected(release: "3.25")) }
        // Times on the receiver's clock, which agrees; epochs end with the next.
        let fix = { (second: Double) in report(GPSLines.fix(second, 47, 8)) }
        run.turn(2.2) { $0.receive(fix(2)) }
        run.turn(3.2) { $0.receive(fix(3)) }
        run.turn(4) { $0.receive(.disconnected(reason: "it closed the connection")) }
        run.turn(30)
        #expect(
            run.trace == [
                "2.0 location", "4.0 network: gpsd: it closed the connection", "3.0 location",
                "14.0 locationUnknown: no receiver knows the place at the moment",
            ])
    }

    /// The last place before silence, or before gpsd goes, comes from the receiver's clock too.
    @Test(arguments: [false, true]) func timesAreThoseOfTheReceiver(hangsUp: Bool) {
        var run = LiveRun()
        run.scan.addGPSD(name: "gpsd")
        run.turn(0) { $0.start() }
        run.error = 3600 * .second
        run.turn(1) { $0.receive(.connected(release: "3.25")) }
        run.turn(2.2) { $0.receive(readLine(GPSLines.fix(3602, 47, 8))!.report) }
        run.turn(4) { if hangsUp { $0.receive(.disconnected(reason: "it closed the connection")) } }
        run.turn(5)
        #expect(run.trace.contains("3602.0 location"), "\(run.trace)")
    }
}
