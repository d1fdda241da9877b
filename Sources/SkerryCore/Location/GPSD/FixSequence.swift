/// The fixes of one receiver: each once, none older than the one before.
///
/// gpsd sends several TPV reports for one measurement, an epoch, as sentence after sentence of the receiver comes in;
/// the first ones lack the accuracy, sometimes the altitude. Only the last of an epoch counts. That it was the last is
/// known when a report with another time comes or, live, when nothing came for 150 ms. The mode does not divide an
/// epoch: many begin as a two-dimensional one.
struct FixSequence {
    /// What the reports of one measurement come to.
    struct Epoch {
        var reading: FixReading
        /// The receiver's time; `nil` where it told none.
        var time: Timestamp?
        /// When the last report came, on the clock that `LocationSource` goes by.
        var moment: Timestamp?
        /// When it ends unless more comes; `nil` in a log.
        var due: Timestamp?
    }

    /// Live, an epoch ends after so much silence.
    static let epochSilence: Int64 = 150_000

    private var epoch: Epoch?
    /// By the times of the fixes delivered.
    private var rising = RisingTime()

    /// Fixes that were dropped because they were not newer than the one before.
    private(set) var overtaken = 0
    /// Jumps of the receiver's clock that were followed.
    private(set) var corrections = 0

    /// When the present epoch ends by silence.
    var due: Timestamp? { epoch?.due }

    /// Takes what a report says.
    ///
    /// - Returns: The epoch before, if this report ends it.
    mutating func observe(_ next: Epoch) -> Epoch? {
        // Reports without a time can't be known to belong together; live, what comes without a pause does, also once a gpsd
        // that was just started learns the date in the middle of an epoch.
        let isLive = next.due != nil
        let belongs = epoch.map { $0.time == nil ? isLive : $0.time == next.time } ?? false
        let ended = belongs ? nil : finish()
        epoch = next
        return ended
    }

    /// Ends the present epoch.
    ///
    /// - Returns: The epoch; `nil` where there is none or its fix is not newer than the one before.
    mutating func finish() -> Epoch? {
        guard let ended = epoch else { return nil }
        epoch = nil
        guard case .fix = ended.reading, let time = ended.time else { return ended }
        switch rising.observe(time) {
        case .newer: break
        case .corrected: corrections += 1
        case .overtaken:
            overtaken += 1
            return nil
        }
        return ended
    }
}
