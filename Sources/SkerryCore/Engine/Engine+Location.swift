// What receivers and compasses say. At one instant: exits that are due, the fix or the heading, the changes of circles
// it causes, guidance, ranging.
extension Engine {
    /// A receiver knows where it is.
    ///
    /// - Parameter time: When it was measured, which may lie before the engine's clock.
    mutating func observe(_ fix: Fix, from source: SourceID, at time: Timestamp) {
        advance(to: time)
        let isWorthTelling = location.observe(fix, measured: time, at: moment)
        if isWorthTelling { emit(time, source, .location(fix)) }
        let wasDue = circles.due
        tell(circles.observe(fix, at: moment))
        if circles.due != wasDue { reschedule() }
        guide(isWorthTelling: isWorthTelling)
    }

    /// A compass was read.
    ///
    /// - Parameters:
    ///   - device: The compass, among several of a source.
    ///   - time: When it was measured, which may lie before the engine's clock.
    mutating func observe(_ reading: CompassReading, device: String?, from source: SourceID, at time: Timestamp) {
        advance(to: time)
        let outcome = location.observe(reading, device: device, from: source, measured: time, at: moment)
        if let cause = outcome.calibration { emit(time, source, .error(Fault(cause))) }
        guard let heading = outcome.heading else { return }
        emit(time, source, .heading(heading))
        guide(isWorthTelling: true)
    }

    /// No receiver of a source knows the place any more. What was known is kept, and grows old.
    mutating func losePlace(_ source: SourceID, at time: Timestamp) {
        advance(to: time)
        emit(time, source, .error(.locationUnknown))
    }

    /// Changes of circles, which are numbered after the beacon regions.
    mutating func tell(_ changes: [RegionTransition]) {
        for var change in changes {
            change.region += regions.count
            change.geotag = location.geotag(at: moment)
            emit(moment, nil, .region(change))
        }
    }

    private mutating func guide(isWorthTelling: Bool) {
        if let step = location.guide(isWorthTelling: isWorthTelling) { emit(moment, nil, .guidance(step)) }
    }
}
