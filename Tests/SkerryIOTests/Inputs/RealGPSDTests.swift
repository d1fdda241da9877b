import Glibc
import SkerryCore
import Testing

@testable import SkerryIO

/// A client against gpsd itself, with a receiver of ours behind it.
@Suite("With a real gpsd", .serialized, .enabled(if: GPSDaemon.path != nil, "gpsd is not installed"))
struct RealGPSDTests {
    /// A receiver that is asked for its sentences one by one, some milliseconds apart.
    private final class Receiver {
        let server: LoopbackServer
        /// Whether it knows where it is.
        var hasFix = true
        /// Whether somebody pulled the plug.
        var isGone = false { didSet { if isGone { server.hangUp() } } }

        private var second = 43_200
        private var sentences: [Substring] = []
        private var due: Int64 = 0

        init() throws { server = try LoopbackServer() }

        func proceed() {
            guard !isGone else { return }
            server.proceed()
            let now = MachineClock.monotonic
            guard server.hasPeer, server.isDone, now >= due else { return }
            if sentences.isEmpty {
                second += 1
                let latitude = 47 + Double(second - 43_200) / 10_000
                let epoch = NMEA.epoch(second: second, latitude: latitude, hasFix: hasFix)
                sentences = epoch.split(separator: "\r\n")
            }
            server.send(sentences.removeFirst() + "\r\n")
            due = now + (sentences.isEmpty ? 40_000 : 4_000)
        }
    }

    private func until(
        _ what: Comment, _ run: ClientRun, _ receiver: Receiver, _ isFulfilled: (ClientRun) -> Bool
    ) throws {
        try #require(try run.run(until: isFulfilled, meanwhile: receiver.proceed), what)
    }

    /// What may come of our receiver, in order and once each; a fix before the first date has the time of its receipt.
    private func check(_ fixes: [Fix]) {
        let measured = fixes.compactMap(\.time).filter { $0 > Timestamp(microseconds: 1_710_000_000_000_000) }
        #expect(measured.count >= fixes.count - 2)
        #expect(zip(measured, measured.dropFirst()).allSatisfy { $0 < $1 })
        for fix in fixes { #expect((47.0...47.5).contains(fix.coordinate.latitude)) }
    }

    @Test("fix lost and found, receiver pulled out, gpsd killed and started again")
    func wholeLife() throws {
        let receiver = try Receiver()
        let port = try LoopbackServer().port
        let daemon = try GPSDaemon(port: port, receiver: receiver.server.port)
        let run = ClientRun(port: port, haste: 10)

        try until("fixes", run, receiver) { $0.fixes.count >= 10 }
        #expect(run.news.last == "+" && run.losses == 0)

        receiver.hasFix = false
        try until("loss", run, receiver) { $0.losses == 1 }
        try run.run(seconds: 1.5, until: { $0.losses > 1 }, meanwhile: receiver.proceed)
        #expect(run.losses == 1)
        receiver.hasFix = true
        var known = run.fixes.count
        try until("found", run, receiver) { $0.fixes.count >= known + 5 }
        #expect(run.losses == 1)

        try daemon.removeReceiver()
        let removed = MachineClock.monotonic
        try until("pulled out", run, receiver) { $0.losses == 2 }
        // Long before silence would tell.
        #expect(MachineClock.monotonic - removed < 4_000_000)
        guard case .device(let device) = run.reports.last else {
            Issue.record("no word of the device")
            return
        }
        #expect(!device.isActive)

        daemon.end()
        try until("gpsd gone", run, receiver) { $0.news.last?.hasPrefix("-") ?? false }
        let again = try GPSDaemon(port: port, receiver: receiver.server.port)
        defer { again.end() }
        try until("gpsd back", run, receiver) { $0.news.last == "+" }
        known = run.fixes.count
        try until("fixes again", run, receiver) { $0.fixes.count >= known + 5 }
        #expect(run.losses == 2)
        check(run.fixes)
    }

    /// gpsd says nothing when a receiver behind a socket goes.
    @Test("a receiver that falls silent, and a gpsd that is killed while it sends")
    func silence() throws {
        let receiver = try Receiver()
        let port = try LoopbackServer().port
        let daemon = try GPSDaemon(port: port, receiver: receiver.server.port)
        let run = ClientRun(port: port, haste: 20)
        try until("fixes", run, receiver) { $0.fixes.count >= 5 }
        receiver.isGone = true
        try until("silence", run, receiver) { $0.losses == 1 }
        #expect(run.news.last == "+")
        receiver.isGone = false
        daemon.end()
        let again = try GPSDaemon(port: port, receiver: receiver.server.port)
        defer { again.end() }
        let known = run.fixes.count
        try until("fixes again", run, receiver) { $0.fixes.count >= known + 5 }
        let news = run.news.count
        again.end()
        try until("gpsd gone", run, receiver) { $0.news.count == news + 1 }
        try until("loss", run, receiver) { $0.losses == 2 }
        check(run.fixes)
    }
}
