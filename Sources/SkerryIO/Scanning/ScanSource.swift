public import SkerryCore

/// A source of advertisements in the loop of a live run. It never waits, and what goes wrong outside is a state of the source,
/// not the end of the run.
public protocol ScanSource: AnyObject {
    /// What it waits for now.
    var interests: [Poller.Interest] { get }
    /// When to call `step` though nothing is ready, on the clock of `MachineClock.monotonic`.
    var deadline: Int64? { get }
    /// What was counted so far.
    var counts: ScannerStatistics { get }
    /// Why the scan can't begin after all, where that was found only in the loop; the run ends with it.
    var failure: ScanError? { get }
    /// Does what can be done without waiting; reads at most so much that other sources get their turn.
    ///
    /// - Parameters:
    ///   - ready: What the descriptors are ready for, in the order of `interests`.
    ///   - now: The present moment, on the clock of `deadline`.
    /// - Returns: Whether all that waited was read; if not, it is called again at once.
    func step(_ ready: [Poller.Events], now: Int64, into scan: inout Scan) -> Bool
    /// Switches the scan off and lets go of the adapter; waits for that a second at most. What was stopped stays so.
    func stop()
}

extension ScanSource {
    /// What is wrong is found before the loop.
    public var failure: ScanError? { nil }
}
